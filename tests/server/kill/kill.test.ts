import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkInvariants } from "../../../src/server/db/invariants.ts";
import { openDatabase } from "../../../src/server/db/scope.ts";
import { secretBox } from "../../../src/server/secrets/secrets.ts";
import { approvalsOf } from "../../support/approved.ts";
import type { Operator } from "../../support/crew.ts";
import { makeCrew } from "../../support/crew.ts";
import type { TestDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { makeAccount, makeDeps, makeMerchant } from "../../support/factories.ts";
import type { Served } from "../../support/http.ts";
import type { Office } from "../../support/payments.ts";
import { makeOffice } from "../../support/payments.ts";
import type { ServerProcess } from "../../support/processes.ts";
import { serverProcess } from "../../support/processes.ts";
import { cutterBefore } from "./cutter.ts";

const serverKills = long({ share: 10, whole: 200 });
const postgresKills = long({ share: 2, whole: 60 });
const cuts = long({ share: 20, whole: 500 });
const operatorCount = 8;

let server: ServerProcess;
let db: TestDatabase;
let office: Office;
let crew: Operator[];
let servedAt: (url: string) => Served;

beforeAll(async () => {
  server = await serverProcess();
  await server.start();
  const connectionString = await server.connectionString();
  const connectAs = (role: string): pg.ClientConfig => ({ connectionString: connectionString.replace(/user=\w+/, `user=${role}`) });
  const owner = new pg.Pool({ ...connectAs("app"), max: 4 });
  owner.on("error", () => undefined); // PostgreSQL is killed under it
  db = { database: openDatabase(connectAs, 8), owner, connectAs };
  const masterKey = Buffer.from(readFileSync(join(server.dataDir, "master.key"), "utf8"), "base64");
  office = await makeOffice(db, { settings: { claim_limit: 100, recall_seconds: 0 } });
  await makeAccount(db, office.tenant, { balance: "100000000" });
  const deps = { ...makeDeps(db), secrets: secretBox(masterKey) };
  servedAt = (url) => ({ deps, url }) as unknown as Served; // a crew asks over the url only
  crew = await makeCrew(db, servedAt(server.url), office, operatorCount);
});

afterAll(async () => {
  await Promise.all([db.database.close(), db.owner.end()]);
  await server.end();
});

/** Approves one withdrawal after the other while servers die under it; what was acknowledged is noted. */
async function work(
  operator: Operator,
  merchant: { id: string; name: string; currency: string },
  acknowledged: string[],
  faults: unknown[],
  until: () => boolean,
): Promise<void> {
  for (let n = 0; !until(); n++) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one act after the other
      const { id: uuid, version } = await office.withdraw(merchant, {
        amount: "10.00",
        member: `${operator.name} ${n}`,
        merchant_txn_no: `${operator.id}-${n}`,
      });
      // oxlint-disable-next-line no-await-in-loop
      const claim = await operator.act("claim", { uuid, version });
      if (!claim.row) continue;
      // oxlint-disable-next-line no-await-in-loop
      const outcome = await operator.act("approve", claim.row);
      if (outcome.done) acknowledged.push(uuid);
      else if (outcome.status >= 500 && outcome.status !== 503) faults.push(outcome);
    } catch {
      // nobody answers at the moment: the act is not acknowledged
      // oxlint-disable-next-line no-await-in-loop
      await vi.waitFor(() => db.owner.query("select 1"), { timeout: 600_000, interval: 20 });
    }
  }
}

test(`kill −9 of the server ${serverKills} times and of PostgreSQL ${postgresKills} times under approving load: what was acknowledged is there, whole`, async () => {
  const merchant = await makeMerchant(db, office.tenant, { wallet: "100000000" });
  const acknowledged: string[] = [];
  const faults: unknown[] = [];
  const starts: number[] = [];
  const returns: number[] = [];
  let over = false;
  const working = Promise.all(crew.map((operator) => work(operator, merchant, acknowledged, faults, () => over)));
  const moreThan = (count: number) =>
    vi.waitFor(() => expect(acknowledged.length).toBeGreaterThanOrEqual(count), { timeout: 600_000, interval: 10 });
  for (let n = 0; n < serverKills; n++) {
    // in the middle of it, each time
    // oxlint-disable-next-line no-await-in-loop
    await moreThan(acknowledged.length + 15);
    // oxlint-disable-next-line no-await-in-loop
    await server.kill();
    // oxlint-disable-next-line no-await-in-loop
    await server.start();
    starts.push(server.readyAfter);
  }
  for (let n = 0; n < postgresKills; n++) {
    // oxlint-disable-next-line no-await-in-loop
    await moreThan(acknowledged.length + 15);
    const before = acknowledged.length;
    const killed = performance.now();
    server.killPostgres();
    // what was under way may still be acknowledged by a backend that is just ending
    // oxlint-disable-next-line no-await-in-loop
    await moreThan(before + operatorCount + 1);
    returns.push(performance.now() - killed);
  }
  over = true;
  await working;
  process.stdout.write(
    `restart ready after ${Math.round(Math.max(...starts))} ms at most; acts again ${Math.round(Math.max(...returns))} ms after PostgreSQL was killed; ${acknowledged.length} acknowledged\n`,
  );

  expect(faults).toEqual([]);
  const there = await approvalsOf(db, office.tenant);
  expect(acknowledged.filter((id) => there.get(id) !== 1)).toEqual([]);
  expect([...there.values()].filter((approvals) => approvals !== 1)).toEqual([]);
  const client = await db.owner.connect();
  expect((await checkInvariants(client)).filter((one) => one.rows.length > 0)).toEqual([]);
  client.release();
}, 1_800_000);

test("an answer cut off after the commit: the retry with the same key has one effect", async () => {
  const cutter = await cutterBefore(server.url);
  const place = await makeOffice(db, { settings: { claim_limit: 100, recall_seconds: 0 } });
  await makeAccount(db, place.tenant, { balance: "100000000" });
  const merchant = await makeMerchant(db, place.tenant, { wallet: "100000" });
  const [operator] = await makeCrew(db, servedAt(cutter.url), place, 1);
  if (!operator) throw new Error("there is a crew");
  for (let n = 0; n < cuts; n++) {
    // oxlint-disable-next-line no-await-in-loop -- one cut after the other
    const { id: uuid, version } = await place.withdraw(merchant, { amount: "10.00", member: `cut ${n}`, merchant_txn_no: `cut-${n}` });
    // oxlint-disable-next-line no-await-in-loop
    const { row } = await operator.act("claim", { uuid, version });
    if (!row) throw new Error("a free one is claimed");
    const body = { rows: [{ uuid, version: row.version }] };
    const key = `cut-${n}-${uuid}`;
    cutter.cut(n % 4 === 3 ? "request" : "answer");
    // oxlint-disable-next-line no-await-in-loop
    expect(await operator.ask("approveWithdrawals", body, key).catch(() => "cut off")).toBe("cut off");
    cutter.cut("nothing");
    // oxlint-disable-next-line no-await-in-loop
    let retried = await operator.ask("approveWithdrawals", body, key);
    // what was cut off still runs: asked again, as a client does
    // oxlint-disable-next-line no-await-in-loop
    while (retried.text.includes("request.in-progress")) retried = await operator.ask("approveWithdrawals", body, key);
    expect(retried.status).toBe(200);
    expect(retried.text).toContain('"done":true');
  }
  const { rows } = await db.owner.query(
    "select count(*)::integer as n, count(distinct transaction_id)::integer as items from transaction_events e join transactions t on t.id = e.transaction_id where t.merchant_id = $1 and e.act = 'approve'",
    [merchant.id],
  );
  expect(rows).toEqual([{ n: cuts, items: cuts }]);
  await cutter.close();
}, 600_000);
