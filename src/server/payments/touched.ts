import type { Deps } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";

/** Payment accounts by the transaction that touches them. */
const touchedBy = new WeakMap<Scoped, Set<string>>();

/**
 * Notes payment accounts whose balance, limits, state or open items this transaction changes. They are announced after its commit, by
 * whoever runs it with `inTenantAnnouncing`.
 */
export function touch(db: Scoped, accounts: Iterable<string | null | undefined>): void {
  const touched = touchedBy.get(db) ?? new Set();
  touchedBy.set(db, touched);
  for (const id of accounts) if (id != null) touched.add(id);
}

/** `inTenant`, and after its commit the event `paymentAccount` of the accounts it touched. */
export async function inTenantAnnouncing<T>(
  { database, publisher }: Pick<Deps, "database" | "publisher">,
  tenant: string,
  work: (db: Scoped) => Promise<T>,
): Promise<T> {
  let last: Scoped | undefined;
  const result = await inTenant(database, tenant, (db) => work((last = db)));
  const touched = (last && touchedBy.get(last)) ?? new Set();
  if (touched.size > 0) publisher.changed(tenant, "paymentAccount", [...touched]);
  return result;
}
