import "./panes.css";
import type { ReactNode, RefObject } from "react";
import { useEffect, useRef } from "react";
import type { PaneName } from "./pane-store.ts";
import { useSide } from "./side-context.ts";
import { useText } from "../texts/texts.ts";
import { useKit } from "../use-kit.ts";

interface PaneProps {
  readonly name: PaneName;
  readonly as?: "section" | "nav" | "aside" | "div";
  readonly className?: string;
  /** For usePane, which publishes what the pane shows. */
  readonly innerRef?: RefObject<HTMLElement | null>;
  /** Replaces the pane's own name. */
  readonly label?: string;
  readonly children: ReactNode;
}

/**
 * A named landmark of the frame, reached by F6 and `w …`; the focus returns to its last focused element, or the first time to an
 * element with `data-pane-focus`.
 */
export function Pane({ name, as: Tag = "section", className, innerRef, label, children }: PaneProps) {
  const t = useText();
  const { panes } = useKit();
  const { side } = useSide();
  const named = label ?? t(`pane.${name}`);
  const own = useRef<HTMLElement>(null);
  const ref = innerRef ?? own;
  useEffect(() => (ref.current === null ? undefined : panes.place(name, ref.current)), [panes, name, ref]);
  return (
    <Tag
      ref={(element: HTMLElement | null) => {
        ref.current = element;
      }}
      className={className === undefined ? "pane" : `pane ${className}`}
      role={Tag === "div" || Tag === "section" ? "region" : undefined}
      aria-label={side === "main" ? named : t("pane.beside", { pane: named })}
      tabIndex={-1}
      data-pane={name}
    >
      {children}
    </Tag>
  );
}
