import type { Transaction } from "../../contract/transactions.ts";
import type { GridRow } from "../kit/grid/grid-column.ts";
import type { Page, PageAsked } from "../kit/grid/row-pager.ts";
import type { ListState } from "../lists/paged-list.ts";

export type LiveRow = GridRow & Pick<Transaction, "version" | "created_at" | "amount">;

/** A part of a query: a page, or named rows. */
export type Part = Partial<PageAsked> & { readonly "filter[uuid]"?: string };

/** What tells one kind of transaction from another in its list. */
export interface LiveRules<Row, Query> {
  /** Whether a row is one of a query's, as far as the row itself tells; the server knows the rest. */
  belongs(row: Row, query: Query): boolean;
  /** Whether the user was the last who acted on it. */
  isMine(row: Row): boolean;
  /** A query's order, as the list call has it. */
  order(query: Query): string;
  /** The sorts that follow a time, and each row's. */
  readonly times: Readonly<Record<string, (row: Row) => string>>;
  /** The column that is sorted by time. */
  timeColumn(query: Query): string;
  /** The query that has every row. */
  readonly everywhere: Query;
}

export interface LiveDeps<Row, Query> {
  readonly rules: LiveRules<Row, Query>;
  read(query: Query & Part, options: { background: boolean }): Promise<Page<Row>>;
  /** The row another may not take away unseen: the one under the cursor. */
  watched(): string | null;
}

export interface LiveState extends ListState {
  /** Decimal text; null until added up. */
  readonly sum: string | null;
  /** New rows kept behind the pill. */
  readonly waiting: number;
  /** Rows others changed while the list is held still; null while it follows. */
  readonly held: number | null;
}
