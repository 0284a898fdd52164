import type { ClientBase } from "pg";

interface DemoDowntime {
  /** What it is of, and the place of that in the order of its names. */
  readonly of: "master_accounts" | "merchant_providers" | "provider_games";
  readonly nth: number;
  readonly reason: string;
  /** Minutes from now, and how many it lasts. */
  readonly from: number;
  readonly minutes: number;
  readonly weekly?: true;
  readonly zone?: string;
}

const hour = 60;
const day = 24 * hour;

/** What had been planned by the time the demo begins: past, lasting and to come. */
const planned: readonly DemoDowntime[] = [
  { of: "master_accounts", nth: 0, reason: "Build 4.12", from: -80, minutes: 190 },
  { of: "master_accounts", nth: 1, reason: "Certificate", from: 5 * hour, minutes: 45 },
  { of: "master_accounts", nth: 3, reason: "Dealer shift", from: -6 * day - 2 * hour, minutes: 30, weekly: true, zone: "Europe/Malta" },
  { of: "master_accounts", nth: 4, reason: "Settlement of the week", from: -3 * day, minutes: 120, weekly: true },
  { of: "merchant_providers", nth: 1, reason: "Wallet move", from: 60, minutes: 150 },
  { of: "merchant_providers", nth: 3, reason: "Database upgrade", from: 9 * hour, minutes: 360 },
  { of: "merchant_providers", nth: 2, reason: "Wallet keys", from: -9 * hour, minutes: 90 },
  { of: "provider_games", nth: 4, reason: "Certificate of the table", from: -150, minutes: 165 },
  { of: "provider_games", nth: 11, reason: "Paytable check", from: 3 * hour, minutes: 150 },
  { of: "provider_games", nth: 23, reason: "Random source change", from: 2 * day + hour, minutes: 75 },
  { of: "provider_games", nth: 30, reason: "Camera fault", from: -30 * hour, minutes: 90 },
];

const columns = {
  master_accounts: "master_account_id",
  merchant_providers: "merchant_provider_id",
  provider_games: "provider_game_id",
} as const;

/** Downtimes of a currency, planned by one of the tenant's people; what the currency has not is left out. */
export async function insertDowntimes(
  client: ClientBase,
  { tenant, currency, by, at }: { readonly tenant: string; readonly currency: string; readonly by: string; readonly at: number },
): Promise<void> {
  for (const { of, nth, reason, from, minutes, weekly = false, zone = null } of planned) {
    const starts = at + from * 60_000;
    // oxlint-disable-next-line no-await-in-loop -- a dozen rows, in their order
    await client.query(
      `insert into downtimes (tenant_id, currency, ${columns[of]}, reason, starts_at, ends_at, weekly, zone, by_user, tell_at, told, created_at, updated_at)
        select $1, $2, r.id, $3, $4, $5, $6, $7, $8, now(), case when $4 <= now() and $5 > now() then 'active' end, $9, $9
        from ${of} r where r.tenant_id = $1 and r.currency = $2 order by lower(r.name), r.id offset $10 limit 1`,
      [
        tenant,
        currency,
        reason,
        new Date(starts),
        new Date(starts + minutes * 60_000),
        weekly,
        zone,
        by,
        new Date(Math.min(at, starts) - day * 60_000),
        nth,
      ],
    );
  }
}
