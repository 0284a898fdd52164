import type { ReactNode } from "react";
import type { DecisionRow } from "../../contract/decisions.ts";
import type { SubjectName } from "../../contract/index.ts";
import { isOpen } from "../../contract/transactions.ts";
import { CommandButton } from "../kit/look/command-button.tsx";
import { useText } from "../kit/texts/texts.ts";

interface DecisionActsProps {
  readonly subject: SubjectName;
  readonly row: DecisionRow | null;
  readonly marked: number;
  /** The acts of a row that is not to be decided now. */
  readonly others?: ReactNode;
}

/** The acts with their keys in fixed places. */
export function DecisionActs({ subject, row, marked, others }: DecisionActsProps) {
  const t = useText();
  const decided = row !== null && !isOpen(row) && marked === 0;
  return (
    <>
      {others != null && marked === 0 ? (
        others
      ) : decided ? (
        <>
          <CommandButton id={`${subject}.recall`} look="no" className="grow" />
          <CommandButton id={`${subject}.send-callback`} />
        </>
      ) : (
        <>
          <CommandButton id={`${subject}.approve`} look="go">
            {marked > 1 ? t("transaction.acts.approve-many", { count: marked }) : t("transaction.acts.approve")}
          </CommandButton>
          <CommandButton id={`${subject}.reject`} look="no">
            {t("transaction.acts.reject")}
          </CommandButton>
          {row !== null && marked === 0 && row.first_approved_by !== null ? (
            <CommandButton id={`${subject}.hand-back`}>{t("transaction.acts.hand-back")}</CommandButton>
          ) : (
            <CommandButton id={`${subject}.defer`}>{t("transaction.acts.defer")}</CommandButton>
          )}
        </>
      )}
      <CommandButton id={`${subject}.take-next`}>{t("transaction.acts.next")}</CommandButton>
    </>
  );
}
