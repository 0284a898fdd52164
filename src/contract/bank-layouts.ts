import { z } from "zod";

/** What a column of a bank's table can hold. `payer` and `payee` stand beside each other: a credit's other side is its payer, a debit's its payee. */
export const bankFields = [
  "date",
  "value_date",
  "clock",
  "amount",
  "direction",
  "debit",
  "credit",
  "balance",
  "reference",
  "description",
  "counterparty",
  "payer",
  "payee",
  "counterparty_account",
  "account",
  "currency",
] as const;
export type BankField = (typeof bankFields)[number];

export const fileEncodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "gb18030",
  "windows-1251",
  "windows-1256",
  "windows-874",
  "big5",
] as const;
export type FileEncoding = (typeof fileEncodings)[number];

/** What parts the cells of a text; `blanks` is two or more of them. */
export const delimiters = ["comma", "semicolon", "tab", "bar", "blanks"] as const;
export type Delimiter = (typeof delimiters)[number];

export const dateOrders = ["dmy", "mdy", "ymd"] as const;
export type DateOrder = (typeof dateOrders)[number];

export const decimalMarks = [".", ","] as const;
export type DecimalMark = (typeof decimalMarks)[number];

/** Most columns of a table that are read. */
export const mostColumns = 100;

/** How a table is read. What is null is not known, or does not concern this table. */
export const BankLayout = z.strictObject({
  /** Of a text. */
  encoding: z.enum(fileEncodings).nullable(),
  /** Of a text. */
  delimiter: z.enum(delimiters).nullable(),
  /** Of a workbook: the place of the sheet, from 0. */
  sheet: z.int().min(0).max(1000).nullable(),
  /** Number of the line the headers are on. */
  header: z.int().min(1).max(200_000).nullable(),
  /** What each column holds, from the left. */
  columns: z.array(z.enum(bankFields).nullable()).max(mostColumns),
  /** Of dates in digits. */
  date_order: z.enum(dateOrders).nullable(),
  decimal: z.enum(decimalMarks).nullable(),
  /** What an amount without a sign is, where one column holds both directions. */
  unsigned: z.enum(["credit", "debit"]).nullable(),
});
export type BankLayout = z.infer<typeof BankLayout>;

/** What only a person can tell of a table before it is read whole. */
export const layoutQuestions = ["encoding", "columns", "date_order", "decimal", "unsigned"] as const;
export type LayoutQuestion = (typeof layoutQuestions)[number];

/** Why a line cannot be read. */
export const lineFaults = [
  "no-date",
  "not-a-date",
  "order-open",
  "no-year",
  "no-amount",
  "not-an-amount",
  "too-fine",
  "too-large",
  "both-sides",
  "no-direction",
  "not-a-balance",
  "other-currency",
  "other-account",
  "cell-too-long",
  "joined-lines",
] as const;
export type LineFault = (typeof lineFaults)[number];

/** Why a row is no line of a statement. */
export const passedOver = ["total", "balance", "header", "continued", "note"] as const;
export type PassedOver = (typeof passedOver)[number];
