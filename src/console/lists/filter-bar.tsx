import "../views/views.css";
import type { ReactNode } from "react";
import { formatCount } from "../../values/counts.ts";
import { CommandKey } from "../kit/look/command-button.tsx";
import { Icon } from "../kit/look/icon.tsx";
import { Pane } from "../kit/panes/panes.tsx";
import { useText } from "../kit/texts/texts.ts";
import { useKit } from "../kit/use-kit.ts";
import { ViewTabs } from "../views/view-tabs.tsx";
import type { FilterLineProps } from "./filter-line.tsx";
import { FilterLine } from "./filter-line.tsx";

type TabsProps = Parameters<typeof ViewTabs>[0];

export interface FilterBarProps<Row> extends TabsProps, Pick<FilterLineProps<Row>, "filters" | "set" | "rows" | "onFilters"> {
  readonly count: number | null;
  /** What the rows come to, beside their count. */
  readonly sum?: ReactNode;
  readonly children?: ReactNode;
  findRef(element: HTMLInputElement | null): void;
}

/** Views, the find field, filter chips, and how many rows there are. */
export function FilterBar<Row>(props: FilterBarProps<Row>) {
  const { filters, set, rows, count, sum, children, findRef, onFilters, ...tabs } = props;
  const t = useText();
  const kit = useKit();
  return (
    <Pane name="filters" as="div" className="views-pane">
      <div className="views">
        <ViewTabs {...tabs} />
        <FilterLine
          filters={filters}
          set={set}
          rows={rows}
          keyOf="list.find"
          fieldRef={findRef}
          onFilters={onFilters}
          onLeave={() => kit.services.shell.focusPane("list")}
        />
        <button type="button" className="chip add" onClick={() => kit.run("list.filter", "button")}>
          <Icon name="plus" size="xs" />
          <span>{t("record.filter.add")}</span>
          <CommandKey id="list.filter" />
        </button>
        <span className="sum end">
          {count !== null && t("record.rows", { count, shown: formatCount(count) })}
          {sum}
        </span>
        {children}
      </div>
    </Pane>
  );
}
