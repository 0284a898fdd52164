import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openDatabase } from "../../../src/server/db/scope.ts";
import { endOrphans, isAlive, readPostmaster } from "../../../src/server/db/embedded-process.ts";
import { secretBox } from "../../../src/server/secrets/secrets.ts";
import { approvalsOf } from "../../support/approved.ts";
import { command, manifestIn } from "../../support/backups.ts";
import { makeCrew } from "../../support/crew.ts";
import type { Operator } from "../../support/crew.ts";
import type { TestDatabase } from "../../support/database.ts";
import { makeAccount, makeDeps, makeMerchant } from "../../support/factories.ts";
import type { Merchant } from "../../support/factories.ts";
import { ask, pathOf, routeOf, sessionOf } from "../../support/http.ts";
import type { Served } from "../../support/http.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { serverProcess } from "../../support/processes.ts";
import type { ServerProcess } from "../../support/processes.ts";
import { formOf, uniquePng } from "../../support/receipts.ts";

const key = Buffer.alloc(32, 7); // what the factories seal merchants' secrets with
const patience = { timeout: 60_000, interval: 20 };

let server: ServerProcess;
let db: TestDatabase;
let office: Office;
let merchant: Merchant;
let crew: Operator[];
let served: Served;
let place: string;
let dir: string;

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "countinghouse-backups-"));
  dir = join(place, "one");
  server = await serverProcess();
  writeFileSync(join(server.dataDir, "master.key"), key.toString("base64"), { mode: 0o600 });
  await server.start();
  const connectionString = await server.connectionString();
  const connectAs = (role: string): pg.ClientConfig => ({ connectionString: connectionString.replace(/user=\w+/, `user=${role}`) });
  const owner = new pg.Pool({ ...connectAs("app"), max: 4 });
  owner.on("error", () => undefined); // PostgreSQL is killed under it
  db = { database: openDatabase(connectAs, 8), owner, connectAs };
  office = await makeOffice(db, { settings: { claim_limit: 100, recall_seconds: 0 } });
  await makeAccount(db, office.tenant, { balance: "100000000" });
  merchant = await makeMerchant(db, office.tenant, { wallet: "100000000" });
  served = { deps: { ...makeDeps(db), secrets: secretBox(key) }, url: server.url } as unknown as Served; // asked over the url only
  crew = await makeCrew(db, served, office, 4, ["pas.transaction.withdrawals.receipt"]);
});

afterAll(async () => {
  await Promise.all([db.database.close(), db.owner.end()]);
  await server.end();
  rmSync(place, { recursive: true, force: true });
});

interface Acknowledged {
  readonly uuid: string;
  /** ms, when the answer was there. */
  readonly at: number;
}

/** Approves one withdrawal after the other. */
async function approve(operator: Operator, acknowledged: Acknowledged[], isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    const number = { member: `${operator.name} ${n}`, merchant_txn_no: `${operator.id}-${n}` };
    // oxlint-disable-next-line no-await-in-loop -- one act after the other
    const { id: uuid, version } = await office.withdraw(merchant, { amount: "10.00", ...number });
    // oxlint-disable-next-line no-await-in-loop
    const claim = await operator.act("claim", { uuid, version });
    if (!claim.row) continue;
    // oxlint-disable-next-line no-await-in-loop
    const outcome = await operator.act("approve", claim.row);
    if (outcome.done) acknowledged.push({ uuid, at: Date.now() });
  }
}

/** Rows of an hour ago, for which anchors must vouch; resolves when the server has chained them. */
async function auditOfAnHourAgo(): Promise<void> {
  await db.owner.query(
    `insert into audit_entries (tenant_id, at, actor_kind, actor_name, act, entity)
      select $1, now() - interval '1 hour', 'system', 'system', 'look', 'nothing' from generate_series(1, 30)`,
    [office.tenant.id],
  );
  await vi.waitFor(async () => {
    const { rows } = await db.owner.query(
      `select count(*)::integer as n from audit_chain c join audit_entries e on e.tenant_id = c.tenant_id and e.id = c.entry_id
        where c.tenant_id = $1 and e.entity = 'nothing'`,
      [office.tenant.id],
    );
    expect(rows).toEqual([{ n: 30 }]);
  }, patience);
}

const receiptOf = async (uuid: string, receipt: string, token: string): Promise<Buffer> => {
  const headers = { authorization: `Bearer ${token}`, "x-tenant-id": office.tenant.id, "x-currency": office.tenant.currency };
  const answer = await fetch(`${server.url}${pathOf(routeOf("readWithdrawalReceipt"), { params: { uuid, receipt } })}`, { headers });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};

/** Keeps a backup from its end until the answered function is called, as a sealing of audit rows under way does. */
async function holdBackups(): Promise<() => Promise<void>> {
  const client = await db.owner.connect();
  await client.query("begin");
  await client.query("lock table audit_heads in row exclusive mode");
  return async () => {
    await client.query("rollback");
    client.release();
  };
}

/** kill −9 of the server and of PostgreSQL, and nothing is left of their folder. */
async function loseMachine(): Promise<void> {
  const data = join(server.dataDir, "postgres");
  const pid = readPostmaster(data)?.pid ?? 0;
  await server.kill();
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // its watcher was faster
  }
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), patience);
  await endOrphans(data);
  rmSync(server.dataDir, { recursive: true });
}

test("taken under load, the machine lost, restored: the audit is clean, and nothing acknowledged before the backup's end is missing", async () => {
  const acknowledged: Acknowledged[] = [];
  const [operator] = crew;
  if (!operator) throw new Error("there is a crew");
  await auditOfAnHourAgo();

  let over = false;
  const working = Promise.all(crew.map((one) => approve(one, acknowledged, () => over)));
  const more = (count: number) => vi.waitFor(() => expect(acknowledged.length).toBeGreaterThanOrEqual(count), patience);
  await more(10);
  // so that work is acknowledged while it copies, however fast that is
  const letGo = await holdBackups();
  const backup = command(server.dataDir, ["backup", dir]);
  await backup.says("copying");
  await more(acknowledged.length + 30);
  // PostgreSQL would remove what it has logged so far, if nothing held it
  await db.owner.query("select pg_switch_wal()");
  await db.owner.query("checkpoint");
  // both its row and its file
  const withReceipt = await office.withdraw(merchant);
  const { access_token: token } = await sessionOf(served.deps, operator.id);
  const added = await ask(served, "addWithdrawalReceipt", {
    token,
    tenant: office.tenant.id,
    currency: office.tenant.currency,
    params: { uuid: withReceipt.id },
    ...formOf(uniquePng()),
  });
  const receipt = (added.data as { receipts: { uuid: string }[] }).receipts[0]?.uuid ?? ""; // the contract's shape
  const kept = await receiptOf(withReceipt.id, receipt, token);
  await more(acknowledged.length + 10);
  await letGo();
  expect(await backup.ended).toEqual({ code: 0, said: expect.stringContaining("is complete") });
  over = true;
  await working;
  const until = Date.parse(manifestIn(dir).until);
  const before = acknowledged.filter(({ at }) => at < until).map(({ uuid }) => uuid);
  expect(before.length).toBeGreaterThanOrEqual(50);

  await loseMachine();
  expect(await command(server.dataDir, ["restore", dir]).ended).toEqual({ code: 0, said: expect.stringContaining("is restored") });
  // before the server starts, which would anchor what it finds
  const audited = await command(server.dataDir, ["audit"]).ended;
  expect(audited.said).toMatch(/all \d+ invariants hold/);
  expect(audited.code).toBe(0);
  // PostgreSQL knew that it is a backup: else it replays from a checkpoint of the time of copying, and loses what is before it
  expect(readFileSync(join(server.dataDir, "postgres.log"), "utf8")).toMatch(/completed backup recovery/);

  await server.start();
  const there = await approvalsOf(db, office.tenant);
  expect(before.filter((uuid) => there.get(uuid) !== 1)).toEqual([]);
  // by a token of before the loss, which a key derived from the master key has signed
  expect((await receiptOf(withReceipt.id, receipt, token)).equals(kept)).toBe(true);
  const { row } = await operator.act("claim", { uuid: withReceipt.id, version: await versionOf(withReceipt.id) });
  expect((await operator.act("approve", row ?? { uuid: "", version: 0 })).done).toBe(true);
}, 300_000);

const versionOf = async (id: string): Promise<number> =>
  (await db.owner.query<{ version: number }>("select version from transactions where id = $1", [id])).rows[0]?.version ?? 0;

test("a backup that is stopped, or whose disk is full, leaves nothing: no folder, no log held back, no backup mode", async () => {
  const stopped = join(place, "stopped");
  const letGo = await holdBackups();
  const backup = command(server.dataDir, ["backup", stopped]);
  await backup.says("copying");
  backup.process.kill("SIGINT");
  await letGo();
  expect(await backup.ended).toEqual({ code: 1, said: expect.stringContaining("stopped by SIGINT; nothing of it is left") });
  expect(existsSync(stopped)).toBe(false);
  expect((await db.owner.query("select slot_name from pg_replication_slots")).rows).toEqual([]);
  // some files of a cluster are larger than this
  const full = await command(server.dataDir, ["backup", stopped], { largestFile: 100 }).ended;
  expect(full).toEqual({ code: 1, said: expect.stringContaining("the backup was not made, and nothing of it is left: EFBIG") });
  expect(existsSync(stopped)).toBe(false);
  // the next one begins as if there had been none
  expect((await command(server.dataDir, ["backup", stopped]).ended).code).toBe(0);
});

test("--verify starts a copy of a good backup and audits it, and fails one with another byte; no copy is left", async () => {
  const good = await command(server.dataDir, ["backup", "--verify", dir]).ended;
  expect(good.said).toMatch(/all \d+ invariants hold/);
  expect(good.code).toBe(0);
  const file = join(dir, "postgres/global/pg_control");
  const bytes = readFileSync(file);
  mkdirSync(join(place, "temporary"));
  try {
    writeFileSync(file, Buffer.concat([bytes.subarray(0, 5_000), Buffer.from([1]), bytes.subarray(5_001)]));
    const bad = await command(server.dataDir, ["backup", "--verify", dir], { environment: { TMPDIR: join(place, "temporary") } }).ended;
    expect(bad).toEqual({ code: 1, said: `the backup is damaged: ${file} is not as it was written\n` });
  } finally {
    writeFileSync(file, bytes);
  }
  expect(readdirSync(join(place, "temporary"))).toEqual([]);
});
