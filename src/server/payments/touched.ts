import type { Deps } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";

type Touched = Record<"paymentAccount" | "bankLine", Set<string>>;

/** Payment accounts and bank lines by the transaction that touches them. */
const touchedBy = new WeakMap<Scoped, Touched>();

/**
 * Notes payment accounts whose balance, limits, state or open items this transaction changes, or bank lines it gives back. They are
 * announced after its commit, by whoever runs it with `inTenantAnnouncing`.
 */
export function touch(db: Scoped, ids: Iterable<string | null | undefined>, event: keyof Touched = "paymentAccount"): void {
  const touched = touchedBy.get(db) ?? { paymentAccount: new Set(), bankLine: new Set() };
  touchedBy.set(db, touched);
  for (const id of ids) if (id != null) touched[event].add(id);
}

/** `inTenant`, and after its commit the events of the accounts and lines it touched. */
export async function inTenantAnnouncing<T>(
  { database, publisher }: Pick<Deps, "database" | "publisher">,
  tenant: string,
  work: (db: Scoped) => Promise<T>,
): Promise<T> {
  let last: Scoped | undefined;
  const result = await inTenant(database, tenant, (db) => work((last = db)));
  const touched = last && touchedBy.get(last);
  for (const event of ["paymentAccount", "bankLine"] as const) {
    const ids = touched?.[event];
    if (ids !== undefined && ids.size > 0) publisher.changed(tenant, event, [...ids]);
  }
  return result;
}
