import type { ColumnType } from "kysely";

/** A decimal as text in both directions. */
export type Numeric = string;
/** Read as Date; its default is now. */
export type Instant = ColumnType<Date, Date | string | undefined, Date | string>;
export type NullableInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
/** Read as a value, written as JSON text. */
export type Json<T> = ColumnType<T, string, string>;
