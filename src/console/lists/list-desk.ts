import { exportRoutesOf } from "../../contract/exports.ts";
import type { Permission } from "../../contract/permissions.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { Formats } from "../api/formats.ts";
import type { Place } from "../api/place.ts";
import type { Reason } from "../kit/commands/command.ts";
import type { LinkedPlace, ListDesk, RecordRow } from "../kit/commands/desks.ts";
import type { GridRow } from "../kit/grid/grid-column.ts";
import type { MessageKey } from "../kit/texts/messages.ts";
import type { Services } from "../kit/commands/services.ts";
import { text } from "../kit/texts/texts.ts";
import { plainMoment, spokenMoment } from "../../values/moments.ts";
import {
  chosenFilters,
  filterSearch,
  filterWords,
  isChosen,
  isReadable,
  longestValue,
  momentWord,
  recordsOf,
  soleValue,
} from "./filters.ts";
import type { FilterOption, Filters, ListFilter } from "./filters.ts";
import type { FilterRecords } from "./filter-records.ts";
import type { ListPanes } from "./list-panes.ts";

/** The screen as it is at the moment a command asks. */
export interface ListNow {
  readonly asked: { readonly filters: Filters };
  readonly place: Place;
  readonly formats: Formats;
}

/** How a list with tiles is drawn is kept in its address, and so in its saved views. */
const shapeParam = "shape";
export const inTiles = (place: Pick<Place, "get">): boolean => place.get(shapeParam) === "tiles";

export interface ListDeskDeps<Row extends GridRow> {
  readonly screen: ScreenName;
  /** The right to see the list. */
  readonly view: Permission;
  readonly filters: readonly ListFilter<Row>[];
  /** What its filters by a record may name. */
  readonly records: FilterRecords;
  readonly services: Services;
  readonly panes: ListPanes<Row>;
  /** The list's present query, as it is sent. */
  query(): object;
  /** Its filters are the page's own, of rows it has all. */
  readonly filtersHere?: true;
  /** The view that chooses its rows besides the filters, as people call it; left out: views are filters. */
  viewName?(): string;
  /** Left out: its records have one. */
  readonly history?: false;
  /** Opens the record above; left out: no list is above. */
  up?(): void;
  /** Its rows have tiles. */
  readonly tiles?: boolean;
  /** The screen of the record that a line belongs to; left out: lines are records themselves. */
  linked?(row: RecordRow): LinkedPlace | null;
  now(): ListNow;
}

const hints = {
  amount: "list.ask.hint.amount",
  time: "list.ask.hint.time",
  text: "record.ask.filter-hint",
} as const satisfies Record<string, MessageKey>;

const option = (one: FilterOption) => ({ ...one, refused: null });

/** As an address would have them. */
const sentTexts = (query: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));

/** The desk of a list with these filters, kept in its address. */
export function listDesk<Row extends GridRow>(deps: ListDeskDeps<Row>): ListDesk {
  const { screen, view, filters, records, services, panes, history, up, tiles = false, linked, now } = deps;
  /** Names in the order they were set here; the rest by their own order. */
  let lately: string[] = [];

  const set = (name: string, value: string): void => {
    lately = [...lately.filter((other) => other !== name), name];
    now().place.set({ [name]: value, record: null }, true);
  };
  const drop = (name: string): void => now().place.set({ [name]: null, record: null }, true);
  const target = (): ListFilter<Row> | null => {
    const column = panes.grid?.columnUnderCursor()?.id;
    return (column === undefined ? undefined : filters.find(({ name, column: own }) => own === column || name === column)) ?? null;
  };

  async function whichFilter(): Promise<ListFilter<Row> | null> {
    const options = chosenFilters(filters).map(({ name, title }) => option({ id: name, label: text(title), note: "" }));
    const chosen = await services.ask("choice", { title: "record.ask.which-filter", words: {}, aimless: true, options });
    return filters.find(({ name }) => name === chosen) ?? null;
  }

  /** The filter's new text, "" for none; null: as it was. */
  async function ask(filter: ListFilter<Row>): Promise<string | null> {
    const title = { title: "record.ask.filter", words: { column: text(filter.title) }, aimless: true } as const;
    const { rows } = panes.source;
    const set = now().asked.filters;
    const present = isChosen(filter, set) ? (set[filter.name] ?? "") : ""; // an initial value is typed over
    if (filter.choices) {
      // one that is not in the filter joins it, one that is leaves it
      const on = new Set(present.split(","));
      const options = filter.choices.map((id) =>
        option({ id, label: filter.wordOf?.(id, rows) ?? id, note: on.has(id) ? text("record.ask.filter-on") : "" }),
      );
      const chosen = await services.ask("choice", { ...title, options });
      return chosen === null ? null : filter.choices.filter((value) => (value === chosen ? !on.has(value) : on.has(value))).join(",");
    }
    if (filter.record) {
      // without them there are still those of the rows
      const known = await records.load().catch(() => records.known());
      const options = recordsOf(filter, rows, known).map(({ uuid, code, name }) =>
        option({ id: uuid, label: code ?? name, note: code === null || code === name ? "" : name }),
      );
      const me = filter.record.me ? [option({ id: "me", label: text("query.me"), note: "" })] : [];
      if (me.length + options.length > 0) return services.ask("choice", { ...title, options: [...me, ...options] });
    }
    if (filter.optionsOf) {
      const chosen = await services.ask("choice", { ...title, options: filter.optionsOf(rows).map(option) });
      return chosen === null ? null : soleValue(filter, chosen);
    }
    const timely = filter.as === "time";
    const plain = (typed: string): string => (timely ? plainMoment(typed, momentWord) : typed);
    const refuse = (typed: string): Reason | null =>
      typed === "" || isReadable(filter, plain(typed)) ? null : { key: "list.said.filter-unreadable", words: { text: typed } };
    const initial = timely ? spokenMoment(present, momentWord) : present;
    const typed = await services.ask("text", {
      ...title,
      initial,
      maximum: longestValue(filter),
      hint: hints[filter.as ?? "text"],
      refuse,
    });
    return typed === null ? null : plain(typed);
  }

  async function askInto(filter: ListFilter<Row> | null): Promise<void> {
    const value = filter === null ? null : await ask(filter);
    if (filter === null || value === null) return;
    if (value === "") drop(filter.name);
    else set(filter.name, value);
  }
  const routes = exportRoutesOf(screen);
  const window = filters.find(({ initial }) => initial !== undefined);

  return {
    view,
    exports: routes && {
      routes,
      isRow: (line) => panes.isRecord(line as Row), // of this grid
      isHere: deps.filtersHere === true,
      asked: () => ({ params: now().place.params, query: sentTexts(deps.query()) }),
      viewName: () => deps.viewName?.() ?? null,
      filters() {
        const set = now().asked.filters;
        return filters.flatMap((filter): (readonly [string, string])[] => {
          const value = set[filter.name];
          return value === undefined ? [] : [[text(filter.title), filterWords(filter, value, panes.source.rows, records.known())]];
        });
      },
    },
    showHistory: history === false ? null : () => panes.showHistory(),
    find: () => panes.find(),
    unfiltered: () => (target() === null ? "list.refuse.no-filter-here" : null),
    filterColumn: async () => askInto(target() ?? (await whichFilter())),
    changeShape: tiles ? () => now().place.set({ [shapeParam]: inTiles(now().place) ? null : "tiles" }, true) : null,
    askWindow: window === undefined ? null : () => askInto(window),
    filterByValue() {
      const filter = target();
      const row = panes.grid?.cursorRow() ?? null;
      if (filter === null || row === null) return;
      const own = filter.value?.(row) ?? "";
      // the day as its cell shows it
      const value = filter.as === "time" ? now().formats.day(own) : soleValue(filter, own);
      if (isReadable(filter, value)) set(filter.name, value);
      else services.say("list.refuse.nothing-in-cell", {}, "warn");
    },
    dropFilter() {
      const present = now().asked.filters;
      const chosen = filters.filter((filter) => isChosen(filter, present)).map(({ name }) => name);
      const last = [...chosen.filter((name) => !lately.includes(name)), ...lately].findLast((name) => chosen.includes(name));
      if (last === undefined) return;
      lately = lately.filter((name) => name !== last);
      drop(last);
    },
    reset: () => now().place.set({ ...filterSearch(filters, {}), sort: null, record: null }, true),
    hasFilters: () => filters.some((filter) => isChosen(filter, now().asked.filters)),
    up: up ?? null,
    linked: linked ?? null,
  };
}
