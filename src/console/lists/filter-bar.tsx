import "../views/views.css";
import type { ReactNode } from "react";
import { useMemo, useState } from "react";
import { formatCount } from "../../values/counts.ts";
import { CommandKey } from "../kit/look/command-button.tsx";
import { Icon } from "../kit/look/icon.tsx";
import { Pane } from "../kit/panes/panes.tsx";
import { useText } from "../kit/texts/texts.ts";
import { useKit } from "../kit/use-kit.ts";
import { ViewTabs } from "../views/view-tabs.tsx";
import { useFilterRecords, useSeenRecords } from "./filter-records.ts";
import { chosenFilters, filterWords, isChosen, longestOf } from "./filters.ts";
import type { Filters, ListFilter } from "./filters.ts";
import { FindField } from "./find-field.tsx";
import { queryFields } from "./query-fields.ts";

type TabsProps = Parameters<typeof ViewTabs>[0];

export interface FilterBarProps<Row> extends TabsProps {
  readonly filters: readonly ListFilter<Row>[];
  readonly set: Filters;
  /** Those loaded: some filters' words come from them. */
  readonly rows: readonly Row[];
  readonly count: number | null;
  /** What the rows come to, beside their count. */
  readonly sum?: ReactNode;
  readonly children?: ReactNode;
  findRef(element: HTMLInputElement | null): void;
  onFilters(set: Filters): void;
}

const chosenValue = (filter: ListFilter<never>, set: Filters): (readonly [string, string])[] => {
  const value = set[filter.name];
  return value !== undefined && isChosen(filter, set) ? [[filter.name, value]] : [];
};

/** Views, the find field, filter chips, and how many rows there are. */
export function FilterBar<Row>(props: FilterBarProps<Row>) {
  const { filters, set, rows, count, sum, children, findRef, onFilters, ...tabs } = props;
  const t = useText();
  const kit = useKit();
  const without = (name: string): Filters => Object.fromEntries(Object.entries(set).filter(([other]) => other !== name));
  const [isTyped, setTyped] = useState(false);
  const isSet = filters.some(({ name, record }) => record?.to && set[name] !== undefined);
  const { known, isReady } = useFilterRecords(filters, isTyped || isSet);
  const seen = useSeenRecords(filters, rows, known);
  const fields = useMemo(() => queryFields(filters, rows, seen), [filters, rows, seen]);
  const chosen = useMemo(() => Object.fromEntries(filters.flatMap((filter) => chosenValue(filter, set))), [filters, set]);
  const search = filters.find(({ name }) => name === "q");
  return (
    <Pane name="filters" as="div" className="views-pane">
      <div className="views">
        <ViewTabs {...tabs} />
        {search && (
          <FindField
            label={t(search.title)}
            keyOf="list.find"
            longest={longestOf(search)}
            fields={fields}
            set={chosen}
            areRecordsKnown={isReady}
            onRecords={() => setTyped(true)}
            fieldRef={findRef}
            onFind={onFilters}
          />
        )}
        {chosenFilters(filters).map((filter) => {
          const { name, title, initial } = filter;
          const value = set[name];
          if (value === undefined) return null;
          const words = (
            <>
              {t(title)} <b className="cut">{filterWords(filter, value, rows, seen)}</b>
            </>
          );
          return (
            <span key={name} className="chip">
              {initial === undefined ? (
                words
              ) : (
                <button type="button" className="chip-ask" aria-haspopup="dialog" onClick={() => kit.run("list.window", "button")}>
                  {words}
                  <CommandKey id="list.window" />
                </button>
              )}
              {isChosen(filter, set) && (
                <button type="button" className="chip-off" onClick={() => onFilters(without(name))}>
                  <Icon name="close" size="xs" />
                  <span className="sr">{t("record.filter.remove", { name: t(title) })}</span>
                </button>
              )}
            </span>
          );
        })}
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
