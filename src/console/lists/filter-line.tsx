import "./filter-line.css";
import { useMemo, useState } from "react";
import { CommandKey } from "../kit/look/command-button.tsx";
import { Icon } from "../kit/look/icon.tsx";
import { useText } from "../kit/texts/texts.ts";
import { useKit } from "../kit/use-kit.ts";
import { useFilterRecords, useSeenRecords } from "./filter-records.ts";
import { chosenFilters, filterWords, isChosen, longestOf } from "./filters.ts";
import type { Filters, ListFilter } from "./filters.ts";
import type { FindFieldProps } from "./find-field.tsx";
import { FindField } from "./find-field.tsx";
import { queryFields } from "./query-fields.ts";

export interface FilterLineProps<Row> extends Pick<FindFieldProps, "keyOf" | "fieldRef" | "onLeave"> {
  readonly filters: readonly ListFilter<Row>[];
  readonly set: Filters;
  /** Those loaded: some filters' words come from them. */
  readonly rows: readonly Row[];
  onFilters(set: Filters): void;
}

const chosenValue = (filter: ListFilter<never>, set: Filters): (readonly [string, string])[] => {
  const value = set[filter.name];
  return value !== undefined && isChosen(filter, set) ? [[filter.name, value]] : [];
};

/** The button that takes the next chip off, else null. */
function offBehind(button: HTMLElement): HTMLElement | null {
  const all = [...(button.closest(".filter-line")?.querySelectorAll<HTMLElement>(".chip-off") ?? [])];
  return all[all.indexOf(button) + 1] ?? null;
}

/** A list's query line, and what is asked for by it or by other means as chips, each of which can be taken off. */
export function FilterLine<Row>({ filters, set, rows, keyOf, fieldRef, onFilters, onLeave }: FilterLineProps<Row>) {
  const t = useText();
  const kit = useKit();
  const without = (name: string): Filters => Object.fromEntries(Object.entries(set).filter(([other]) => other !== name));
  const [isTyped, setTyped] = useState(false);
  const isSet = filters.some(({ name, record }) => record?.to && set[name] !== undefined);
  const { known, isReady } = useFilterRecords(filters, isTyped || isSet);
  const seen = useSeenRecords(filters, rows, known);
  const fields = useMemo(() => queryFields(filters, rows, seen), [filters, rows, seen]);
  const chosen = useMemo(() => Object.fromEntries(filters.flatMap((filter) => chosenValue(filter, set))), [filters, set]);
  /** The button goes with its chip, and would take the focus with it. */
  const takeOff = (name: string, button: HTMLElement): void => {
    const next = offBehind(button);
    onFilters(without(name));
    if (next === null) onLeave(false);
    else next.focus();
  };
  const search = filters.find(({ name }) => name === "q");
  return (
    <div className="filter-line">
      {search && (
        <FindField
          label={t(search.title)}
          keyOf={keyOf}
          longest={longestOf(search)}
          fields={fields}
          set={chosen}
          areRecordsKnown={isReady}
          onRecords={() => setTyped(true)}
          fieldRef={fieldRef}
          onFind={onFilters}
          onLeave={onLeave}
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
              <button type="button" className="chip-off" onClick={({ currentTarget }) => takeOff(name, currentTarget)}>
                <Icon name="close" size="xs" />
                <span className="sr">{t("record.filter.remove", { name: t(title) })}</span>
              </button>
            )}
          </span>
        );
      })}
    </div>
  );
}
