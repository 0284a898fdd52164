import { z } from "zod";
import { BankLayout, layoutQuestions, lineFaults, passedOver } from "./bank-layouts.ts";
import { lineDirections } from "./bank-transactions.ts";
import { askedLines, LinesMeta } from "./import-lines.ts";
import { defineRoutes } from "./route.ts";
import { Amount, Instant, Uuid, Version } from "./wire.ts";

const base = "/service/payment/api/tenant/v1/bank-imports";
const permission = "pas.transaction.bank-transactions.import";

export const importStates = ["staged", "running", "done", "cancelled", "failed"] as const;

/** Bytes of a bank's file. */
export const mostFileBytes = 20 * 1024 * 1024;
/** Rows of a bank's file. */
export const mostFileRows = 100_000;

/** A bank's file on its way in: staged until somebody starts it, then added in slices by the server. */
export const BankImport = z.object({
  uuid: Uuid,
  version: Version,
  payment_account: z.object({ uuid: Uuid, code: z.string(), bank: z.string() }),
  source: z.enum(["file", "paste"]),
  file_name: z.string().nullable(),
  state: z.enum(importStates),
  /** How it is read; what is null here and needed is among the questions. */
  layout: BankLayout,
  /** What must be said before it can be started. */
  questions: z.array(z.enum(layoutQuestions)),
  /** The layout is the one by which this bank's files were read before. */
  is_remembered: z.boolean(),
  /** Of a workbook. */
  sheets: z.array(z.string()),
  /** The first rows as they stand in the file. */
  head: z.array(z.object({ n: z.int(), cells: z.array(z.string()) })),
  /** Its rows; `new` and `known` are what a start would find now, or what the import has found so far. */
  counts: z.object({
    lines: z.int(),
    new: z.int(),
    known: z.int(),
    unreadable: z.int(),
    passed: z.int(),
  }),
  /** Lines that are through, of `counts.lines`. */
  done: z.int(),
  by: z.string(),
  created_at: Instant,
  updated_at: Instant,
  finished_at: Instant.nullable(),
  /** When a staged file, or the rows of an ended import, are removed. */
  expires_at: Instant,
});
export type BankImport = z.infer<typeof BankImport>;

const ReadLine = z.object({
  time: Instant,
  direction: z.enum(lineDirections),
  amount: Amount,
  reference: z.string().nullable(),
  counterparty: z.string().nullable(),
  counterparty_account: z.string().nullable(),
  description: z.string(),
  balance: Amount.nullable(),
});

const row = { n: z.int() };
/** A row of the file, by its number there, and what becomes of it. */
export const BankImportLine = z.discriminatedUnion("state", [
  z.object({ ...row, state: z.literal("new"), line: ReadLine }),
  z.object({ ...row, state: z.literal("known"), line: ReadLine }),
  z.object({
    ...row,
    state: z.literal("unreadable"),
    why: z.enum(lineFaults),
    values: z.record(z.string(), z.union([z.string(), z.number()])),
    text: z.string(),
  }),
  z.object({ ...row, state: z.literal("passed"), why: z.enum(passedOver), text: z.string() }),
]);
export type BankImportLine = z.infer<typeof BankImportLine>;

export const importLineStates = ["new", "known", "unreadable", "passed"] as const;

const params = z.object({ uuid: Uuid });

export const bankImportRoutes = defineRoutes({
  /** A file, a dropped one, or a pasted table as a text; answers how it is read and what is new, before anything is added. */
  uploadBankFile: {
    method: "POST",
    path: base,
    permission,
    currency: true,
    file: { most: mostFileBytes },
    query: z.strictObject({ account: Uuid, source: z.enum(["file", "paste"]).default("file") }),
    answer: BankImport,
    refuses: ["bank-file.refused"],
  },
  /** The newest, at most fifty. */
  listBankImports: {
    method: "GET",
    path: base,
    permission,
    currency: true,
    query: z.strictObject({ account: Uuid.optional() }),
    answer: z.array(BankImport.omit({ layout: true, head: true, sheets: true, questions: true, is_remembered: true })),
  },
  /** Also how far it is. */
  readBankImport: { method: "GET", path: `${base}/{uuid}`, permission, currency: true, params, answer: BankImport },
  listBankImportLines: {
    method: "GET",
    path: `${base}/{uuid}/lines`,
    permission,
    currency: true,
    params,
    query: askedLines(importLineStates),
    answer: z.array(BankImportLine),
    meta: LinesMeta,
  },
  /** Reads a staged file again, another way. */
  changeBankImport: {
    method: "PUT",
    path: `${base}/{uuid}/layout`,
    permission,
    currency: true,
    params,
    body: z.strictObject({ version: Version, layout: BankLayout }),
    answer: BankImport,
    refuses: ["record.stale", "bank-import.not-staged", "bank-file.refused"],
  },
  /** Begins to add its lines; the layout is remembered for the bank. */
  startBankImport: {
    method: "POST",
    path: `${base}/{uuid}/start`,
    permission,
    currency: true,
    params,
    body: z.strictObject({ version: Version }),
    answer: BankImport,
    refuses: ["record.stale", "bank-import.not-staged", "bank-import.unanswered"],
  },
  /** Throws a staged file away, or stops a running import; lines that were added stay. */
  cancelBankImport: {
    method: "POST",
    path: `${base}/{uuid}/cancel`,
    permission,
    currency: true,
    params,
    answer: BankImport,
    refuses: ["bank-import.ended"],
  },
});
