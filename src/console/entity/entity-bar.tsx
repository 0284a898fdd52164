import { CommandButton, CommandKey } from "../kit/command-button.tsx";
import { Icon } from "../kit/icon.tsx";
import { Pane } from "../kit/panes.tsx";
import { useText } from "../kit/texts.ts";
import { useKit } from "../kit/use-kit.ts";
import type { ViewsHandle } from "../kit/views.ts";
import { ViewTabs } from "../views/view-tabs.tsx";
import type { Entity } from "./entity.ts";
import { choiceKey, labelKey } from "./entity.ts";
import type { Filters } from "./filters.ts";
import { FindField } from "./find-field.tsx";

export interface EntityBarProps {
  readonly entity: Entity;
  readonly views: ViewsHandle;
  readonly filters: Filters;
  readonly count: number | null;
  findRef(element: HTMLInputElement | null): void;
  onFilters(filters: Filters): void;
}

/** The find field, filter chips, how many there are, and the way to a new one. */
export function EntityBar({ entity, views, filters, count, findRef, onFilters }: EntityBarProps) {
  const t = useText();
  const kit = useKit();
  const without = (name: string): Filters => Object.fromEntries(Object.entries(filters).filter(([other]) => other !== name));
  const chips = entity.filters.filter(({ field }) => filters[field] !== undefined);
  const words = (field: string, value: string): string => {
    const key = choiceKey(entity, field, value);
    return key === null ? value : t(key);
  };
  return (
    <Pane name="filters" as="div" className="views-pane">
      <div className="views">
        <ViewTabs views={views} />
        <FindField
          label={t("record.filter.q")}
          keyOf={`${entity.subject}.find`}
          longest={60}
          value={filters["q"] ?? ""}
          fieldRef={findRef}
          onFind={(q) => onFilters(q === "" ? without("q") : { ...filters, q })}
        />
        {chips.map(({ field, choices }) => {
          const value = filters[field] ?? "";
          const shown = choices ? value.split(",").map((one) => words(field, one)) : [value];
          return (
            <span key={field} className="chip">
              {t(labelKey(entity, field))} <b className="cut">{shown.join(", ")}</b>
              <button type="button" className="chip-off" onClick={() => onFilters(without(field))}>
                <Icon name="close" size="xs" />
                <span className="sr">{t("record.filter.remove", { name: t(labelKey(entity, field)) })}</span>
              </button>
            </span>
          );
        })}
        <button type="button" className="chip add opt" onClick={() => kit.run(`${entity.subject}.filter`, "button")}>
          <Icon name="plus" size="xs" />
          {t("record.filter.add")}
          <CommandKey id={`${entity.subject}.filter`} />
        </button>
        <span className="sum end">{count !== null && t("record.rows", { count })}</span>
        <CommandButton id={`${entity.subject}.create`} icon="plus" className="create" />
      </div>
    </Pane>
  );
}
