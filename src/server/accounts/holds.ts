import { sql } from "kysely";
import type { PaymentAccount, paymentAccountRoutes } from "../../contract/payment-accounts.ts";
import { Refusal } from "../../contract/problems.ts";
import { amountText, money } from "../../values/money.ts";
import { systemActor } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import type { Deps, StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { skipFailure } from "../jobs/record.ts";
import type { PerformOn } from "../records/record-handlers.ts";
import type { AccountRow } from "./account-rows.ts";
import { tooMuchHeld } from "./account-rules.ts";

const released = { hold_amount: "0.00", hold_reason: null, hold_until: null } as const;

/** An operator's freeze of an amount, and its release, which a date may bring by itself. */
export const holdHandlers = (
  perform: PerformOn<AccountRow, PaymentAccount>,
): Pick<Handlers<typeof paymentAccountRoutes, StaffCall>, "holdPaymentAccount" | "releasePaymentAccount"> => ({
  async holdPaymentAccount(call, received) {
    const { amount, reason, until } = received.body;
    if (money(amount) >= tooMuchHeld) throw new Refusal("request.invalid", { amount: ["Must be below 25,000,000,000,000"] });
    if (until !== "" && new Date(until) <= new Date()) throw new Refusal("request.invalid", { until: ["Must be in the future"] });
    const { data } = await perform(call, received, "hold", () => {
      const after = { hold_amount: amountText(amount), hold_reason: reason, hold_until: until === "" ? null : until };
      return { columns: after, after, kept: {} };
    });
    return { data: data.row };
  },

  async releasePaymentAccount(call, received) {
    const { data } = await perform(call, received, "release", ({ hold_amount }) => {
      if (money(hold_amount) === 0n) throw new Refusal("not-found");
      return { columns: released, after: { ...released }, kept: {}, reason: received.body.reason || null };
    });
    return { data: data.row };
  },
});

/** Which tenants have holds that end. */
export const endingHolds = sql`select distinct tenant_id from payment_accounts where hold_until <= now()`;

/** Releases holds whose date has come, at most `limit`; answers their accounts. What fails is added to `failed` and not tried again. */
export async function endHolds(deps: Deps, tenant: string, limit: number, failed = new Set<string>()): Promise<string[]> {
  const due = await inTenant(deps.database, tenant, (db) =>
    sql<{ id: string }>`select id from payment_accounts where tenant_id = ${tenant} and hold_until <= statement_timestamp()
      and id <> all(${[...failed]}::uuid[]) order by hold_until limit ${limit}`.execute(db),
  );
  const done: string[] = [];
  for (const { id } of due.rows) {
    const ended = await skipFailure(deps, "holds", { tenant, account: id }, () => endHold(deps, tenant, id));
    if (ended === undefined) failed.add(id);
    if (ended === true) done.push(id);
  }
  if (done.length > 0) deps.publisher.changed(tenant, "paymentAccount", done);
  return done;
}

const endHold = (deps: Deps, tenant: string, id: string): Promise<boolean> =>
  inTenant(deps.database, tenant, async (db) => {
    const { rows } = await sql<{ hold_amount: string; hold_reason: string | null }>`
      with due as (select id, hold_amount, hold_reason from payment_accounts
        where tenant_id = ${tenant} and id = ${id} and hold_until <= statement_timestamp() for no key update)
      update payment_accounts a set hold_amount = 0, hold_reason = null, hold_until = null, version = a.version + 1,
          updated_at = clock_timestamp()
        from due where a.tenant_id = ${tenant} and a.id = due.id returning due.hold_amount, due.hold_reason`.execute(db);
    const [was] = rows;
    if (!was) return false;
    const before = { hold_amount: amountText(was.hold_amount), hold_reason: was.hold_reason };
    await audit(db, { tenant, entity: "payment-account", id }, systemActor, "release", { before, after: { ...released } });
    return true;
  });
