import type { TestDatabase } from "./database.ts";
import type { Tenant } from "./factories.ts";

/** What a downtime is of. */
export type DowntimeOf =
  | { readonly master_account_id: string }
  | { readonly merchant_provider_id: string }
  | { readonly provider_game_id: string };

/** Minutes from now, as an instant. */
export const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();

/** A downtime, inserted as the owner: from ten minutes ago for an hour unless `columns` say otherwise. */
export async function makeDowntime(
  { owner }: TestDatabase,
  tenant: Pick<Tenant, "id" | "currency">,
  by: { readonly id: string },
  of: DowntimeOf,
  columns: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const values = {
    tenant_id: tenant.id,
    currency: tenant.currency,
    by_user: by.id,
    reason: "Maintenance",
    starts_at: inMinutes(-10),
    ends_at: inMinutes(50),
    ...of,
    ...columns,
  };
  const { rows } = await owner.query<{ id: string }>(
    `insert into downtimes (${Object.keys(values).join(", ")}) values (${Object.keys(values).map((_, at) => `$${at + 1}`)}) returning id`,
    Object.values(values),
  );
  return rows[0]?.id ?? "";
}
