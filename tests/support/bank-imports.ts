import { createHash } from "node:crypto";
import type { BankImport } from "../../src/contract/bank-imports.ts";
import type { UploadedFile } from "../../src/contract/uploads.ts";
import type { StaffCall } from "../../src/server/call.ts";
import { bankImportHandlers } from "../../src/server/bank-lines/imports.ts";
import { readStatement } from "../../src/server/bank-lines/reading/read-statement.ts";
import type { Statement, StatementFile } from "../../src/server/bank-lines/reading/read-statement.ts";
import type { ReadLine } from "../../src/server/bank-lines/reading/lines.ts";

export const uploaded = (bytes: Uint8Array | string, name = "statement.csv"): UploadedFile => {
  const content = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
  return { name, bytes: content, sha256: createHash("sha256").update(content).digest("hex") };
};

/** A statement with `count` lines, each of its own amount and reference, the running balance beside them. */
export function statementText(count: number, from = 1): string {
  const lines = Array.from({ length: count }, (_, at) => {
    const n = from + at;
    const minute = String(n % 60).padStart(2, "0");
    const hour = String(Math.floor(n / 60) % 24).padStart(2, "0");
    const day = String(13 + (Math.floor(n / 1440) % 15)).padStart(2, "0");
    return `${day}/03/2026 ${hour}:${minute}:00,TRANSFER ${n},R${n},PAYER ${n},,"${n}.50"`;
  });
  return ["Transaction Date,Description,Reference,Payer,Debit,Credit", ...lines].join("\n");
}

/** Stages a file as its upload would. */
export async function stage(call: StaffCall, account: string, bytes: Uint8Array | string, name?: string): Promise<BankImport> {
  const query = { account, source: "file" as const };
  const { data } = await bankImportHandlers.uploadBankFile(call, {
    query,
    params: undefined,
    body: undefined,
    file: uploaded(bytes, name),
  });
  return data;
}

export const start = async (call: StaffCall, { uuid, version }: BankImport): Promise<BankImport> =>
  (await bankImportHandlers.startBankImport(call, { params: { uuid }, body: { version }, query: undefined })).data;

export const look = async (call: StaffCall, { uuid }: BankImport): Promise<BankImport> =>
  (await bankImportHandlers.readBankImport(call, { params: { uuid }, body: undefined, query: undefined })).data;

export const facts: StatementFile["facts"] = {
  currency: "MYR",
  minorDigits: 2,
  zoneMinutes: 480,
  number: "514012345678",
  today: Math.floor(Date.UTC(2026, 10, 23) / 86_400_000),
};

/** Reads a file as if it had been uploaded for an account. */
export const readFile = (
  content: Uint8Array | string,
  more: Partial<StatementFile["facts"]> = {},
  given: StatementFile["given"] = null,
): Promise<Statement> =>
  readStatement({
    bytes: typeof content === "string" ? Buffer.from(content) : content,
    facts: { ...facts, ...more },
    given,
    remembered: [],
  });

/** The lines that were read, oldest first. */
export const linesIn = ({ entries }: Statement): ReadLine[] => entries.flatMap((entry) => (entry.state === "read" ? [entry.line] : []));

/** The rows that are no lines: "4 total", "7 not-a-date". */
export const othersIn = ({ entries }: Statement): string[] =>
  entries.flatMap((entry) => (entry.state === "read" ? [] : [`${entry.n} ${entry.why}`]));
