import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { Withdrawal } from "../../../../contract/withdrawals.ts";
import { CommandKey } from "../../../kit/look/command-button.tsx";
import { Icon } from "../../../kit/look/icon.tsx";
import { useText } from "../../../kit/texts/texts.ts";
import type { BankField, BankPage } from "./bank-page.ts";
import { bankFields, bankText } from "./bank-page.ts";
import "./bank-page.css";

/** The bank page of the screen around; null where nobody pays by one. */
export const BankPageContext = createContext<BankPage | null>(null);

/** The field of this record that was copied last. */
const useCopied = (page: BankPage, uuid: string): BankField | null =>
  useStore(page.store, ({ copied }) => (copied?.uuid === uuid ? copied.field : null));

/** What a bank's page asks for, in the order in which one key copies it; the one copied last is marked. */
export function BankFields({ row }: { row: Withdrawal }) {
  const page = useContext(BankPageContext);
  return page === null ? null : <Fields page={page} row={row} />;
}

function Fields({ page, row }: { page: BankPage; row: Withdrawal }) {
  const t = useText();
  const copied = useCopied(page, row.uuid);
  return (
    <div className="bank-fields" role="group" aria-label={t("withdrawal.bank-page.title")}>
      {bankFields.map((field) => (
        <button
          key={field}
          type="button"
          aria-current={field === copied ? "step" : undefined}
          title={t("withdrawal.bank-page.copy", { text: bankText(row, field) })}
          onClick={() => void page.copy(row, field)}
        >
          {field === copied && <Icon name="tick" size="xs" />}
          <span className="cut">{t(`withdrawal.bank-page.${field}`)}</span>
          {field === copied && <span className="sr">{t("withdrawal.bank-page.copied")}</span>}
        </button>
      ))}
      <span className="end keys-end">
        <CommandKey id="withdrawal.copy-next" />
      </span>
    </div>
  );
}
