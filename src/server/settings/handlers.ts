import { sql } from "kysely";
import type { FieldLines } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Received } from "../../contract/route.ts";
import type { SettingName, SettingValues, TenantSettingDetail } from "../../contract/settings.ts";
import { settingParts, settingRoutes } from "../../contract/settings.ts";
import { fitsMinorUnit, money } from "../../values/money.ts";
import { actorOf } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import { requireStepUp } from "../auth/proof.ts";
import { isDevelopment } from "../config.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import type { Effect } from "../idempotency.ts";
import { once } from "../idempotency.ts";
import type { RecordRef } from "../audit/records.ts";
import { audit, differences, historyOf, stale } from "../audit/records.ts";
import { currenciesOf } from "./currencies.ts";
import { offeredLanguages, readSettings, tiersOf } from "./settings.ts";

const names = Object.keys(settingParts) as SettingName[]; // Object.keys widens

/** Settings whose change requires step-up, because they are limits or protect accounts. */
const guarded = ["tiers", "settlement_minimum", "claim_limit", "require_two_factor"] as const satisfies readonly SettingName[];

const refOf = ({ tenant }: StaffCall): RecordRef => ({ tenant, entity: "tenant-setting", id: tenant });

interface Known {
  readonly values: SettingValues;
  readonly version: number;
  readonly currencies: readonly string[];
  readonly minorDigits: ReadonlyMap<string, number>;
}

async function read(db: Scoped, tenant: string, lock: "lock" | "read"): Promise<Known> {
  const { rows } = await sql<{ settings: unknown; version: number }>`select settings, version from tenants where id = ${tenant}
    ${lock === "lock" ? sql`for no key update` : sql``}`.execute(db);
  const row = rows[0];
  if (!row) throw new Refusal("not-found");
  const currencies = await currenciesOf(db, tenant);
  return {
    values: readSettings(row.settings),
    version: row.version,
    currencies: currencies.map(({ code }) => code),
    minorDigits: new Map(currencies.map(({ code, minor_digits }) => [code, minor_digits])),
  };
}

/** The settings as the console shows them: with the tier and the smallest settlement of each currency, and all offered languages. */
const shown = (values: SettingValues, currencies: readonly string[]): SettingValues => ({
  ...values,
  tiers: tiersOf(values, currencies),
  settlement_minimum: Object.fromEntries(currencies.map((code) => [code, values.settlement_minimum[code] ?? "0.00"])),
  languages: offeredLanguages(values),
});

async function detail(db: Scoped, call: StaffCall): Promise<TenantSettingDetail> {
  const { values, version, currencies } = await read(db, call.tenant, "read");
  const latest = await sql<{ part: SettingName; by: string; at: Date }>`
    select distinct on (part) part, actor_name as by, at from audit_entries, jsonb_object_keys(after) as part
    where tenant_id = ${call.tenant} and entity = 'tenant-setting' and entity_id = ${call.tenant} and part = any(${names}::text[])
    order by part, id desc`.execute(db);
  return {
    row: { uuid: call.tenant, version, ...shown(values, currencies) },
    defaults: shown(readSettings({}), currencies),
    development: isDevelopment(call.deps.config),
    changed: Object.fromEntries(latest.rows.map(({ part, by, at }) => [part, { by, at: at.toISOString() }])),
    history: await historyOf(db, refOf(call)),
  };
}

/** Faults of the changed settings, by field. */
function faults(call: StaffCall, { minorDigits }: Known, changed: Partial<SettingValues>): FieldLines {
  const lines: FieldLines = {};
  const check = (part: "tiers" | "settlement_minimum", code: string, amounts: Readonly<Record<string, string>>) => {
    const digits = minorDigits.get(code);
    if (digits === undefined) {
      lines[`${part}.${code}`] = ["Not a currency of this tenant"];
      return;
    }
    for (const [name, amount] of Object.entries(amounts))
      if (!fitsMinorUnit(money(amount), digits)) lines[name] = [`Must have at most ${digits} decimals`];
  };
  for (const [code, { confirm_from, second_from }] of Object.entries(changed.tiers ?? {}))
    check("tiers", code, { [`tiers.${code}.confirm_from`]: confirm_from, [`tiers.${code}.second_from`]: second_from });
  for (const [code, amount] of Object.entries(changed.settlement_minimum ?? {}))
    check("settlement_minimum", code, { [`settlement_minimum.${code}`]: amount });
  if (changed.loopback_callbacks === true && !isDevelopment(call.deps.config)) lines["loopback_callbacks"] = ["Only for development"];
  return lines;
}

type Change = Received<typeof settingRoutes.updateSettings>["body"];

async function update(db: Scoped, call: StaffCall, { version, ...given }: Change): Promise<Effect<TenantSettingDetail>> {
  const known = await read(db, call.tenant, "lock");
  if (known.version !== version) {
    const { row, changed } = await detail(db, call);
    const latest = Object.values(changed).toSorted((a, b) => (a.at < b.at ? 1 : -1))[0];
    throw await stale(db, refOf(call), { ...row, updated_at: latest?.at ?? new Date().toISOString() });
  }
  const was = shown(known.values, known.currencies);
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<SettingValues>; // entries without undefined
  // a currency that the request leaves out keeps its own
  const now = {
    ...was,
    ...sent,
    tiers: { ...was.tiers, ...sent.tiers },
    settlement_minimum: { ...was.settlement_minimum, ...sent.settlement_minimum },
  };
  const changes = differences(was, { ...now, languages: offeredLanguages(now) });
  if (changes) {
    const lines = faults(call, known, changes.after);
    if (Object.keys(lines).length > 0) throw new Refusal("request.invalid", lines);
    if (guarded.some((name) => name in changes.after)) await requireStepUp(db, call);
    await sql`update tenants set settings = settings || ${JSON.stringify(changes.after)}::jsonb, version = version + 1
      where id = ${call.tenant}`.execute(db);
    await audit(db, refOf(call), actorOf(call), "update", changes);
  }
  return { answer: await detail(db, call) };
}

/** Every request of every process reads the settings, so a change takes effect at once. */
export const settingHandlers: Handlers<typeof settingRoutes, StaffCall> = {
  async readSettings(call) {
    return { data: await inTenant(call.deps.database, call.tenant, (db) => detail(db, call)) };
  },

  async updateSettings(call, { body }) {
    return { data: await once(call, null, (db) => update(db, call, body)) };
  },
};
