import type { ClipboardEvent, DragEvent } from "react";
import { useEffect, useId, useLayoutEffect, useRef } from "react";
import { useStore } from "zustand";
import type { GameImport } from "../../../contract/game-imports.ts";
import { formatCount } from "../../../values/counts.ts";
import { givenBy } from "../../kit/form/pasted-table.ts";
import { KeyCap } from "../../kit/keys/key-cap.tsx";
import { SheetButtons, SheetFrame } from "../../kit/sheets/sheet-frame.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { ImportLines } from "./import-lines.tsx";
import type { GameImportWork } from "./import-work.ts";

interface ImportSheetProps {
  readonly work: GameImportWork;
  onClose(): void;
}

/** Games on their way in: pasted lines or a file, what becomes of each line, and then how far the writing is. */
export function ImportSheet({ work, onClose }: ImportSheetProps) {
  const t = useText();
  const { file, busy, refused } = useStore(work.store);
  const body = useRef<HTMLDivElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const state = file?.state ?? null;
  const isStaged = state === "staged";
  useEffect(() => () => work.close(), [work]);
  // what had the focus goes as the import goes on
  useLayoutEffect(() => {
    const at = document.activeElement;
    if (state !== null && (at === null || at === document.body || at.matches(".sheet-foot *"))) body.current?.focus();
  }, [state]);

  const take = (data: DataTransfer | null): boolean => {
    const found = givenBy(data);
    if (found !== null && (file === null || isStaged)) void work.give(found);
    return found !== null;
  };
  const onPaste = (event: ClipboardEvent) => void (take(event.clipboardData) && event.preventDefault());
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
    return state === "running" || state === "waiting" ? undefined : onClose();
  };
  const why = whyNot(file, busy);
  return (
    <SheetFrame
      wide
      first={body}
      dialog={{ name: "form", acts: { confirm, close: leave, toggle: () => undefined } }}
      title={t("game-import.title")}
      foot={
        <Foot file={file} refused={why === null ? null : t(why)} onConfirm={confirm} onLeave={leave} onStop={() => void work.cancel()} />
      }
    >
      <div
        className="game-import"
        ref={body}
        tabIndex={-1}
        onPaste={onPaste}
        onDrop={onDrop}
        onDragOver={(event) => event.preventDefault()}
      >
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
              {t(file === null ? "game-import.choose" : "game-import.other")}
            </button>
            <span className="t2">{t("game-import.or-paste")}</span>
          </div>
        )}
        {file === null && <p className="t2">{t("game-import.columns")}</p>}
        {refused !== null && (
          <p className="fail" role="alert">
            {refused}
          </p>
        )}
        <p className={busy && file === null ? "t2" : "sr"} role="status">
          {busy ? t("game-import.reading") : ""}
        </p>
        {file !== null && !isStaged && <Progress file={file} />}
        {file !== null && <ImportLines work={work} file={file} />}
      </div>
    </SheetFrame>
  );
}

function Progress({ file: { state, done, total, pictures_failed: failed } }: { readonly file: GameImport }) {
  const t = useText();
  const label = useId();
  return (
    <>
      <p id={label} role="status">
        {t(`game-import.state.${state}`, { done: formatCount(done), of: formatCount(total) })}
        {failed > 0 && <span className="warn"> {t("game-import.pictures-failed", { count: failed })}</span>}
      </p>
      <progress max={Math.max(1, total)} value={done} aria-labelledby={label} />
    </>
  );
}

/** Why the import cannot be started yet; null: it can, or there is nothing to start. */
function whyNot(file: GameImport | null, busy: boolean) {
  if (busy) return "game-import.reading" as const;
  return file?.state === "staged" && file.counts.new + file.counts.changed === 0 ? ("game-import.nothing-new" as const) : null;
}

interface FootProps {
  readonly file: GameImport | null;
  readonly refused: string | null;
  onConfirm(): void;
  onLeave(): void;
  onStop(): void;
}

/** Each state has buttons of its own: a second Enter must not press what has come in the place of "Add". */
function Foot({ file, refused, onConfirm, onLeave, onStop }: FootProps) {
  const t = useText();
  if (file === null)
    return <SheetButtons label={t("game-import.choose")} chord="$mod+Enter" refused={refused} onConfirm={onConfirm} onCancel={onLeave} />;
  if (file.state === "waiting" || file.state === "running") {
    return (
      <>
        <button type="button" className="btn no" onClick={onStop}>
          {t("game-import.stop")}
        </button>
        <button type="button" className="btn" onClick={onLeave}>
          {t("game-import.leave-running")}
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
      label={t("game-import.start", { count: file.counts.new + file.counts.changed })}
      chord="$mod+Enter"
      refused={refused}
      onConfirm={onConfirm}
      onCancel={onLeave}
    />
  );
}
