import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Deps } from "../../../src/server/call.ts";
import { removeOld } from "../../../src/server/jobs/retention.ts";
import { startSweeps } from "../../../src/server/jobs/sweeps.ts";
import { expireDue } from "../../../src/server/payments/lapses.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeDeps, makeMerchant } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
const soon = { timeout: 60_000, interval: 50 };
let folder: string;
let deps: Deps;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skipped-"));
  deps = makeDeps(db);
});

afterEach(async () => {
  await Promise.all(broken.map((table) => db.owner.query(`drop trigger if exists unreadable on ${table}`)));
  rmSync(folder, { recursive: true, force: true });
});

const broken = ["transaction_events", "audit_chain", "idempotency_keys"];
/** From now on every change of the row fails with a database error. */
const breakRows = (table: string, when: "insert" | "delete", condition: string) =>
  db.owner.query(`create trigger unreadable before ${when} on ${table} for each row when (${condition}) execute function refuse_change()`);

const n = async (sql: string, of: unknown) =>
  Number((await db.owner.query<{ n: string }>(`select count(*) as n from ${sql}`, [of])).rows[0]?.n);

/** A tenant with an expired deposit, a lapsed claim, and before each of them one that a test can break. */
async function officeWithDue(): Promise<{ office: Office; unreadable: string[] }> {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000" });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [merchant]);
  const [first, second] = [await office.deposit(merchant), await office.deposit(merchant)];
  const [claimed, other] = [await office.claimed(merchant, { amount: "10.00" }), await office.claimed(merchant, { amount: "20.00" })];
  for (const [n, id] of [first.id, second.id].entries())
    await db.owner.query("update transactions set expires_at = now() - make_interval(mins => $2) where id = $1", [id, 9 - n]);
  for (const [n, { uuid }] of [claimed, other].entries())
    await db.owner.query("update transactions set claim_until = now() - make_interval(mins => $2) where id = $1", [uuid, 9 - n]);
  return { office, unreadable: [first.id, claimed.uuid] };
}

test("a row that fails stops no other row's expiry, lapse or sealing, in its tenant or another", async () => {
  const [one, two] = [await officeWithDue(), await officeWithDue()];
  const tenants = [one.office.tenant.id, two.office.tenant.id];
  await breakRows("transaction_events", "insert", `new.transaction_id in (${one.unreadable.map((id) => `'${id}'`).join()})`);
  await breakRows("audit_chain", "insert", `new.tenant_id = '${tenants[0]}'`);
  const sweeps = startSweeps(deps, { anchorsFolder: folder });
  try {
    await vi.waitFor(async () => {
      expect(await n("transactions where status = 'expired' and tenant_id = any($1::uuid[])", tenants)).toBe(3);
      expect(await n("transactions where claimed_by is not null and tenant_id = any($1::uuid[])", tenants)).toBe(1);
      expect(await n("audit_unsealed where tenant_id = $1", tenants[1])).toBe(0);
      for (const name of ["expiry", "lapsed claims", "audit sealing"]) {
        expect(deps.sweeps.all().get(name)).toEqual({ failures: expect.any(Number), endedAt: expect.any(Date) });
        expect(deps.sweeps.all().get(name)?.failures).toBeGreaterThan(0);
      }
    }, soon);
    expect(await n("audit_unsealed where tenant_id = $1", tenants[0])).toBeGreaterThan(0);
  } finally {
    await sweeps.stop();
  }
});

test("a batch of rows that fail is skipped for the next batch", async () => {
  const { office, unreadable } = await officeWithDue();
  await breakRows("transaction_events", "insert", `new.transaction_id = '${unreadable[0]}'`);
  const failed = new Set<string>();
  expect(await expireDue(office.deps, office.tenant.id, 1, failed)).toEqual([]);
  expect([...failed]).toEqual([unreadable[0]]);
  expect(await expireDue(office.deps, office.tenant.id, 1, failed)).toHaveLength(1);
});

test("rows of one tenant that cannot be removed stop no other tenant's cleaning", async () => {
  const [one, two] = [await makeOffice(db), await makeOffice(db)];
  for (const { tenant } of [one, two])
    await db.owner.query(
      `insert into idempotency_keys (tenant_id, actor, key, fingerprint, created_at) values ($1, $1, 'old-key-1', '\\x', now() - interval '1 year')`,
      [tenant.id],
    );
  await breakRows("idempotency_keys", "delete", `old.tenant_id = '${one.tenant.id}'`);
  await removeOld(deps);
  expect(await n("idempotency_keys where tenant_id = $1", two.tenant.id)).toBe(0);
  expect(await n("idempotency_keys where tenant_id = $1", one.tenant.id)).toBe(1);
  expect(deps.sweeps.all().get("cleaning")?.failures).toBe(1);
});
