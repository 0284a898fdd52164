/** How a column's cells are written: "amount" a plain decimal, "time" an instant; a text stays a text, ids and account numbers too. */
export type CellKind = "text" | "amount" | "time";

/** Rows as they stand on screen, to become a file. Plain data: it goes to a worker. */
export interface Sheet {
  /** Of the sheet's tab. */
  readonly title: string;
  readonly fileName: string;
  readonly columns: readonly { readonly title: string; readonly kind: CellKind; /** px */ readonly width: number }[];
  /** Cell by column; null: nothing there. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** Minutes east of UTC in which times are written. */
  readonly zone: number;
  /** Of amounts. */
  readonly decimals: number;
  readonly rightToLeft: boolean;
  readonly about: { readonly title: string; readonly lines: readonly (readonly [label: string, value: string])[] };
}
