import type { Database } from "./scope.ts";
import { inTenant } from "./scope.ts";

/** One caller's read. */
interface Reading {
  /** Rejects where the transaction is over with it; it may be run again in another. */
  run(within: Database): Promise<void>;
  fail(error: unknown): void;
}

const gathered = new WeakMap<Database, Map<string, Reading[]>>();

/**
 * Reads of one tenant that are asked for in the same turn of the event loop share one transaction and its round trips. `work` only reads,
 * by the database it is given, in which `inTenant` is that transaction. A failure is told to its own caller; what follows it in the shared
 * transaction is then read in one of its own.
 */
export function together<T>(database: Database, tenant: string, work: (within: Database) => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const ofTenants = gathered.get(database) ?? new Map<string, Reading[]>();
    gathered.set(database, ofTenants);
    const readings = ofTenants.get(tenant) ?? [];
    if (readings.length === 0) setImmediate(() => void readAll(database, tenant, ofTenants));
    ofTenants.set(tenant, readings);
    readings.push({ run: async (within) => resolve(await work(within)), fail: reject });
  });
}

/** A read as `together` runs it, in a transaction of its own. */
export const alone = <T>(database: Database, tenant: string, work: (within: Database) => Promise<T>): Promise<T> =>
  inTenant(database, tenant, (db) => work({ ...database, snapshot: { tenant, db } }));

async function readAll(database: Database, tenant: string, ofTenants: Map<string, Reading[]>): Promise<void> {
  const readings = ofTenants.get(tenant) ?? [];
  ofTenants.delete(tenant);
  while (readings.length > 0) {
    let current: Reading | undefined;
    // oxlint-disable-next-line no-await-in-loop -- a transaction that failed is over, and the next is for what it left
    await inTenant(database, tenant, async (db) => {
      const within = { ...database, snapshot: { tenant, db } };
      // one that failed stays the first, because the transaction may be begun again, or by another server
      while ((current = readings[0]) !== undefined) {
        await current.run(within);
        readings.shift();
      }
    }).catch((error: unknown) => {
      // where none began, no other would
      const failed = readings.splice(0, current === undefined ? readings.length : 1);
      for (const { fail } of failed) fail(error);
    });
  }
}
