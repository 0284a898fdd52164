import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { AccountDay, MerchantDay } from "../../contract/reports.ts";
import { tellsDifference } from "../../contract/reports.ts";
import { amountText, money, moneyText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { readRowId } from "./days.ts";

/** What a report's rows tell beside the ledger's figures: of the rows of a page, because nothing is sorted or summed by it. */

/** The bank's running balance after its last line of a day that tells one. */
export const bankClosing = (
  tenant: string,
  account: RawBuilder<unknown>,
  starts: RawBuilder<unknown>,
) => sql`(select l.balance from bank_lines l
  where l.tenant_id = ${tenant} and l.payment_account_id = ${account} and l.balance is not null
    and l.time >= ${starts} and l.time < ${starts} + interval '1 day' order by l.time desc, l.id desc limit 1)`;

/** The last day of each row that is of one account, as uuid, account and day. */
function lastDays(days: readonly AccountDay[]): RawBuilder<unknown> {
  const named = days.filter(({ owner, state }) => owner !== null && !tellsDifference(state));
  return sql`unnest(${named.map(({ uuid }) => uuid)}::uuid[], ${named.map(({ owner }) => owner?.uuid)}::uuid[],
    ${named.map(({ uuid }) => readRowId(uuid).to)}::date[])`;
}

/** The days of accounts with what their banks say they closed with. */
export async function withStatements(db: Scoped, call: StaffCall, days: readonly AccountDay[]): Promise<AccountDay[]> {
  const { rows } = await sql<{ uuid: string; balance: string }>`select k.uuid, k.balance from (
      select d.uuid, ${bankClosing(call.tenant, sql`d.account`, sql`day_start(d.day, ${call.currencyFacts.zoneMinutes}::integer)`)} as balance
      from ${lastDays(days)} d (uuid, account, day)) k where k.balance is not null`.execute(db);
  const known = new Map(rows.map(({ uuid, balance }) => [uuid, amountText(balance)]));
  return days.map((day) => {
    const statement = known.get(day.uuid);
    if (statement === undefined || day.closing === null) return day;
    return { ...day, statement, statement_difference: moneyText(money(statement) - money(day.closing)) };
  });
}

/** The single days of accounts with the percent of their daily limits that was used. */
export async function withLimits(db: Scoped, { tenant }: StaffCall, days: readonly AccountDay[]): Promise<AccountDay[]> {
  const used = (
    kind: "deposit" | "withdrawal",
  ) => sql`(select round(100 * coalesce(sum(u.used), 0) / ${sql.ref(`a.${kind}_daily_limit`)}, 1)
    from limit_usage u where u.tenant_id = ${tenant} and u.payment_account_id = a.id and u.kind = ${kind} and u.period = 'day' and u.starts = d.day)`;
  const { rows } = await sql<{ uuid: string; deposit: string | null; withdrawal: string | null }>`select d.uuid,
      case when a.deposit_daily_limit > 0 then ${used("deposit")} end as deposit,
      case when a.withdrawal_daily_limit > 0 then ${used("withdrawal")} end as withdrawal
    from ${lastDays(days.filter((day) => day.days === 1))} d (uuid, account, day)
    join payment_accounts a on a.tenant_id = ${tenant} and a.id = d.account`.execute(db);
  const known = new Map(rows.map((row) => [row.uuid, row]));
  const percent = (text: string | null | undefined) => (text == null ? null : Number(text));
  return days.map((day) => {
    const row = known.get(day.uuid);
    return { ...day, deposit_limit_used: percent(row?.deposit), withdrawal_limit_used: percent(row?.withdrawal) };
  });
}

interface FailedCallbacks {
  readonly merchant: string;
  readonly day: string;
  readonly n: number;
}

/** The days of merchants with how many callbacks of then were given up. */
export async function withCallbacks(
  db: Scoped,
  { tenant, currency, currencyFacts }: StaffCall,
  days: readonly MerchantDay[],
): Promise<MerchantDay[]> {
  const first = days.map(({ day }) => day).toSorted()[0];
  const last = days
    .map(({ uuid }) => readRowId(uuid).to)
    .toSorted()
    .at(-1);
  if (first === undefined || last === undefined) return [];
  const zone = sql`${currencyFacts.zoneMinutes}::integer`;
  const { rows } =
    await sql<FailedCallbacks>`select o.merchant_id as merchant, local_day(o.created_at, ${zone})::text as day, count(*)::integer as n
    from merchants m join outbox o on o.tenant_id = m.tenant_id and o.merchant_id = m.id and o.state = 'failed'
      and o.created_at >= day_start(${first}::date, ${zone}) and o.created_at < day_start(${last}::date + 1, ${zone})
    where m.tenant_id = ${tenant} and m.currency = ${currency} group by 1, 2`.execute(db);
  const [ofMerchant, ofDay] = [Map.groupBy(rows, ({ merchant }) => merchant), Map.groupBy(rows, ({ day }) => day)];
  return days.map((row) => {
    if (tellsDifference(row.state)) return row;
    const { to } = readRowId(row.uuid);
    const near = row.owner !== null ? ofMerchant.get(row.owner.uuid) : row.days === 1 ? ofDay.get(row.day) : rows;
    const within = (near ?? []).filter(({ day }) => day >= row.day && day <= to);
    return { ...row, callbacks_failed: within.reduce((sum, { n }) => sum + n, 0) };
  });
}
