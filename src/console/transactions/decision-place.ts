import type { DecisionRow } from "../../contract/decisions.ts";
import type { transactionSorts } from "../../contract/transactions.ts";
import type { Sort } from "../kit/grid/grid-column.ts";
import { askedFilters, readFilters } from "../lists/filters.ts";
import type { Filters, ListFilter } from "../lists/filters.ts";
import { readSort, sortText as textOfSort } from "../lists/sort-text.ts";
import type { AskedList, DecisionView } from "./decision-views.ts";
import { timeColumn, viewOf, workList } from "./decision-views.ts";

/** What an address of such a list may name. */
export interface Named<Row> {
  readonly views: readonly DecisionView<Row>[];
  readonly filters: readonly ListFilter<Row>[];
}

export interface Asked {
  /** A view's name. */
  readonly view: string;
  readonly filters: Filters;
  readonly sort: readonly Sort[];
}

const sortColumns: Readonly<Record<string, (typeof transactionSorts)[number]>> = {
  age: "created_at",
  created: "created_at",
  amount: "amount",
  status: "status",
  customer: "customer_name",
  txn: "txn_no",
};

/** What the address asks for; what it says wrongly is left out. */
export function readPlace<Row extends DecisionRow>({ views, filters }: Named<Row>, search: Readonly<Record<string, string>>): Asked {
  const view = viewOf(views, search["view"]);
  const sort = readSort(search["sort"], Object.values(sortColumns)).flatMap(({ id: field, desc }) => {
    const id = field === "created_at" ? timeColumn(view) : Object.keys(sortColumns).find((column) => sortColumns[column] === field);
    return id === undefined ? [] : [turned({ id, desc })];
  });
  return { view: view.id, filters: readFilters(filters, search), sort };
}

/** The older, the greater its age. */
const turned = ({ id, desc }: Sort): Sort => ({ id, desc: id === "age" ? !desc : desc });

/** The column that shows a view's order when none is chosen: none that of the work list, where what was put off stands at its time and not by its age. */
export const defaultSort = (view: Pick<DecisionView<never>, "id" | "keeps">): readonly Sort[] =>
  view.id === workList.id ? [] : [turned({ id: timeColumn(view), desc: true })];

/** Columns as the address and the list call have them; null: the view's own order. */
export function sortText(sort: readonly Sort[]): string | null {
  return textOfSort(
    sort.flatMap((one) => {
      const { id, desc } = turned(one);
      return sortColumns[id] === undefined ? [] : [{ id: sortColumns[id], desc }];
    }),
  );
}

/** As the list call wants it. */
export function askedList<Row>(filters: Named<Row>["filters"], asked: Asked, now: number, zoneMinutes: number): AskedList {
  const order = sortText(asked.sort);
  return { view: asked.view, ...(order !== null && { sort: order }), ...askedFilters(filters, asked.filters, now, zoneMinutes) };
}
