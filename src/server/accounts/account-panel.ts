import { sql } from "kysely";
import type { PaymentAccountDetail } from "../../contract/payment-accounts.ts";
import { amountText } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import { transfersOf } from "../transfers/transfer-rows.ts";
import type { AccountScope } from "./account-rows.ts";

type Panel = Omit<PaymentAccountDetail, "row" | "history">;

/** When the currency's next day and next month begin. */
export async function resetsOf(db: Scoped, { currencyFacts: { zoneMinutes } }: AccountScope): Promise<Panel["resets"]> {
  const { rows } = await sql<{ day: Date; month: Date }>`
    select day_start(d.today + 1, ${zoneMinutes}::integer) as day,
      day_start((date_trunc('month', d.today) + interval '1 month')::date, ${zoneMinutes}::integer) as month
    from (select local_day(now(), ${zoneMinutes}::integer) as today) d`.execute(db);
  const [next] = rows;
  if (!next) throw new Error("there is always a next day");
  return { day: next.day.toISOString(), month: next.month.toISOString() };
}

interface PendingRow {
  readonly id: string;
  readonly txn_no: string;
  readonly kind: Panel["transfers"][number]["kind"];
  readonly side: "source" | "target";
  readonly moved: string;
  readonly awaits: Panel["transfers"][number]["awaits"];
  readonly created_at: Date;
}

export async function pendingOn(db: Scoped, scope: AccountScope, account: string): Promise<Panel["transfers"]> {
  const { rows } = await sql<PendingRow>`select t.id, t.txn_no, t.kind, t.awaits, t.created_at,
      case when t.source_id = ${account} then 'source' else 'target' end as side,
      case when t.source_id = ${account} then t.final_amount else t.amount end as moved
    from (${transfersOf(scope)}) t where t.status = 'pending' and (t.source_id = ${account} or t.target_id = ${account})
    order by t.created_at, t.id limit 10`.execute(db);
  return rows.map(({ id, moved, created_at, ...rest }) => ({
    uuid: id,
    ...rest,
    amount: amountText(moved),
    created_at: created_at.toISOString(),
  }));
}

interface NewestRow {
  readonly id: string;
  readonly time: Date;
  readonly direction: "credit" | "debit";
  readonly amount: string;
  readonly description: string;
  readonly status: "unmatched" | "matched" | "ignored";
  readonly last: Date;
}

export async function linesOf(db: Scoped, { tenant }: AccountScope, account: string): Promise<Pick<Panel, "lines" | "last_line_at">> {
  const { rows } = await sql<NewestRow>`select l.id, l.time, l.direction, l.amount, l.description, l.status,
      (select max(created_at) from bank_lines where tenant_id = ${tenant} and payment_account_id = ${account}) as last
    from bank_lines l where l.tenant_id = ${tenant} and l.payment_account_id = ${account} order by l.time desc, l.id desc limit 5`.execute(
    db,
  );
  return {
    lines: rows.map(({ id, time, direction, amount, description, status }) => ({
      uuid: id,
      time: time.toISOString(),
      direction,
      amount: amountText(amount),
      description,
      status,
    })),
    last_line_at: rows[0]?.last.toISOString() ?? null,
  };
}
