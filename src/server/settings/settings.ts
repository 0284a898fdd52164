import { z } from "zod";
import { Amount } from "../../contract/wire.ts";
import type { Scoped } from "../db/scope.ts";

/** What a tenant may set, with the defaults of domain.md. Stored as a partial object; read through `readSettings`. */
export const TenantSettings = z.object({
  deposit_expiry_minutes: z.int().min(1).max(10_080).default(30),
  /** null: never. */
  withdrawal_expiry_hours: z.int().min(1).max(8_760).nullable().default(null),
  claim_limit: z.int().min(1).max(100).default(10),
  recall_seconds: z.int().min(0).max(60).default(5),
  tiers: z.record(z.string(), z.object({ confirm_from: Amount, second_from: Amount })).default({}),
  reject_reasons: z
    .array(z.object({ code: z.string().regex(/^[a-z-]+$/), text: z.string().max(120).nullable() }))
    .max(9)
    .default([
      { code: "name-mismatch", text: null },
      { code: "account-closed", text: null },
      { code: "account-invalid", text: null },
      { code: "duplicate", text: null },
      { code: "over-limit", text: null },
      { code: "suspected-fraud", text: null },
      { code: "merchant-asked", text: null },
    ]),
  /** Development only: callbacks may go to loopback addresses and over plain http. */
  loopback_callbacks: z.boolean().default(false),
  sla: z.object({ amber_minutes: z.int(), red_minutes: z.int() }).default({ amber_minutes: 5, red_minutes: 10 }),
});
export type TenantSettings = z.infer<typeof TenantSettings>;

export function readSettings(stored: unknown): TenantSettings {
  return TenantSettings.parse(stored ?? {});
}

/** A claim's lease (domain.md 4). */
export const leaseSeconds = 90;

/** Amounts from which a second key and a second person are asked, where the tenant set none. */
export const defaultTier = { confirm_from: "5000.00", second_from: "50000.00" };

export async function settingsOf(db: Scoped, tenant: string): Promise<TenantSettings> {
  const row = await db.selectFrom("tenants").select("settings").where("id", "=", tenant).executeTakeFirst();
  return readSettings(row?.settings);
}
