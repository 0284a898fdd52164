import { useRef, useState } from "react";
import { useStore } from "zustand";
import { z } from "zod";
import type { BankImport } from "../../../contract/bank-imports.ts";
import { importLineStates } from "../../../contract/bank-imports.ts";
import { control } from "../../../contract/controls.ts";
import { Uuid } from "../../../contract/wire.ts";
import { formatCount } from "../../../values/counts.ts";
import { ImportProgress, ImportSheet } from "../../imports/import-sheet.tsx";
import { FormField } from "../../kit/form/form-field.tsx";
import { formFields } from "../../kit/form/fields.ts";
import type { LinkedNames } from "../../kit/form/linked.ts";
import { useText } from "../../kit/texts/texts.ts";
import { ImportLayout } from "./import-layout.tsx";
import { Told } from "./import-lines.tsx";
import type { StatementImport } from "./import-work.ts";
import { chosenAccount } from "./import-work.ts";
import "./import.css";

/** The one thing the file does not say for certain. */
const accountField = formFields(z.strictObject({ payment_account: Uuid.meta(control("reference", "payment-accounts")) })).get(
  "payment_account",
);

interface StatementImportSheetProps {
  readonly work: StatementImport;
  readonly linked: LinkedNames;
  onClose(): void;
}

/** A bank's statement on its way in: its account and file, how it is read, what is new in it, and then how far the import is. */
export function StatementImportSheet({ work, linked, onClose }: StatementImportSheetProps) {
  const t = useText();
  const { account, given } = useStore(work.of);
  const first = useRef<HTMLElement>(null);
  // as it was opened: the account is asked for only where no line has said it
  const [isKnown] = useState(account !== "");
  return (
    <ImportSheet
      work={work}
      title={t("bank-line.import.title")}
      orPaste={t("bank-line.import.or-paste")}
      first={isKnown ? null : first}
      above={
        accountField && (
          <FormField
            field={accountField}
            value={account}
            words={{ label: () => t("bank-line.field.payment_account"), hint: () => null, choice: (_, choice) => choice }}
            linked={linked}
            lines={given !== null && chosenAccount({ account }) === null ? { payment_account: [t("bank-line.import.account-first")] } : {}}
            takeRef={(element) => void (first.current = element)}
            onWrite={(uuid) => work.setAccount(uuid)}
          />
        )
      }
      lines={{
        states: importLineStates,
        wrong: "unreadable",
        stateName: (state) => t(`bank-line.import.count.${state}`),
        cells: (line) => <Told line={line} />,
      }}
      head={(file) => <Head work={work} file={file} />}
      whyNot={({ state, questions, counts }) => {
        if (state !== "staged") return null;
        if (questions.length > 0) return t("bank-line.import.open-questions");
        return counts.new === 0 ? t("bank-line.import.nothing-new") : null;
      }}
      startLabel={({ counts }) => t("bank-line.import.start", { n: formatCount(counts.new) })}
      onClose={onClose}
    />
  );
}

function Head({ work, file }: { readonly work: StatementImport; readonly file: BankImport }) {
  const t = useText();
  const { counts, done, state } = file;
  return (
    <>
      <p className="ln of">
        <bdi className="mono strong">{file.payment_account.code}</bdi> <bdi>{file.payment_account.bank}</bdi>
        <span className="end t2">
          <bdi>{file.file_name === null || file.file_name === "" ? t("bank-line.source.paste") : file.file_name}</bdi>
        </span>
      </p>
      {state === "staged" ? (
        <ImportLayout file={file} onChange={(change) => void work.setLayout(change)} />
      ) : (
        <ImportProgress done={done} of={counts.lines}>
          {t(`bank-line.import.${state}`, { done: formatCount(done), of: formatCount(counts.lines) })}
        </ImportProgress>
      )}
    </>
  );
}
