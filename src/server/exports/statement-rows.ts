import type { ExportRequest } from "../../contract/exports.ts";
import { cellReader } from "../../contract/list-cells.ts";
import type { CellReading } from "../../contract/list-cells.ts";
import type { FieldLines } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import { isSole, readAsked } from "../../values/asked.ts";
import type { WorkbookRow } from "../../values/workbook/workbook.ts";
import type { Database } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Owners } from "../statements/owners.ts";
import { paymentAccounts, wallets } from "../statements/owners.ts";
import type { Summary } from "../statements/whole.ts";
import { summaryOf } from "../statements/whole.ts";

/** Whose statements a screen lists. */
const ownersOf: Readonly<Record<string, Owners>> = {
  "merchant-transactions": wallets,
  "payment-account-transactions": paymentAccounts,
};

/** Refuses as a statement what is none: of another list, of nobody, in another order, or with movements left out. */
export function requireStatement(screen: string, { query }: Pick<ExportRequest, "query">): void {
  const owners = ownersOf[screen];
  const lines: FieldLines = {};
  if (!owners) lines["statement"] = ["Unknown field"];
  else {
    const code = `filter[${owners.code}]`;
    const asked = readAsked(query[code] ?? "");
    if (asked === null) lines[`query.${code}`] = ["Must be filled in"];
    else if (!isSole(asked)) lines[`query.${code}`] = ["Must be one code"];
    if (query["sort"] !== "created_at") lines["query.sort"] = ["Must be created_at"];
    const known = [code, "filter[created_at_from]", "filter[created_at_to]", "sort"];
    for (const name of Object.keys(query)) if (!known.includes(name)) lines[`query.${name}`] = ["Unknown field"];
  }
  if (Object.keys(lines).length > 0) throw new Refusal("request.invalid", lines);
}

/** What stands around the lines of a statement. */
export interface Around {
  readonly before: readonly WorkbookRow[];
  readonly after: readonly WorkbookRow[];
  /** Movements between, which the lines must be. */
  readonly count: number;
}

interface Asked {
  readonly screen: string;
  readonly subject: string;
  readonly currency: string;
  readonly request: Pick<ExportRequest, "query" | "columns">;
}

/** Opening balance, totals by type and closing balance, of the snapshot that the lines are read from. */
export async function rowsAround(frozen: Database, tenant: string, asked: Asked, reading: CellReading): Promise<Around> {
  const { screen, subject, currency, request } = asked;
  const owners = ownersOf[screen];
  if (!owners) throw new Error(`${screen} has no statements`);
  const { query, columns } = request;
  const window = {
    code: readAsked(query[`filter[${owners.code}]`] ?? "")?.of[0] ?? "",
    from: query["filter[created_at_from]"],
    to: query["filter[created_at_to]"],
  };
  const summary = await inTenant(frozen, tenant, (db) => summaryOf(db, { tenant, currency }, owners, window));
  const word = (name: string) => reading.word(name) ?? name;
  const named = columns.findIndex(({ cell }) => cell.field === "kind");
  const row = (name: string, told: object): WorkbookRow =>
    columns.map(({ cell }, at) => (at === Math.max(0, named) ? name : cellReader(subject, cell)(told, reading)));
  const ofKind = ({ kind, ...sums }: Summary["totals"][number]) => row(`${word("grid.totals")}: ${word(`statement.kind.${kind}`)}`, sums);
  return {
    before: [row(word("statement.whole.opening"), { created_at: summary.from, balance: summary.opening })],
    after: [
      row(word("statement.whole.closing"), { created_at: summary.to ?? summary.made_at, balance: summary.closing }),
      ...summary.totals.map(ofKind),
    ],
    count: summary.count,
  };
}
