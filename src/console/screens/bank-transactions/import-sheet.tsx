import type { ClipboardEvent, DragEvent } from "react";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { z } from "zod";
import type { BankImport } from "../../../contract/bank-imports.ts";
import { control } from "../../../contract/controls.ts";
import { Uuid } from "../../../contract/wire.ts";
import { formatCount } from "../../../values/counts.ts";
import { FormField } from "../../kit/form/form-field.tsx";
import { givenBy } from "../../kit/form/pasted-table.ts";
import { formFields } from "../../kit/form/fields.ts";
import type { LinkedNames } from "../../kit/form/linked.ts";
import { KeyCap } from "../../kit/keys/key-cap.tsx";
import { SheetButtons, SheetFrame } from "../../kit/sheets/sheet-frame.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { ImportLayout } from "./import-layout.tsx";
import { ImportLines } from "./import-lines.tsx";
import type { ImportWork } from "./import-work.ts";
import { chosenAccount } from "./import-work.ts";
import "./import.css";

/** The one thing the file does not say for certain. */
const accountField = formFields(z.strictObject({ payment_account: Uuid.meta(control("reference", "payment-accounts")) })).get(
  "payment_account",
);

interface ImportSheetProps {
  readonly work: ImportWork;
  readonly linked: LinkedNames;
  onClose(): void;
}

/** A bank's statement on its way in: its account and file, how it is read, what is new in it, and then how far the import is. */
export function ImportSheet({ work, linked, onClose }: ImportSheetProps) {
  const t = useText();
  const { account, file, busy, refused, given } = useStore(work.store);
  const first = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  // as it was opened: the account is asked for only where no line has said it
  const [isKnown] = useState(account !== "");
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => () => work.close(), [work]);
  useFocusKept(body, file);
  const isStaged = file?.state === "staged";
  const take = (data: DataTransfer | null) => {
    const found = givenBy(data);
    if (found !== null && (file === null || isStaged)) void work.give(found);
    return found !== null;
  };
  const onPaste = (event: ClipboardEvent) => {
    // a text pasted into a field is the field's, but a table is none
    const { target, clipboardData: data } = event;
    const isText = data.files.length === 0 && !/[\t\n]/.test(data.getData("text/plain"));
    if (target instanceof HTMLInputElement && isText) return;
    if (take(data)) event.preventDefault();
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    take(event.dataTransfer);
  };
  const leave = () => {
    // what is staged is thrown away; what runs goes on without the sheet
    if (isStaged) void work.cancel();
    onClose();
  };
  const choose = () => picker.current?.click();
  const confirm = () => {
    if (file === null) return choose();
    if (isStaged) return void work.start();
    return file.state === "running" ? undefined : onClose();
  };
  const why = whyNot(file, busy);
  return (
    <SheetFrame
      wide
      first={isKnown ? body : first}
      dialog={{ name: "form", acts: { confirm, close: leave, toggle: () => undefined } }}
      title={t("bank-line.import.title")}
      foot={
        <ImportFoot
          file={file}
          refused={why === null ? null : t(why)}
          onConfirm={confirm}
          onLeave={leave}
          onStop={() => void work.cancel()}
        />
      }
    >
      <div className="import" ref={body} tabIndex={-1} onPaste={onPaste} onDrop={onDrop} onDragOver={(event) => event.preventDefault()}>
        {file === null && accountField && (
          <FormField
            field={accountField}
            value={account}
            words={{ label: () => t("bank-line.field.payment_account"), hint: () => null, choice: (_, choice) => choice }}
            linked={linked}
            lines={given !== null && chosenAccount({ account }) === null ? { payment_account: [t("bank-line.import.account-first")] } : {}}
            takeRef={(element) => void (first.current = element)}
            onWrite={(uuid) => work.setAccount(uuid)}
          />
        )}
        {(file === null || isStaged) && (
          <div className="give">
            <input
              ref={picker}
              type="file"
              hidden
              accept=".csv,.tsv,.txt,.xlsx"
              onChange={({ target }) => {
                const [chosen] = target.files ?? [];
                if (chosen) void work.give({ source: "file", file: chosen });
                target.value = "";
              }}
            />
            <button type="button" className="btn" onClick={choose}>
              {t(file === null ? "bank-line.import.choose" : "bank-line.import.other")}
            </button>
            <span className="t2">{t("bank-line.import.or-paste")}</span>
          </div>
        )}
        {refused !== null && (
          <p className="fail" role="alert">
            {refused}
          </p>
        )}
        <p className="sr" role="status">
          {busy ? t("bank-line.import.reading") : ""}
        </p>
        {busy && file === null && <p className="t2">{t("bank-line.import.reading")}</p>}
        {file !== null && <Staged work={work} file={file} />}
      </div>
    </SheetFrame>
  );
}

/** What had the focus goes as the import goes on: then the first open question has it, else the sheet. */
function useFocusKept(body: { readonly current: HTMLElement | null }, file: BankImport | null): void {
  const state = file?.state ?? null;
  useLayoutEffect(() => {
    const at = document.activeElement;
    if (state === null || (at !== null && at !== document.body && !at.matches(".sheet-foot *"))) return;
    (body.current?.querySelector<HTMLElement>("[aria-invalid=true]") ?? body.current)?.focus();
  }, [body, state]);
}

/** Why the import cannot be started yet; null: it can, or there is nothing to start. */
function whyNot(file: BankImport | null, busy: boolean) {
  if (busy) return "bank-line.import.reading" as const;
  if (file?.state !== "staged") return null;
  if (file.questions.length > 0) return "bank-line.import.open-questions" as const;
  return file.counts.new === 0 ? ("bank-line.import.nothing-new" as const) : null;
}

function Staged({ work, file }: { work: ImportWork; file: BankImport }) {
  const t = useText();
  const { counts, done, state } = file;
  const label = useId();
  return (
    <>
      <p className="ln of">
        <bdi className="mono strong">{file.payment_account.code}</bdi> <bdi>{file.payment_account.bank}</bdi>
        <span className="end t2">
          <bdi>{file.file_name === null || file.file_name === "" ? t("bank-line.source.paste") : file.file_name}</bdi>
        </span>
      </p>
      {state === "staged" && <ImportLayout file={file} onChange={(change) => void work.setLayout(change)} />}
      {state !== "staged" && (
        <>
          <p id={label} role="status">
            {t(`bank-line.import.${state}`, { done: formatCount(done), of: formatCount(counts.lines) })}
          </p>
          <progress max={Math.max(1, counts.lines)} value={done} aria-labelledby={label} />
        </>
      )}
      <ImportLines work={work} file={file} />
    </>
  );
}

interface FootProps {
  readonly file: BankImport | null;
  readonly refused: string | null;
  onConfirm(): void;
  onLeave(): void;
  onStop(): void;
}

/** Each state has buttons of its own: a second Enter must not press what has come in the place of "Import". */
function ImportFoot({ file, refused, onConfirm, onLeave, onStop }: FootProps) {
  const t = useText();
  if (file === null) {
    return (
      <SheetButtons label={t("bank-line.import.choose")} chord="$mod+Enter" refused={refused} onConfirm={onConfirm} onCancel={onLeave} />
    );
  }
  if (file.state === "running") {
    return (
      <>
        <button type="button" className="btn no" onClick={onStop}>
          {t("bank-line.import.stop")}
        </button>
        <button type="button" className="btn" onClick={onLeave}>
          {t("bank-line.import.leave-running")}
          <KeyCap chord="Escape" />
        </button>
      </>
    );
  }
  if (file.state !== "staged") {
    return (
      <button type="button" className="btn go" onClick={onConfirm}>
        {t("sheet.close")}
        <KeyCap chord="$mod+Enter" />
      </button>
    );
  }
  return (
    <SheetButtons
      key="start"
      label={t("bank-line.import.start", { n: formatCount(file.counts.new) })}
      chord="$mod+Enter"
      refused={refused}
      onConfirm={onConfirm}
      onCancel={onLeave}
    />
  );
}
