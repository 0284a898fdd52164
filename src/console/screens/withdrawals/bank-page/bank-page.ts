import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { Withdrawal } from "../../../../contract/withdrawals.ts";
import type { BankPageDesk } from "../../../kit/commands/desks.ts";
import type { Services } from "../../../kit/commands/services.ts";
import { fieldAmount } from "../../../kit/look/amounts.ts";
import { text } from "../../../kit/texts/texts.ts";

/** What a bank's page asks for, in its order. */
export const bankFields = ["amount", "name", "account", "reference"] as const;
export type BankField = (typeof bankFields)[number];

interface BankPageState {
  /** The record whose fields are being copied, and the one copied last. */
  readonly copied: { readonly uuid: string; readonly field: BankField } | null;
  /** The record whose slip is compared, and the slip as it was pasted. */
  readonly slip: { readonly row: Withdrawal; readonly text: string } | null;
}

/** As a bank's page takes it: the amount without marks between thousands, and by the reference we know our payment again. */
export function bankText(row: Withdrawal, field: BankField): string {
  switch (field) {
    case "amount":
      return fieldAmount(row.amount);
    case "name":
      return row.holder;
    case "account":
      return row.account_number;
    case "reference":
      return row.txn_no;
  }
}

/** Paying on a bank's page: what was copied last, and the slip that comes back. */
export interface BankPage {
  readonly store: StoreApi<BankPageState>;
  readonly desk: BankPageDesk;
  copy(row: Withdrawal, field: BankField): Promise<void>;
  /** The cursor came to rest on this record; the next copy on another begins anew. */
  came(uuid: string | null): void;
  /** The text was pasted onto the card; whoever opens the slip next compares it. */
  given(pasted: string): void;
  closeSlip(): void;
}

export function createBankPage(services: Pick<Services, "copy">): BankPage {
  const store = createStore<BankPageState>()(() => ({ copied: null, slip: null }));
  let pasted = "";

  async function copy(row: Withdrawal, field: BankField): Promise<void> {
    const at = bankFields.indexOf(field) + 1;
    const next = bankFields[at] ?? bankFields[0];
    const words = {
      field: text(`withdrawal.bank-page.${field}`),
      text: bankText(row, field),
      at,
      of: bankFields.length,
      next: text(`withdrawal.bank-page.${next}`),
    };
    if (await services.copy(bankText(row, field), { key: "withdrawal.said.copied-field", words }))
      store.setState({ copied: { uuid: row.uuid, field } });
  }

  return {
    store,
    copy,
    desk: {
      copyNext(row) {
        const { copied } = store.getState();
        const last = copied?.uuid === row.uuid ? bankFields.indexOf(copied.field) : -1;
        return copy(row, bankFields[last + 1] ?? bankFields[0]);
      },
      openSlip(row) {
        store.setState({ slip: { row, text: pasted } });
        pasted = "";
      },
    },
    came(uuid) {
      const { copied } = store.getState();
      if (copied !== null && copied.uuid !== uuid) store.setState({ copied: null });
    },
    given(slip) {
      pasted = slip;
    },
    closeSlip: () => store.setState({ slip: null }),
  };
}
