import { useLayoutEffect, useRef, type ReactNode, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../look/icon.tsx";
import type { ShownColumn } from "./fitted-columns.ts";

/** The totals of a part of the rows, under its own name. */
export interface SubTotals {
  readonly name: string;
  /** By column, as it is written. */
  readonly totals: Readonly<Record<string, string>>;
}

/** Whether the figures of the totals row agree with each other, in words. */
export interface TotalsProof {
  readonly holds: boolean;
  readonly text: string;
}

interface TotalsRowProps<Row> {
  readonly columns: readonly ShownColumn<Row>[];
  readonly marks: boolean;
  /** By column, as it is written. */
  readonly totals: Readonly<Record<string, string>>;
  /** Rows above it. */
  readonly parts?: readonly SubTotals[] | undefined;
  readonly proof?: TotalsProof | undefined;
  /** Where the rows scroll: the totals go sideways with them. */
  readonly scroller: RefObject<HTMLElement | null>;
}

/**
 * The totals of all rows of the query, under their columns and always in view. It stands outside the element with role=grid, because the
 * cursor cannot go to it, and is read aloud as one sentence whenever it changes.
 */
export function TotalsRow<Row>({ columns, marks, totals, parts = [], proof, scroller }: TotalsRowProps<Row>): ReactNode {
  const { t } = useTranslation();
  const view = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const rows = scroller.current;
    if (rows === null) return undefined;
    const follow = () => view.current?.scrollTo({ left: rows.scrollLeft });
    follow();
    rows.addEventListener("scroll", follow, { passive: true });
    return () => rows.removeEventListener("scroll", follow);
  });
  const name = proof === undefined || proof.holds ? t("grid.totals") : proof.text;
  const named = columns.filter(({ column }) => column.id in totals);
  const label = columns.findIndex(({ column }) => !(column.id in totals));
  const told = named.map(({ column }) => `${t(column.titleKey)} ${totals[column.id]}`);
  return (
    <div className="totals">
      <div ref={view} className="across" aria-hidden="true">
        <div className="rows">
          {[...parts, { name, totals, proof }].map((line) => (
            <div key={line.name} className="row">
              {marks && <div className="mk" />}
              {columns.map(({ column, pinned }, index) => {
                const names = ["cell", `c${index}`, column.align === "end" && "num", pinned && `pin-${pinned}`];
                return (
                  <div key={column.id} className={names.filter(Boolean).join(" ")}>
                    {index === label ? <Name {...line} /> : <bdi>{line.totals[column.id]}</bdi>}
                  </div>
                );
              })}
            </div>
          ))}
        </div>
      </div>
      <p className="sr" role="status" aria-atomic="true">
        {told.length > 0 && [name, ...told].join(" · ")}
      </p>
    </div>
  );
}

function Name({ name, proof }: { readonly name: string; readonly proof?: TotalsProof | undefined }): ReactNode {
  if (proof === undefined) return <span>{name}</span>;
  const { holds, text } = proof;
  return (
    <span className={`proof ${holds ? "pass" : "fail"}`} title={text}>
      <Icon name={holds ? "tick" : "warn"} size="xs" />
      <span className={holds ? "t1" : undefined}>{name}</span>
    </span>
  );
}
