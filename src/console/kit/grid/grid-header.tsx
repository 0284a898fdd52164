import { useSyncExternalStore, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../look/icon.tsx";
import { headerCellId } from "./cursor-boxes.ts";
import type { GridRow, Sort } from "./grid-column.ts";
import type { GridCore } from "./grid-core.ts";
import type { ShownColumn } from "./fitted-columns.ts";
import { storeysOf } from "./storeys.ts";
import { roughWidth } from "./title-width.ts";

interface HeaderProps<Row extends GridRow> {
  id: string;
  columns: readonly ShownColumn<Row>[];
  sort: readonly Sort[];
  marks: boolean;
  /** Whether its columns have a menu on this screen. */
  hasMenu: boolean;
  core: GridCore<Row>;
}

/**
 * The header row; rendered by React, because it changes only with the columns and the sort. Keys reach it through the handle, the
 * pointer through the core.
 */
export function GridHeader<Row extends GridRow>({ id, columns, sort, marks, hasMenu, core }: HeaderProps<Row>): ReactNode {
  const { t } = useTranslation();
  const first = marks ? 2 : 1;
  const storeys = storeysOf(columns);
  return (
    <div role="rowgroup" className="head-rows">
      {storeys.length > 0 && (
        <div className="row up" aria-hidden="true">
          {marks && <div className="mk" />}
          {storeys.map(({ key, first: at, pinned }, index) => (
            <div
              key={at}
              className={["cell", `u${index}`, key === null ? "bare" : "shared", pinned && `pin-${pinned}`].filter(Boolean).join(" ")}
            >
              {key !== null && <span>{t(key)}</span>}
            </div>
          ))}
        </div>
      )}
      <div className="row hd" role="row" aria-rowindex={1}>
        {marks && <MarkAll core={core} />}
        {columns.map(({ column, pinned, width }, index) => {
          const title = t(column.under?.titleKey ?? column.titleKey);
          const order = sort.findIndex((one) => one.id === column.id);
          const sorted = sort[order];
          const ariaSort = sorted ? (sorted.desc ? "descending" : "ascending") : column.sortable ? "none" : undefined;
          const names = [
            "cell",
            `c${index}`,
            column.align === "end" && "num",
            pinned && `pin-${pinned}`,
            sorted && "sorted",
            column.sortable && "sortable",
          ];
          return (
            <div
              key={column.id}
              id={headerCellId(id, index)}
              className={names.filter(Boolean).join(" ")}
              role="columnheader"
              aria-colindex={index + first}
              aria-label={column.under && t(column.titleKey)}
              aria-sort={ariaSort}
              aria-haspopup={hasMenu ? "menu" : undefined}
            >
              <span className={roughWidth(title) > width - 16 - (sorted ? 24 : 0) ? "title clip" : "title"}>{title}</span>
              {sorted && <Icon name={sorted.desc ? "down" : "up"} size="xs" />}
              {sorted && sort.length > 1 && <sup>{order + 1}</sup>}
              {hasMenu && (
                <span className="column-menu" aria-hidden="true" title={t("command.header.menu")}>
                  <Icon name="dots" size="xs" />
                </span>
              )}
              <span className="edge" aria-hidden="true" />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function MarkAll<Row extends GridRow>({ core }: { core: GridCore<Row> }): ReactNode {
  const { t } = useTranslation();
  const part = useSyncExternalStore(core.marks.onPart, core.marks.part);
  return (
    <div className="mk" role="columnheader" aria-colindex={1}>
      <span className="sr">{t("grid.marks")}</span>
      <span className={`box ${part}`} />
    </div>
  );
}
