import type { RowSource } from "../kit/grid/row-source.ts";
import { leadsByTime } from "../lists/sort-text.ts";
import type { LiveRow, LiveRules } from "./live-rules.ts";

/** Where rows stand in a list that is ordered by a time, told from the rows it holds. */
export class RowPlaces<Row extends LiveRow, Query> {
  readonly #source: RowSource<Row>;
  readonly #rules: LiveRules<Row, Query>;
  readonly #query: () => Query;

  constructor(source: RowSource<Row>, rules: LiveRules<Row, Query>, query: () => Query) {
    this.#source = source;
    this.#rules = rules;
    this.#query = query;
  }

  /** The list's order as time goes: "rising" with the oldest first; null when it is another. */
  byTime(): "rising" | "falling" | null {
    return Object.keys(this.#rules.times).reduce<ReturnType<typeof leadsByTime>>(
      (way, field) => way ?? leadsByTime(this.#rules.order(this.#query()), field),
      null,
    );
  }

  /** Its time in the list's order; of one in another order, its creation. */
  timeOf(row: Row): string {
    const field = Object.keys(this.#rules.times).find((name) => leadsByTime(this.#rules.order(this.#query()), name) !== null);
    return (field === undefined ? undefined : this.#rules.times[field]?.(row)) ?? row.created_at;
  }

  /** Whether an act has put the row off: it stands further down then. One whose time came forward stays under the hand that is on it. */
  isLater(row: Row, known: Row): boolean {
    return this.byTime() === "rising" && this.timeOf(row) > this.timeOf(known) && !this.#source.isTombstone(row.uuid);
  }

  /** Where a row belongs among the loaded ones, first where the order is not that of time; null: among those not held. */
  placeOf(row: Row): number | null {
    const { rows, more, moreBefore } = this.#source;
    const time = this.timeOf(row);
    const after = this.byTime() === "rising" ? rows.findIndex((other) => this.timeOf(other) > time) : 0;
    if ((after < 0 && more) || (after === 0 && moreBefore)) return null;
    return after < 0 ? rows.length : after;
  }
}
