import type { WorkbookColumn, WorkbookRow } from "../../../values/workbook/workbook.ts";

/** Rows of an export as they are on screen. Plain data, because it goes to a worker. */
export interface Sheet {
  /** Title of the sheet's tab. */
  readonly title: string;
  readonly fileName: string;
  readonly columns: readonly WorkbookColumn[];
  readonly rows: readonly WorkbookRow[];
  /** Minutes east of UTC in which times are written. */
  readonly zone: number;
  /** Decimals of amounts. */
  readonly decimals: number;
  readonly rightToLeft: boolean;
  readonly about: { readonly title: string; readonly lines: readonly (readonly [label: string, value: string])[] };
}
