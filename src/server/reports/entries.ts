import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { ReportEntries, ReportFigure } from "../../contract/reports.ts";
import { mostEntries } from "../../contract/reports.ts";
import type { Asked } from "../../values/asked.ts";
import { amountText, money, moneyText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { transactionOf } from "../statements/reach.ts";
import type { DayKind } from "./days.ts";
import { ofMerchants } from "./days.ts";
import { ownersWithCode } from "./report.ts";

interface Question {
  readonly from: string;
  readonly to: string;
  readonly code?: Asked | undefined;
  readonly figure: ReportFigure;
}

/** Ledger entries of the owners' accounts of these kinds, within days. */
function within(call: StaffCall, { from, to }: Question, kinds: readonly string[], only: readonly string[] | null): RawBuilder<unknown> {
  const zone = sql`${call.currencyFacts.zoneMinutes}::integer`;
  const owned = only === null ? sql`` : sql`and a.owner_id = any(${[...only]}::uuid[])`;
  return sql`select a.owner_id, e.group_id, e.created_at, e.rare_kind, e.amount
    from ledger_accounts a join ledger_entries e on e.tenant_id = a.tenant_id and e.account_id = a.id
      and e.created_at >= day_start(${from}::date, ${zone}) and e.created_at < day_start(${to}::date + 1, ${zone})
    where a.tenant_id = ${call.tenant} and a.currency = ${call.currency} and a.kind = any(${[...kinds]}::text[]) ${owned}`;
}

/**
 * Entries e, what each adds to a figure, and which of them count, where not all do. Value and condition may name the posting g of an entry,
 * its transaction x and its transfer y.
 */
interface Found {
  readonly entries: RawBuilder<unknown>;
  readonly value: RawBuilder<unknown>;
  readonly where?: RawBuilder<unknown>;
}

/** Figures of money that leaves an account. */
const leaving = ["withdrawals", "transfers_out", "settlements"] as const satisfies readonly ReportFigure[];

/** What each entry of a payment account adds to a figure: what was paid, or what the bank took. */
function ofAccounts(call: StaffCall, asked: Question, only: readonly string[] | null): Found {
  const { figure } = asked;
  const entries = within(call, asked, ["payment-account"], only);
  if (figure === "net") return { entries, value: sql`e.amount` };
  const its = sql`account_figure(e.rare_kind, e.amount)`;
  const paid = sql`paid_of(${its}, e.amount, coalesce(x.amount, y.amount))`;
  const among = (figures: readonly string[]) => sql`${its} = any(${[...figures]}::text[])`;
  if (figure === "charges") return { entries, value: sql`${paid} - e.amount`, where: sql`${among(leaving)} and ${paid} <> e.amount` };
  const value = leaving.some((one) => one === figure) ? sql`-${paid}` : paid;
  return { entries, value, where: among(figure === "transfers" ? ["transfers_in", "transfers_out"] : [figure]) };
}

/**
 * What the postings of a merchant's figure are called (functions/reports.sql), and what each adds to it: of what was paid, x, and of what it
 * moved, p. The others add what they moved.
 */
const walletFigures: Partial<Record<ReportFigure, readonly [moved: string, value: RawBuilder<unknown>]>> = {
  deposits: ["deposits", sql`x.amount`],
  deposits_fee: ["deposits", sql`x.amount - p.amount`],
  deposits_net: ["deposits", sql`p.amount`],
  withdrawals: ["withdrawals", sql`-x.amount`],
  withdrawals_fee: ["withdrawals", sql`x.amount - p.amount`],
  settlements: ["settlements", sql`-p.amount`],
};

/** What each posting adds to a figure of its merchant: what was paid, or where that is no payment, what it moved of wallet and hold together. */
function ofWallets(call: StaffCall, asked: Question, only: readonly string[] | null): Found {
  const [moved, value] = walletFigures[asked.figure] ?? [asked.figure, sql`p.amount`];
  const postings = sql`select e.owner_id, e.group_id, min(e.created_at) as created_at, sum(e.amount) as amount
    from (${within(call, asked, ["wallet", "hold"], only)}) e group by e.owner_id, e.group_id`;
  const paid = sql`select sum(f.paid) as amount from ledger_entries e
    cross join lateral account_paid(${call.tenant}::uuid, e.group_id, e.rare_kind, e.amount) f
    where e.tenant_id = ${call.tenant} and e.group_id = p.group_id and e.account_kind = 'payment-account'`;
  const entries = sql`select p.owner_id, p.group_id, p.created_at, ${value} as value from (${postings}) p
    join ledger_groups g on g.tenant_id = ${call.tenant} and g.id = p.group_id and merchant_figure(g.kind) = ${moved}
    left join lateral (${paid}) x on true`;
  return { entries, value: sql`e.value` };
}

/** What each posting gave back of its merchant's hold, or with a minus put into it. */
const ofHolds = (call: StaffCall, asked: Question, only: readonly string[] | null): Found => ({
  entries: within(call, asked, ["hold"], only),
  value: sql`-e.amount`,
});

/** What the house earned with each posting of a merchant. */
function ofFees(call: StaffCall, asked: Question, only: readonly string[] | null): Found {
  const entries = sql`select p.owner_id, p.group_id, p.created_at, f.amount as value
    from (select e.owner_id, e.group_id, min(e.created_at) as created_at
      from (${within(call, asked, ["wallet", "hold"], only)}) e group by e.owner_id, e.group_id) p
    join ledger_groups g on g.tenant_id = ${call.tenant} and g.id = p.group_id and merchant_figure(g.kind) is not null
    cross join lateral (select sum(n.amount) as amount from ledger_entries n
      where n.tenant_id = ${call.tenant} and n.group_id = p.group_id and n.account_kind = 'fee-income') f
    where f.amount <> 0`;
  return { entries, value: sql`e.value` };
}

interface EntryRow {
  readonly id: string;
  readonly at: Date;
  readonly kind: string;
  readonly amount: string;
  readonly transaction_id: string | null;
  readonly transaction_kind: "deposit" | "withdrawal" | "transfer" | null;
  readonly txn_no: string | null;
  readonly customer_name: string | null;
  readonly account_code: string | null;
  readonly merchant_code: string | null;
}

/** The entries that make a figure of a period, the largest first; how many there are and what they come to; by whom they were dealt with. */
export async function reportEntriesOf(db: Scoped, call: StaffCall, kind: DayKind, asked: Question): Promise<ReportEntries> {
  const { tenant } = call;
  const only = await ownersWithCode(db, call, kind, asked.code);
  const isMerchants = kind === ofMerchants;
  // what is earned and what is held is of merchants, in whatever report it stands
  const { figure } = asked;
  const ofMerchant = isMerchants || figure === "fees" || figure === "held";
  const those = isMerchants ? only : null;
  const found =
    figure === "fees"
      ? ofFees(call, asked, those)
      : figure === "held"
        ? ofHolds(call, asked, those)
        : isMerchants
          ? ofWallets(call, asked, only)
          : ofAccounts(call, asked, only);
  const whole = sql`select e.group_id, e.created_at as at, ${found.value} as value, g.kind, g.id as posting,
      coalesce(x.id, y.id) as transaction_id, coalesce(x.kind, case when y.id is not null then 'transfer' end) as transaction_kind,
      coalesce(x.txn_no, y.txn_no) as txn_no, x.customer_name,
      ${ofMerchant ? sql`coalesce(x.payment_account_id, y.source_id)` : sql`e.owner_id`} as account_id,
      ${ofMerchant ? sql`e.owner_id` : sql`coalesce(x.merchant_id, y.merchant_id)`} as merchant_id
    from (${found.entries}) e join ledger_groups g on g.tenant_id = ${tenant} and g.id = e.group_id ${transactionOf}
    ${found.where === undefined ? sql`` : sql`where ${found.where}`}`;
  const { rows } =
    await sql<EntryRow>`select w.posting as id, w.at, w.kind, w.value as amount, w.transaction_id, w.transaction_kind, w.txn_no,
      w.customer_name, p.code as account_code, m.code as merchant_code
    from (${whole} order by value desc, at desc limit ${mostEntries}) w
    left join payment_accounts p on p.tenant_id = ${tenant} and p.id = w.account_id
    left join merchants m on m.tenant_id = ${tenant} and m.id = w.merchant_id
    order by w.value desc, w.at desc`.execute(db);
  const parts = await sql<{ code: string | null; name: string | null; count: number; sum: string }>`select o.code, o.name, k.count, k.sum
    from (select ${isMerchants ? sql`w.account_id` : sql`w.merchant_id`} as id, count(*)::integer as count, sum(w.value) as sum
      from (${whole}) w group by 1) k
    left join (${isMerchants ? sql`select id, code, bank as name from payment_accounts where tenant_id = ${tenant}` : sql`select id, code, name from merchants where tenant_id = ${tenant}`}) o
      on o.id = k.id order by k.sum desc, o.code`.execute(db);
  return {
    count: parts.rows.reduce((sum, { count }) => sum + count, 0),
    sum: moneyText(parts.rows.reduce((total, { sum }) => total + money(sum), 0n)),
    entries: rows.map(({ id, transaction_id, transaction_kind, ...row }) => ({
      ...row,
      uuid: id,
      at: row.at.toISOString(),
      amount: amountText(row.amount),
      transaction: transaction_id === null || transaction_kind === null ? null : { uuid: transaction_id, kind: transaction_kind },
    })),
    parts: parts.rows.flatMap(({ code, name, ...part }) =>
      code === null || name === null ? [] : [{ ...part, code, name, sum: amountText(part.sum) }],
    ),
  };
}
