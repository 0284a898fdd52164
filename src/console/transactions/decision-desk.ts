import type { DecisionDetail, DecisionRow, DecisionSettings } from "../../contract/decisions.ts";
import { ageOf } from "../../contract/decisions.ts";
import { spanText } from "../api/formats.ts";
import type { Reason } from "../kit/commands/command.ts";
import type { DecisionDesk, LiveDesk } from "../kit/commands/desks.ts";
import type { Services } from "../kit/commands/services.ts";
import { text } from "../kit/texts/texts.ts";
import { checkLine } from "./check-lines.ts";
import type { DecisionKind } from "./decision-kind.ts";
import type { AskedList } from "./decision-views.ts";
import { decidedBy, viewOf } from "./decision-views.ts";
import type { LiveList } from "./live-list.ts";

export interface DecisionDeskDeps<Row extends DecisionRow, Detail extends DecisionDetail<Row>> {
  readonly kind: DecisionKind<Row, Detail>;
  readonly list: LiveList<Row, AskedList>;
  readonly me: string;
  /** The server's clock, ms. */
  time(): number;
  /** The record the detail pane shows, and what the tenant has set, at the moment a command asks. */
  now(): { readonly detail: Detail | null; readonly settings: DecisionSettings; readonly create: (() => void) | null };
}

/** What a list of transactions to be decided lends its commands. */
export function decisionDesk<Row extends DecisionRow, Detail extends DecisionDetail<Row>>({
  kind,
  list,
  me,
  time,
  now,
}: DecisionDeskDeps<Row, Detail>): DecisionDesk {
  const detailOf = (uuid: string): Detail | null => {
    const { detail } = now();
    return detail?.row.uuid === uuid ? detail : null;
  };
  /** Whether a row leaves what is asked for now once it is decided. */
  const leaves = (row: Row): boolean => {
    const view = viewOf(kind.views, list.query().view);
    return view.keeps === undefined && view.has(row, me);
  };
  return {
    get settings() {
      return now().settings;
    },
    get create() {
      return now().create;
    },
    gone(uuid) {
      const row = list.takenBy(uuid);
      if (row === null) return list.source.isTombstone(uuid) ? kind.own("refuse.gone") : null;
      const by = row.claim?.name ?? decidedBy(row).name;
      return { key: kind.own(`taken.${row.status}`), words: { name: by } } satisfies Reason;
    },
    failing(uuid) {
      const detail = detailOf(uuid);
      if (detail === null) return null;
      const fails = detail.checks.find(({ result }) => result === "fail");
      if (!fails) return kind.unready?.(detail) ?? null;
      const { title, value } = checkLine(fails, text);
      return { key: "transaction.refuse.check", words: { check: `${title}: ${value}` } };
    },
    accounts(uuid) {
      const detail = detailOf(uuid);
      return detail === null ? null : (kind.accountsOf?.(detail) ?? null);
    },
    age: (row) => spanText(ageOf(row, time())),
    left(uuids) {
      const { count } = list.getState();
      if (count === null) return null;
      const leaving = uuids.flatMap((uuid) => list.source.get(uuid) ?? []).filter(leaves);
      return Math.max(0, count - leaving.length);
    },
  };
}

/** What such a list lends the commands as one that others change. */
export const liveDesk = <Row extends DecisionRow>(list: LiveList<Row, AskedList>, services: Services): LiveDesk => ({
  follow() {
    const { waiting, held } = list.getState();
    if (waiting > 0 || held !== null) return void list.reload();
    list.holdStill();
    services.say("transaction.said.held");
  },
});
