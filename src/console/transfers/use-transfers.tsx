import type { ReactNode } from "react";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { PaymentAccount } from "../../contract/payment-accounts.ts";
import type { Transfer } from "../../contract/transfers.ts";
import { useApi } from "../api/use-api.ts";
import type { RecordRow, MovingDesk, TransferSheet } from "../kit/commands/desks.ts";
import { usePart } from "../kit/loading/chunk.ts";
import { PartWaiting } from "../kit/sheets/part-waiting.tsx";
import { useKit } from "../kit/use-kit.ts";

const load = async () => (await import("./sheets.tsx")).TransferSheets;

/** ms after which the forms are fetched in advance. */
const soon = 4_000;

/** A form that is open, and who waits for what becomes of it. */
export type OpenSheet =
  | {
      readonly as: "transfer";
      readonly kind: TransferSheet;
      readonly of?: RecordRow & { readonly code: string };
      answer(made: Transfer | null): void;
    }
  | { readonly as: "hold"; readonly account: PaymentAccount; answer(held: PaymentAccount | null): void };

/** The forms that move money by hand, over a screen; `lends` stays the same object. */
export function useTransfers(): { readonly lends: { readonly moving: MovingDesk }; readonly sheet: ReactNode } {
  const { services } = useKit();
  const { time } = useApi();
  const [open, setOpen] = useState<OpenSheet | null>(null);
  const lends = useMemo(
    () => ({
      moving: {
        recallable: ({ recallable_until }: Transfer) => (recallable_until === null ? 0 : Date.parse(recallable_until) - time.now()),
        make: (kind: TransferSheet, of?: RecordRow & { readonly code: string }) =>
          new Promise<Transfer | null>((answer) => setOpen({ as: "transfer", kind, ...(of && { of }), answer })),
        hold: (account: PaymentAccount) => new Promise<PaymentAccount | null>((answer) => setOpen({ as: "hold", account, answer })),
      },
    }),
    [time],
  );
  // whoever waits for a form hears that it is gone, too, when its screen goes under it
  const waiting = useRef(open);
  useLayoutEffect(() => {
    waiting.current = open;
  }, [open]);
  useEffect(() => () => waiting.current?.answer(null), []);
  const close = (): void => {
    open?.answer(null);
    setOpen(null);
  };
  const sheets = usePart(load, {
    wanted: open !== null,
    soon,
    absent() {
      close();
      services.say("page.chunk.text", {}, "fail");
    },
  });
  const sheet = open === null ? null : sheets === null ? <PartWaiting close={close} /> : sheets({ open, onClose: close });
  return { lends, sheet };
}
