import { sql } from "kysely";
import type { z } from "zod";
import type { PayoutMark, payoutFileRoutes, RefusedPayout } from "../../contract/payout-files.ts";
import type { PayoutLayout } from "../../contract/payout-templates.ts";
import type { ProblemCode } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Received } from "../../contract/route.ts";
import type { TransactionStatus } from "../../contract/transactions.ts";
import { amountText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { localDay } from "../payments/limits.ts";
import { problemText } from "../texts.ts";
import type { PayoutLine, Setting } from "./write-file.ts";
import { faultOfHead, faultsOf } from "./write-file.ts";

type Asked = Received<typeof payoutFileRoutes.previewPayoutFile>["body"];
type Preview = z.output<typeof payoutFileRoutes.previewPayoutFile.answer>;

interface Found extends PayoutLine {
  readonly uuid: string;
  readonly version: number;
  readonly status: TransactionStatus;
  readonly claimed_by: string | null;
  readonly claim_until: Date | null;
  readonly is_approved_once: boolean;
  readonly exported_at: Date | null;
  readonly exported_by: string | null;
  readonly exported_file: string | null;
}

export interface Prepared {
  readonly name: string;
  readonly layout: PayoutLayout;
  readonly now: Date;
  readonly setting: Setting;
  /** In the order they were asked for; only those the file can have. */
  readonly rows: readonly Found[];
  readonly exported: Preview["exported"];
  readonly refused: readonly RefusedPayout[];
}

/** The columns that name the account that pays. */
const ofPayer: readonly string[] = ["paying_code", "paying_number", "paying_holder", "paying_bank"];

/** The template and the rows as the file will have them; with "lock" both stay as they are until the transaction ends. */
export async function prepare(db: Scoped, call: StaffCall, asked: Asked, lock: "lock" | "read"): Promise<Prepared> {
  const template = await db
    .selectFrom("payout_templates")
    .selectAll()
    .where("tenant_id", "=", call.tenant)
    .where("id", "=", asked.template)
    .executeTakeFirst();
  if (!template) throw new Refusal("not-found");
  const { name, ...layout } = template;
  const ids = asked.rows.map(({ uuid }) => uuid);
  if (lock === "lock") {
    await sql`select from transactions where tenant_id = ${call.tenant} and currency = ${call.currency} and kind = 'withdrawal'
      and id = any(${ids}::uuid[]) order by id for update`.execute(db);
  }
  const found = new Map((await findRows(db, call, asked)).map((row) => [row.uuid, row]));
  // of another tenant or currency, or none at all
  if (found.size === 0) throw new Refusal("not-found");
  const {
    rows: [clock],
  } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const now = clock?.now ?? new Date();
  const setting = { day: localDay(now, call.currencyFacts.zoneMinutes), minorDigits: call.currencyFacts.minorDigits };
  const refused: RefusedPayout[] = [];
  const refuse = (uuid: string, txn_no: string, code: ProblemCode, values: Record<string, string> = {}): [] => {
    refused.push({ uuid, txn_no, problem: { code, message: problemText(code, call.language), values } });
    return [];
  };
  const namesPayer = layout.columns.some(({ field }) => ofPayer.includes(field));
  const fit = asked.rows.flatMap(({ uuid, version }) => {
    const row = found.get(uuid);
    if (!row) return refuse(uuid, "", "not-found");
    const code = against(row, version, call, now) ?? (namesPayer && row.paying_code === "" ? "payment-account.unfit" : null);
    return code === null ? [row] : refuse(uuid, row.txn_no, code);
  });
  const head = faultOfHead(layout);
  const faults = faultsOf(layout, fit, setting);
  const rows = fit.filter((row, at) => {
    const fault = head ?? faults[at] ?? null;
    if (fault) refuse(row.uuid, row.txn_no, "payout-file.unwritable", { column: String(fault.column), sign: fault.sign });
    return fault === null;
  });
  return { name, layout, now, setting, rows, exported: rows.flatMap(exportedBefore), refused };
}

/** Why a row cannot stand in a file: it is nobody's or another's yet, was refused, or is not what the caller saw. */
function against(row: Found, version: number, { caller }: StaffCall, now: Date): ProblemCode | null {
  if (row.version !== version) return "transaction.stale";
  if (row.status === "rejected" || row.status === "expired") return "withdrawal.not-open";
  if (row.status === "pending") return "withdrawal.not-process";
  if (row.status !== "process" || row.is_approved_once) return null;
  const isHeld = row.claim_until !== null && row.claim_until > now;
  if (row.claimed_by === null || !isHeld) return row.claimed_by === caller.id ? null : "withdrawal.not-claimed";
  return row.claimed_by === caller.id ? null : "withdrawal.claimed";
}

const exportedBefore = ({ uuid, txn_no, exported_at: at, exported_by: by, exported_file: file }: Found): Preview["exported"] =>
  at === null ? [] : [{ uuid, txn_no, at: at.toISOString(), by: by ?? "", file: file ?? "" }];

async function findRows(db: Scoped, { tenant, currency }: StaffCall, { rows }: Asked): Promise<Found[]> {
  const ids = rows.map(({ uuid }) => uuid);
  const accounts = rows.map(({ payment_account }) => payment_account ?? null);
  const { rows: found } = await sql<Found>`
    select t.id as uuid, t.version, t.status, t.claimed_by, t.claim_until, t.first_approved_by is not null as is_approved_once,
      t.amount::text as amount, t.currency, coalesce(t.holder, '') as holder, coalesce(t.account_number, '') as account_number,
      coalesce(t.bank, '') as bank, t.txn_no, coalesce(t.merchant_txn_no, '') as merchant_txn_no, t.member, t.customer_name, m.name as merchant,
      coalesce(a.code, '') as paying_code, coalesce(a.account_number, '') as paying_number, coalesce(a.holder, '') as paying_holder,
      coalesce(a.bank, '') as paying_bank, f.at as exported_at, f.actor as exported_by, f.name as exported_file
    from unnest(${ids}::uuid[], ${accounts}::uuid[]) with ordinality asked (id, account, n)
    join transactions t on t.tenant_id = ${tenant} and t.currency = ${currency} and t.kind = 'withdrawal' and t.id = asked.id
    join merchants m on m.tenant_id = t.tenant_id and m.id = t.merchant_id
    left join payment_accounts a on a.tenant_id = t.tenant_id and a.currency = t.currency
      and a.id = coalesce(t.payment_account_id, t.first_account_id, asked.account)
    left join payout_files f on f.tenant_id = t.tenant_id and f.id = t.payout_file_id
    order by asked.n`.execute(db);
  return found.map((row) => ({ ...row, amount: amountText(row.amount) }));
}

/** The files a withdrawal stands in, newest first. */
export async function payoutFilesOf(db: Scoped, tenant: string, transaction: string): Promise<PayoutMark[]> {
  const { rows } = await sql<Omit<PayoutMark, "at"> & { at: Date }>`
    select f.id as uuid, f.name, f.template, f.at, f.actor as by
    from payout_file_rows r join payout_files f on f.tenant_id = r.tenant_id and f.id = r.file_id
    where r.tenant_id = ${tenant} and r.transaction_id = ${transaction} order by f.at desc, f.id limit 20`.execute(db);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
