import type { ClipboardEvent, DragEvent, ReactNode } from "react";
import { useEffect, useId, useLayoutEffect, useRef } from "react";
import { useStore } from "zustand";
import { givenBy } from "../kit/form/pasted-table.ts";
import { KeyCap } from "../kit/keys/key-cap.tsx";
import { SheetButtons, SheetFrame } from "../kit/sheets/sheet-frame.tsx";
import { useText } from "../kit/texts/texts.ts";
import type { LinesShown } from "./import-lines.tsx";
import { ImportLines } from "./import-lines.tsx";
import type { ImportFile, ImportLine, ImportWork } from "./import-work.ts";
import { runs } from "./import-work.ts";
import "./imports.css";

interface ImportSheetProps<File extends ImportFile, Line extends ImportLine> {
  readonly work: ImportWork<File, Line>;
  readonly title: string;
  /** Beside the button that chooses a file: in which other ways it may be given. */
  readonly orPaste: string;
  /** What is asked or said before there is a file, above and below the button. */
  readonly above?: ReactNode;
  readonly below?: ReactNode;
  /** The field that has the focus first; null: the sheet itself. */
  readonly first?: { readonly current: HTMLElement | null } | null;
  readonly lines: LinesShown<Line>;
  /** What stands above the lines of a file. */
  head(file: File): ReactNode;
  /** Why it cannot be started yet; null: it can, or there is nothing to start. */
  whyNot(file: File): string | null;
  startLabel(file: File): string;
  onClose(): void;
}

/** A file on its way in: what it is given by, what becomes of each line before anything is written, and then how far the writing is. */
export function ImportSheet<File extends ImportFile, Line extends ImportLine>({
  work,
  title,
  orPaste,
  above,
  below,
  first = null,
  lines,
  head,
  whyNot,
  startLabel,
  onClose,
}: ImportSheetProps<File, Line>) {
  const t = useText();
  const { file, busy, refused } = useStore(work.store);
  const body = useRef<HTMLDivElement>(null);
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
    return runs(file) ? undefined : onClose();
  };
  return (
    <SheetFrame
      wide
      first={first ?? body}
      dialog={{ name: "form", aimless: true, acts: { confirm, close: leave, toggle: () => undefined } }}
      title={title}
      foot={
        <ImportFoot
          file={file}
          label={file === null ? t("import.choose") : startLabel(file)}
          refused={busy ? t("import.reading") : file === null ? null : whyNot(file)}
          onConfirm={confirm}
          onLeave={leave}
          onStop={() => void work.cancel()}
        />
      }
    >
      <div className="import" ref={body} tabIndex={-1} onPaste={onPaste} onDrop={onDrop} onDragOver={(event) => event.preventDefault()}>
        {file === null && above}
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
              {t(file === null ? "import.choose" : "import.other")}
            </button>
            <span className="t2">{orPaste}</span>
          </div>
        )}
        {file === null && below}
        {refused !== null && (
          <p className="fail" role="alert">
            {refused}
          </p>
        )}
        <p className={busy && file === null ? "t2" : "sr"} role="status">
          {busy ? t("import.reading") : ""}
        </p>
        {file !== null && head(file)}
        {file !== null && <ImportLines work={work} file={file} shown={lines} />}
      </div>
    </SheetFrame>
  );
}

/** How far a started import is, in words and as a bar. */
export function ImportProgress({ done, of, children }: { readonly done: number; readonly of: number; readonly children: ReactNode }) {
  const label = useId();
  return (
    <>
      <p id={label} role="status">
        {children}
      </p>
      <progress max={Math.max(1, of)} value={done} aria-labelledby={label} />
    </>
  );
}

/** What had the focus goes as the import goes on: then the first open question has it, else the sheet. */
function useFocusKept(body: { readonly current: HTMLElement | null }, file: ImportFile | null): void {
  const state = file?.state ?? null;
  useLayoutEffect(() => {
    const at = document.activeElement;
    if (state === null || (at !== null && at !== document.body && !at.matches(".sheet-foot *"))) return;
    (body.current?.querySelector<HTMLElement>("[aria-invalid=true]") ?? body.current)?.focus();
  }, [body, state]);
}

interface FootProps {
  readonly file: ImportFile | null;
  readonly label: string;
  readonly refused: string | null;
  onConfirm(): void;
  onLeave(): void;
  onStop(): void;
}

/** Each state has buttons of its own: a second Enter must not press what has come in the place of the one that starts. */
function ImportFoot({ file, label, refused, onConfirm, onLeave, onStop }: FootProps) {
  const t = useText();
  if (file === null || file.state === "staged") {
    return (
      <SheetButtons
        key={file === null ? "choose" : "start"}
        label={label}
        chord="$mod+Enter"
        refused={refused}
        onConfirm={onConfirm}
        onCancel={onLeave}
      />
    );
  }
  if (runs(file)) {
    return (
      <>
        <button type="button" className="btn no" onClick={onStop}>
          {t("import.stop")}
        </button>
        <button type="button" className="btn" onClick={onLeave}>
          {t("import.leave-running")}
          <KeyCap chord="Escape" />
        </button>
      </>
    );
  }
  return (
    <button type="button" className="btn go" onClick={onConfirm}>
      {t("sheet.close")}
      <KeyCap chord="$mod+Enter" />
    </button>
  );
}
