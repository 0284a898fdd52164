import type { Place } from "../api/place.ts";
import type { GridHandle } from "../kit/grid/grid-handle.ts";
import type { Services } from "../kit/services.ts";
import { text } from "../kit/texts.ts";
import type { RecordDesk } from "./desk.ts";
import type { Entity, Filter, RecordRow } from "./entity.ts";
import { choiceKey, fieldOf, labelKey } from "./entity.ts";
import type { Asked } from "./filters.ts";
import { filterNames, filterSearch, isReadable } from "./filters.ts";

export interface DeskDoors {
  readonly entity: Entity;
  readonly services: Services;
  /** The screen as it is at the moment a command asks. */
  now(): { readonly asked: Asked; readonly place: Place };
  grid(): GridHandle<RecordRow> | null;
  findField(): HTMLInputElement | null;
  openForm(uuid: string | null): void;
  showHistory(): void;
}

const most = 60;

/** Lends the commands what only this screen knows. */
export function makeDesk({ entity, services, now, grid, findField, openForm, showHistory }: DeskDoors): RecordDesk {
  /** In the order they were set here; the rest by their names' order. */
  let lately: string[] = [];

  const set = (name: string, value: string): void => {
    lately = [...lately.filter((other) => other !== name), name];
    now().place.set({ [name]: value, record: null }, true);
  };
  const target = (): Filter<RecordRow> | null => {
    const column = grid()?.columnUnderCursor()?.id;
    return entity.filters.find(({ field }) => field === column) ?? null;
  };
  const option = (id: string, label: string) => ({ id, label, note: "", refused: null });

  async function ask(filter: Filter<RecordRow>): Promise<string | null> {
    const title = { title: "record.ask.filter", words: { column: text(labelKey(entity, filter.field)) } } as const;
    if (filter.choices) {
      const options = filter.choices.map((value) => {
        const key = choiceKey(entity, filter.field, value);
        return option(value, key === null ? value : text(key));
      });
      return services.ask("choice", { ...title, options });
    }
    const initial = now().asked.filters[filter.field] ?? "";
    return services.ask("text", { ...title, initial, maximum: most, hint: "record.ask.filter-hint" });
  }

  return {
    create: () => openForm(null),
    edit: openForm,
    showHistory,
    find() {
      const field = findField();
      field?.focus();
      field?.select();
    },
    unfiltered: () => (target() === null ? "record.refuse.no-filter-here" : null),
    async filterColumn() {
      let filter = target();
      if (filter === null) {
        const options = entity.filters.map(({ field }) => option(field, text(labelKey(entity, field))));
        const chosen = await services.ask("choice", { title: "record.ask.which-filter", words: {}, options });
        filter = entity.filters.find(({ field }) => field === chosen) ?? null;
      }
      if (filter === null) return;
      const value = await ask(filter);
      if (value === null) return;
      if (value === "") now().place.set({ [filter.field]: null, record: null }, true);
      else set(filter.field, value);
    },
    filterByValue() {
      const filter = target();
      const row = grid()?.cursorRow() ?? null;
      if (filter === null || row === null) return;
      const value = filter.value ? filter.value(row) : String(fieldOf(row, filter.field) ?? "");
      if (isReadable(entity, filter.field, value)) set(filter.field, value);
    },
    dropFilter() {
      const { filters } = now().asked;
      const is = (name: string) => filters[name] !== undefined;
      const last = lately.findLast(is) ?? filterNames(entity).findLast(is);
      if (last === undefined) return;
      lately = lately.filter((name) => name !== last);
      now().place.set({ [last]: null, record: null }, true);
    },
    reset: () => now().place.set({ ...filterSearch(entity, {}), sort: null, record: null }, true),
    hasFilters: () => Object.keys(now().asked.filters).length > 0,
  };
}
