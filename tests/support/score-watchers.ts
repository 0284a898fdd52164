import type { TestDatabase } from "./database.ts";
import type { Tenant } from "./factories.ts";

/** A watcher of a master account whose turn has come, inserted as the owner. */
export async function makeWatcher(
  { owner }: TestDatabase,
  tenant: Pick<Tenant, "id" | "currency">,
  account: string,
  columns: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const values = {
    tenant_id: tenant.id,
    currency: tenant.currency,
    master_account_id: account,
    threshold: "500",
    every_minutes: 15,
    next_at: new Date(),
    ...columns,
  };
  const { rows } = await owner.query<{ id: string }>(
    `insert into score_watchers (${Object.keys(values).join(", ")}) values (${Object.keys(values).map((_, at) => `$${at + 1}`)}) returning id`,
    Object.values(values),
  );
  return rows[0]?.id ?? "";
}
