import { useRef } from "react";
import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";
import { Facts, Rows } from "./bulk-sheet.tsx";
import { onlyKeys } from "./grave-sheet.tsx";
import { SheetButtons, SheetFrame } from "./sheet-frame.tsx";
import type { SheetProps } from "./sheet-props.ts";

/** What is about to be made: figures, warnings, first lines, and what is left out. */
export function PreviewSheet({ asked, answer }: SheetProps<"preview">) {
  const t = useText();
  const body = useRef<HTMLDivElement>(null);
  const confirm = (): void => answer(true);
  const cancel = (): void => answer(null);
  return (
    <SheetFrame
      wide
      first={body}
      dialog={{ name: "bulk", acts: { confirm, close: cancel, toggle: () => undefined }, deafToEnter: true }}
      title={t(asked.title, asked.words)}
      foot={
        <>
          <span className="label grow">{t("sheet.only-mod-enter", { keys: onlyKeys() })}</span>
          <SheetButtons label={t(asked.yes)} chord="$mod+Enter" onConfirm={confirm} onCancel={cancel} />
        </>
      }
    >
      <div ref={body} tabIndex={-1} className="bulk">
        <Facts facts={asked.facts} />
        {asked.notes.length > 0 && (
          <ul className="sheet-notes" role="alert">
            {asked.notes.map((note) => (
              <li key={note}>
                <Icon name="warn" size="s" className="warn" />
                {note}
              </li>
            ))}
          </ul>
        )}
        {asked.lines.length > 0 && <Lines lines={asked.lines} />}
        <Rows title={t("sheet.bulk.left-out", { count: asked.skipped.length })} tone="t2" rows={asked.skipped} />
      </div>
    </SheetFrame>
  );
}

/** As the file has them, whichever way the page runs; they scroll, so they take the focus. */
function Lines({ lines }: { readonly lines: readonly string[] }) {
  const t = useText();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled text is read by its keys
    <pre className="sheet-lines" dir="ltr" tabIndex={0} aria-label={t("sheet.preview.lines")}>
      {lines.join("\n")}
    </pre>
  );
}
