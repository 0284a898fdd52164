import "./sheets.css";
import { Classes, Dialog } from "@blueprintjs/core";
import type { FocusEvent, ReactNode, RefObject } from "react";
import { useId, useRef } from "react";
import { createPortal } from "react-dom";
import type { OpenDialog } from "../commands/context.ts";
import { KeyCap } from "../keys/key-cap.tsx";
import { useText } from "../texts/texts.ts";
import { useDialog } from "./use-dialog.ts";
import { useKit } from "../use-kit.ts";

interface SheetFrameProps {
  readonly dialog: OpenDialog;
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons at the foot. */
  readonly foot?: ReactNode;
  /** Takes the focus first; by default the sheet's body. */
  readonly first?: RefObject<HTMLElement | null>;
  readonly wide?: boolean;
  /** Takes the place of the page, between header and status bar. */
  readonly full?: boolean;
  /** Beside the title. */
  readonly head?: ReactNode;
  /** An irreversible act is asked about, so it is announced at once. */
  readonly urgent?: boolean;
}

/**
 * A dialog of the console; its keys come from `dialog.acts`. It does not use Blueprint's portal, which is drawn some tasks later:
 * a key pressed meanwhile would reach the page.
 */
export function SheetFrame({ dialog, title, children, foot, first, wide, full, head, urgent }: SheetFrameProps) {
  const t = useText();
  const titleId = useId();
  const body = useRef<HTMLDivElement>(null);
  useDialog(dialog, first ?? body);
  const { context } = useKit();
  /** Moves the focus on when it returns to Blueprint's empty element at the head, where no key would be typed. */
  const land = ({ target, currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    const isBack = !currentTarget.contains(relatedTarget) && target.classList.contains(Classes.OVERLAY_START_FOCUS_TRAP);
    if (isBack && context.getState().dialogs.at(-1) === dialog) (first ?? body).current?.focus();
  };
  return createPortal(
    <div className={full === true ? "bp6-portal sheet-place is-full" : "bp6-portal sheet-place"} onFocus={land}>
      <Dialog
        isOpen
        lazy={false}
        usePortal={false}
        className={full === true ? "sheet full" : wide === true ? "sheet wide" : "sheet"}
        backdropClassName="sheet-veil"
        role={urgent === true ? "alertdialog" : "dialog"}
        aria-labelledby={titleId}
        autoFocus={false}
        canEscapeKeyClose={false}
        canOutsideClickClose={false}
        shouldReturnFocusOnClose={false}
        transitionDuration={0}
      >
        <div className="sheet-head">
          <h2 id={titleId} className={head === undefined ? "grow" : undefined}>
            {title}
          </h2>
          {head}
          {dialog.acts.close !== undefined && (
            <button type="button" className="sheet-close" onClick={dialog.acts.close}>
              <span className="sr">{t("sheet.close")}</span>
              <KeyCap chord="Escape" />
            </button>
          )}
        </div>
        <div className="sheet-body" ref={body} tabIndex={-1}>
          {children}
        </div>
        {foot !== undefined && <div className="sheet-foot">{foot}</div>}
      </Dialog>
    </div>,
    document.body,
  );
}

/** The confirming button with its key, and the cancelling one. */
export function SheetButtons({
  label,
  chord,
  onConfirm,
  onCancel,
  refused,
  cancel,
  cancelChord = "Escape",
}: {
  label: string;
  /** By default Cancel. */
  cancel?: string;
  chord: string;
  /** null: no key of its own. */
  cancelChord?: string | null;
  /** By default the button submits its form. */
  onConfirm?: (() => void) | undefined;
  onCancel: () => void;
  refused?: string | null;
}) {
  const t = useText();
  return (
    <>
      <button type="button" className="btn" onClick={onCancel}>
        {cancel ?? t("sheet.cancel")}
        {cancelChord !== null && <KeyCap chord={cancelChord} />}
      </button>
      <button
        type={onConfirm === undefined ? "submit" : "button"}
        className="btn go"
        aria-disabled={refused == null ? undefined : true}
        title={refused ?? undefined}
        onClick={onConfirm}
      >
        {label}
        <KeyCap chord={chord} />
      </button>
    </>
  );
}
