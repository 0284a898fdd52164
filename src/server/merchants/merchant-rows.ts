import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { Merchant, MerchantDetail } from "../../contract/merchants.ts";
import { amountText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import { linkedGroups, groupsOfMerchant } from "../payment-groups/group-links.ts";
import { linkedTo } from "../records/links.ts";
import { endpointOf } from "../outbox/health.ts";
import { findRecords } from "../records/record-list.ts";

/** A merchant with the balances of its wallet and its hold. */
export interface MerchantRow extends Selectable<Tables["merchants"]> {
  readonly wallet: string;
  readonly hold: string;
  readonly endpoint: Merchant["endpoint"];
  readonly groups: string[];
}

const instantOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;

function oldSecretUntil({ previous_secret, previous_secret_until: until }: MerchantRow): string | null {
  return previous_secret !== null && until !== null && until.getTime() > Date.now() ? until.toISOString() : null;
}

export function merchantView(row: MerchantRow): Merchant {
  return {
    uuid: row.id,
    version: row.version,
    code: row.code,
    name: row.name,
    currency: row.currency,
    status: row.status,
    deposit_rate: amountText(row.deposit_rate),
    withdrawal_rate: amountText(row.withdrawal_rate),
    settlement_rate: amountText(row.settlement_rate),
    charges_borne_by: row.charges_borne_by,
    website_url: row.website_url,
    backoffice_url: row.backoffice_url,
    callback_url: row.callback_url,
    whitelist_ips: row.whitelist_ips.join(", "),
    api_key: row.api_key,
    old_secret_until: oldSecretUntil(row),
    wallet: amountText(row.wallet),
    hold: amountText(row.hold),
    endpoint: row.endpoint,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

type Scope = Pick<StaffCall, "tenant" | "currency">;

export const merchantsOf = ({
  tenant,
  currency,
}: Scope) => sql`select m.*, coalesce(w.balance, 0) as wallet, coalesce(h.balance, 0) as hold,
    case when m.callback_url is null then 'none' when e.disabled_at is not null then 'disabled' when e.failures > 0 then 'failing'
      else 'working' end as endpoint, ${linkedTo(groupsOfMerchant, tenant, sql.ref("m.id"))} as groups
  from merchants m
  left join ledger_accounts w on w.tenant_id = m.tenant_id and w.kind = 'wallet' and w.currency = m.currency and w.owner_id = m.id
  left join ledger_accounts h on h.tenant_id = m.tenant_id and h.kind = 'hold' and h.currency = m.currency and h.owner_id = m.id
  left join callback_endpoints e on e.tenant_id = m.tenant_id and e.merchant_id = m.id
  where m.tenant_id = ${tenant} and m.currency = ${currency}`;

export const findMerchants = (db: Scoped, scope: Scope, ids: readonly string[]): Promise<MerchantRow[]> =>
  findRecords(db, merchantsOf(scope), ids);

/** The merchant's groups, the use of its secrets, its endpoint, and its day: requested today (in the currency's zone) and not refused since, and open from any day. */
export async function merchantDetail(db: Scoped, call: StaffCall, row: MerchantRow): Promise<Omit<MerchantDetail, "row" | "history">> {
  const { tenant, currency } = call;
  const { zoneMinutes } = call.currencyFacts;
  const day = await sql<{ deposits: number; deposit_amount: string; withdrawals: number; withdrawal_amount: string; open: number }>`
    select count(*) filter (where t.kind = 'deposit')::integer as deposits,
      coalesce(sum(t.amount) filter (where t.kind = 'deposit'), 0) as deposit_amount,
      count(*) filter (where t.kind = 'withdrawal')::integer as withdrawals,
      coalesce(sum(t.amount) filter (where t.kind = 'withdrawal'), 0) as withdrawal_amount,
      (select count(*)::integer from transactions o where o.tenant_id = ${tenant} and o.currency = ${currency}
        and o.kind in ('deposit', 'withdrawal') and o.status in ('pending', 'process') and o.merchant_id = ${row.id}) as open
    from transactions t where t.tenant_id = ${tenant} and t.merchant_id = ${row.id} and t.status not in ('rejected', 'expired')
      and t.created_at >= day_start(local_day(now(), ${zoneMinutes}::integer), ${zoneMinutes}::integer)`.execute(db);
  const today = day.rows[0];
  if (!today) throw new Error("an aggregate answers a row");
  return {
    groups: await linkedGroups(db, tenant, row.groups),
    keys: {
      secret_used_at: instantOrNull(row.secret_used_at),
      old_secret_used_at: oldSecretUntil(row) && instantOrNull(row.previous_secret_used_at),
    },
    endpoint: await endpointOf(db, tenant, row),
    today: { ...today, deposit_amount: amountText(today.deposit_amount), withdrawal_amount: amountText(today.withdrawal_amount) },
  };
}
