import { Dialog } from "@blueprintjs/core";
import type { ReactNode, RefObject } from "react";
import { useId, useRef } from "react";
import type { OpenDialog } from "./context.ts";
import { KeyCap } from "./key-cap.tsx";
import { useText } from "./texts.ts";
import { useDialog } from "./use-dialog.ts";

export interface SheetFrameProps {
  readonly dialog: OpenDialog;
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons at the foot. */
  readonly foot?: ReactNode;
  /** Takes the focus first; else the sheet's body. */
  readonly first?: RefObject<HTMLElement | null>;
  readonly wide?: boolean;
  /** Something irreversible is asked: read out at once. */
  readonly urgent?: boolean;
}

/** A dialog of the console; its keys come from `dialog.acts`. */
export function SheetFrame(props: SheetFrameProps) {
  const title = useId();
  return (
    <Dialog
      isOpen
      className={props.wide === true ? "sheet wide" : "sheet"}
      backdropClassName="sheet-veil"
      role={props.urgent === true ? "alertdialog" : "dialog"}
      aria-labelledby={title}
      autoFocus={false}
      canEscapeKeyClose={false}
      canOutsideClickClose={false}
      shouldReturnFocusOnClose={false}
      transitionDuration={0}
    >
      <SheetInside {...props} titleId={title} />
    </Dialog>
  );
}

/** Inside the portal, so that its first element is there when the focus is set. */
function SheetInside({ dialog, title, titleId, children, foot, first }: SheetFrameProps & { titleId: string }) {
  const t = useText();
  const body = useRef<HTMLDivElement>(null);
  useDialog(dialog, first ?? body);
  return (
    <>
      <div className="sheet-head">
        <h2 id={titleId} className="grow">
          {title}
        </h2>
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
    </>
  );
}

/** The button that confirms, with its key; and the one that leaves. */
export function SheetButtons({
  label,
  chord,
  onConfirm,
  onCancel,
  refused,
}: {
  label: string;
  chord: string;
  onConfirm: () => void;
  onCancel: () => void;
  refused?: string | null;
}) {
  const t = useText();
  return (
    <>
      <button type="button" className="btn" onClick={onCancel}>
        {t("sheet.cancel")}
        <KeyCap chord="Escape" />
      </button>
      <button
        type="button"
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
