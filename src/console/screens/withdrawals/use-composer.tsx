import { useMemo, useState } from "react";
import type { Withdrawal, WithdrawalDetail } from "../../../contract/withdrawals.ts";
import type { RecordRow } from "../../kit/commands/desks.ts";
import { usePart } from "../../kit/loading/chunk.ts";
import { PartWaiting } from "../../kit/sheets/part-waiting.tsx";
import { useKit } from "../../kit/use-kit.ts";
import type { More } from "../../transactions/decision-screen.tsx";
import type { DecisionWork } from "../../transactions/decision-work.ts";
import type { Asked } from "./composer-plan.ts";

const load = async () => (await import("./composer.tsx")).Composer;

/** ms after which the composer is fetched in advance. */
const soon = 4_000;

type Work = DecisionWork<Withdrawal, WithdrawalDetail>;

/** The composer over the list of withdrawals: opened with what is marked, or with all that match. */
export function useComposer(work: Work): More {
  const { services } = useKit();
  const [asked, setAsked] = useState<Asked | null>(null);
  const lends = useMemo(
    () => ({
      payouts: {
        compose(rows: readonly RecordRow[]) {
          const everything = work.panes.grid?.marksEverything() ?? null;
          const refs = rows.map(({ uuid, version }) => ({ uuid, version }));
          // the list's query, whose texts the route reads as the list does
          setAsked(everything === null ? { rows: refs } : { all: work.list.query() as Asked["all"] });
        },
      },
    }),
    [work],
  );
  const close = (): void => setAsked(null);
  const composer = usePart(load, {
    wanted: asked !== null,
    soon,
    absent() {
      close();
      services.say("page.chunk.text", {}, "fail");
    },
  });
  if (asked === null) return { lends, over: null };
  return { lends, over: composer === null ? <PartWaiting close={close} /> : composer({ asked, grid: work.panes.grid, onClose: close }) };
}
