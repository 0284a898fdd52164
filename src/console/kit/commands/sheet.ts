/** How a column's cells are written: "amount" a plain decimal, "time" an instant. Ids and account numbers are texts. */
export type CellKind = "text" | "amount" | "time";

/** Rows of an export as they are on screen. Plain data, because it goes to a worker. */
export interface Sheet {
  /** Title of the sheet's tab. */
  readonly title: string;
  readonly fileName: string;
  readonly columns: readonly { readonly title: string; readonly kind: CellKind; /** px */ readonly width: number }[];
  /** Cells by column; null: empty. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** Minutes east of UTC in which times are written. */
  readonly zone: number;
  /** Decimals of amounts. */
  readonly decimals: number;
  readonly rightToLeft: boolean;
  readonly about: { readonly title: string; readonly lines: readonly (readonly [label: string, value: string])[] };
}
