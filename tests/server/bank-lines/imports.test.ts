import { beforeEach, describe, expect, test } from "vitest";
import type { BankImport, BankImportLine } from "../../../src/contract/bank-imports.ts";
import { importSlice, runImports } from "../../../src/server/bank-lines/import-slices.ts";
import { bankImportHandlers } from "../../../src/server/bank-lines/imports.ts";
import { checkInvariants } from "../../../src/server/db/invariants.ts";
import { openDatabase } from "../../../src/server/db/scope.ts";
import { removeOld } from "../../../src/server/jobs/retention.ts";
import { look, stage, start, statementText } from "../../support/bank-imports.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";
import { readsBy } from "../../support/reads-by.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let account: string;

beforeEach(async () => {
  office = await makeOffice(db);
  account = (await makeAccount(db, office.tenant)).id;
});

const count = async (what = "bank_lines", where = ""): Promise<number> =>
  Number(
    (await db.owner.query<{ n: string }>(`select count(*) as n from ${what} where tenant_id = $1 ${where}`, [office.tenant.id])).rows[0]?.n,
  );

const linesOf = async (one: BankImport, query: { state?: BankImportLine["state"]; after?: number; limit?: number } = {}) =>
  (
    await bankImportHandlers.listBankImportLines(office.call(), {
      params: { uuid: one.uuid },
      body: undefined,
      query: { after: 0, limit: 100, ...query },
    })
  ).data;

const change = (one: BankImport, layout: Partial<BankImport["layout"]>) =>
  bankImportHandlers.changeBankImport(office.call(), {
    params: { uuid: one.uuid },
    body: { version: one.version, layout: { ...one.layout, ...layout } },
    query: undefined,
  });
const cancel = async ({ uuid }: BankImport) =>
  (await bankImportHandlers.cancelBankImport(office.call(), { params: { uuid }, body: undefined, query: undefined })).data;

/** Each reference of the account with how often it is there. */
async function references(): Promise<Map<string, number>> {
  const { rows } = await db.owner.query<{ reference: string; n: string }>(
    "select reference, count(*) as n from bank_lines where tenant_id = $1 and payment_account_id = $2 group by 1",
    [office.tenant.id, account],
  );
  return new Map(rows.map(({ reference, n }) => [reference, Number(n)]));
}

test("a file adds nothing until it is started; then each of its lines is there once", async () => {
  const staged = await stage(office.call(), account, statementText(25), "march.csv");
  expect(staged).toMatchObject({ state: "staged", questions: [], counts: { lines: 25, new: 25, known: 0, unreadable: 0, passed: 0 } });
  expect(await count()).toBe(0);
  await start(office.call(), staged);
  await runImports(office.deps, 10);
  expect(await look(office.call(), staged)).toMatchObject({ state: "done", done: 25, counts: { new: 25, known: 0 } });
  expect([...(await references()).values()]).toEqual(Array(25).fill(1));
  const { rows } = await db.owner.query(
    "select time, direction, amount, counterparty, source, file_name, import_id from bank_lines where reference = 'R7'",
  );
  expect(rows).toEqual([
    {
      time: new Date("2026-03-12T16:07:00Z"),
      direction: "credit",
      amount: "7.5000",
      counterparty: "PAYER 7",
      source: "file",
      file_name: "march.csv",
      import_id: staged.uuid,
    },
  ]);
  expect(await count("bank_import_files")).toBe(0);
  const owner = await db.owner.connect();
  try {
    expect((await checkInvariants(owner)).filter(({ rows: broken }) => broken.length > 0)).toEqual([]);
  } finally {
    owner.release();
  }
});

test("the same file a second time adds nothing, and one that overlaps adds what is new", async () => {
  const first = await start(office.call(), await stage(office.call(), account, statementText(12)));
  await runImports(office.deps);
  const second = await stage(office.call(), account, statementText(12));
  expect(second.counts).toMatchObject({ new: 0, known: 12 });
  await start(office.call(), second);
  await runImports(office.deps);
  expect(await look(office.call(), second)).toMatchObject({ state: "done", done: 12, counts: { new: 0, known: 12 } });
  expect(await count()).toBe(12);
  const longer = await stage(office.call(), account, statementText(20, 6));
  expect(longer.counts).toMatchObject({ new: 13, known: 7 });
  expect((await linesOf(longer, { state: "known" })).map((line) => line.n)).toEqual([2, 3, 4, 5, 6, 7, 8]);
  await start(office.call(), longer);
  await runImports(office.deps, 3);
  expect(await count()).toBe(25);
  // what an import brought itself is new in its own preview
  expect((await linesOf(first, { state: "known" })).length).toBe(0);
});

test("what is known of a file is looked up line by line, also while the tables are new and PostgreSQL knows nothing of them", async () => {
  const lines = 1_000;
  await start(office.call(), await stage(office.call(), account, statementText(lines)));
  await runImports(office.deps);
  const again = await stage(office.call(), account, statementText(lines));
  const reads = await readsBy(
    db,
    (database) =>
      look({ ...office.call(), deps: { ...office.deps, database } }, again).then((seen) => expect(seen.counts.known).toBe(lines)),
    ["bank_lines"],
  );
  expect(reads).toBeLessThan(3 * lines);
});

test("two equal payments in one file stay two, in slices as well, and a second import of it adds neither", async () => {
  const twice = "Date,Description,Credit\n15/03/2026,CASH DEPOSIT,50.00\n15/03/2026,CASH DEPOSIT,50.00\n15/03/2026,CASH DEPOSIT,50.00\n";
  await start(office.call(), await stage(office.call(), account, twice));
  await runImports(office.deps, 1);
  expect(await count()).toBe(3);
  await start(office.call(), await stage(office.call(), account, twice));
  await runImports(office.deps, 2);
  expect(await count()).toBe(3);
});

test("an import that is killed half-way goes on in another process, each line once", async () => {
  const staged = await start(office.call(), await stage(office.call(), account, statementText(50)));
  expect(await importSlice(office.deps, office.tenant.id, 20)).toBe("more");
  // the second slice is added, but the process dies before its commit
  const dying = openDatabase(db.connectAs, 2);
  const killed = dying.pool.connect().then(async (client) => {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    await client.query(`begin; set local app.tenant_id = '${office.tenant.id}'`);
    await client.query("select from bank_imports where state = 'running' for no key update");
    await client.query(
      `insert into bank_lines (tenant_id, currency, payment_account_id, time, direction, amount, reference, source, digest, twin)
       select tenant_id, 'MYR', $1, now(), 'credit', 1, line->>'reference', 'file', digest, twin from bank_import_lines where seq between 21 and 40`,
      [account],
    );
    return { client, pid: rows[0]?.pid };
  });
  const { client, pid } = await killed;
  // while it holds the import, another process finds nothing to do
  expect(await importSlice(office.deps, office.tenant.id, 20)).toBe("done");
  expect(await look(office.call(), staged)).toMatchObject({ state: "running", done: 20 });
  client.release(new Error("killed"));
  await dying.close();
  // PostgreSQL lets go of the import once it sees that the connection is gone
  await expect.poll(async () => (await db.owner.query("select from pg_stat_activity where pid = $1", [pid])).rowCount).toBe(0);
  await runImports(office.deps, 20);
  expect(await look(office.call(), staged)).toMatchObject({ state: "done", done: 50, counts: { new: 50, known: 0 } });
  const all = await references();
  expect([all.size, ...new Set(all.values())]).toEqual([50, 1]);
});

test("three processes at one import add each line once", async () => {
  const staged = await start(office.call(), await stage(office.call(), account, statementText(300)));
  const others = [1, 2, 3].map(() => ({ ...office.deps, database: openDatabase(db.connectAs, 4) }));
  while ((await look(office.call(), staged)).state === "running") await Promise.all(others.map((deps) => runImports(deps, 17)));
  await Promise.all(others.map(({ database }) => database.close()));
  const all = await references();
  expect([all.size, ...new Set(all.values())]).toEqual([300, 1]);
  expect(await look(office.call(), staged)).toMatchObject({ done: 300, counts: { new: 300, known: 0 } });
});

test("a cancelled import stops, keeps what it added and says so; a staged file that is cancelled is gone", async () => {
  const running = await start(office.call(), await stage(office.call(), account, statementText(40)));
  await importSlice(office.deps, office.tenant.id, 15);
  expect(await cancel(running)).toMatchObject({ state: "cancelled", done: 15, counts: { lines: 40, new: 15 } });
  await runImports(office.deps);
  expect(await count()).toBe(15);
  expect(await cancel(running)).toMatchObject({ state: "cancelled" });
  const staged = await stage(office.call(), account, statementText(2));
  await cancel(staged);
  await expect(start(office.call(), staged)).rejects.toMatchObject({ code: "record.stale" });
  expect(await count("bank_import_files")).toBe(0);
  const done = await start(office.call(), await stage(office.call(), account, statementText(2, 900)));
  await runImports(office.deps);
  await expect(cancel(done)).rejects.toMatchObject({ code: "bank-import.ended" });
});

describe("what only a person can tell", () => {
  const unclear = "Date,Details,Amount\n03/04/2026,a,100.00\n05/06/2026,b,200.00\n";

  test("is asked, and nothing starts before it is answered", async () => {
    const staged = await stage(office.call(), account, unclear);
    expect(staged.questions).toEqual(["date_order", "unsigned"]);
    await expect(start(office.call(), staged)).rejects.toMatchObject({ code: "bank-import.unanswered" });
    const { data: answered } = await change(staged, { date_order: "dmy", unsigned: "credit" });
    expect(answered).toMatchObject({ questions: [], counts: { lines: 2, new: 2 } });
    await start(office.call(), answered);
    await runImports(office.deps);
    const { rows } = await db.owner.query("select time from bank_lines where tenant_id = $1 order by time", [office.tenant.id]);
    expect(rows.map(({ time }: { time: Date }) => time.toISOString())).toEqual(["2026-04-03T15:59:59.000Z", "2026-06-05T15:59:59.000Z"]);
  });

  test("is remembered for the bank's next file with these headers, and for no other bank", async () => {
    const { data: answered } = await change(await stage(office.call(), account, unclear), { date_order: "mdy", unsigned: "debit" });
    await start(office.call(), answered);
    const next = await stage(office.call(), account, "Date,Details,Amount\n07/08/2026,c,300.00\n");
    expect(next).toMatchObject({ is_remembered: true, questions: [], layout: { date_order: "mdy", unsigned: "debit" } });
    const elsewhere = await makeAccount(db, office.tenant, { bank: "Another Bank" });
    expect(await stage(office.call(), elsewhere.id, unclear)).toMatchObject({
      is_remembered: false,
      questions: ["date_order", "unsigned"],
    });
  });

  test("a file that was changed meanwhile is not started as it was", async () => {
    const staged = await stage(office.call(), account, unclear);
    await change(staged, { date_order: "dmy", unsigned: "credit" });
    await expect(start(office.call(), staged)).rejects.toMatchObject({ code: "record.stale" });
  });
});

test("the preview says of each row what becomes of it, page by page", async () => {
  const text = "Date,Details,Credit\n15/03/2026,a,1.00\n16/03/2026,b,x\n17/03/2026,c,3.005\n18/03/2026,d,4.00\nTotal,,9.00\n";
  const staged = await stage(office.call(), account, text);
  expect(staged.counts).toEqual({ lines: 2, new: 2, known: 0, unreadable: 2, passed: 1 });
  expect((await linesOf(staged)).map((line) => [line.n, line.state, "why" in line ? line.why : line.line.amount])).toEqual([
    [2, "new", "1.00"],
    [3, "unreadable", "not-an-amount"],
    [4, "unreadable", "too-fine"],
    [5, "new", "4.00"],
    [6, "passed", "total"],
  ]);
  expect((await linesOf(staged, { state: "unreadable", after: 3 })).map(({ n }) => n)).toEqual([4]);
  const { meta } = await bankImportHandlers.listBankImportLines(office.call(), {
    params: { uuid: staged.uuid },
    body: undefined,
    query: { after: 0, limit: 2 },
  });
  expect(meta).toEqual({ next: 3 });
});

test("another tenant sees no import, no row and no layout of it", async () => {
  const staged = await start(office.call(), await stage(office.call(), account, statementText(3)));
  const other = await makeOffice(db);
  for (const act of ["readBankImport", "cancelBankImport"] as const)
    await expect(
      bankImportHandlers[act](other.call(), { params: { uuid: staged.uuid }, body: undefined, query: undefined }),
    ).rejects.toMatchObject({ code: "not-found" });
  await expect(stage(other.call(), account, statementText(1))).rejects.toMatchObject({ code: "not-found" });
  expect((await bankImportHandlers.listBankImports(other.call(), { query: {}, params: undefined, body: undefined })).data).toEqual([]);
  const theirs = await makeAccount(db, other.tenant);
  expect(await stage(other.call(), theirs.id, statementText(3))).toMatchObject({ is_remembered: false, counts: { known: 0 } });
});

test("a staged file nobody starts is removed after a day, one that runs is not, and the record of an ended one stays", async () => {
  const staged = await stage(office.call(), account, statementText(3));
  const running = await start(office.call(), await stage(office.call(), account, statementText(3, 100)));
  const ended = await cancel(await start(office.call(), await stage(office.call(), account, statementText(3, 200))));
  await removeOld(office.deps);
  expect(await count("bank_import_lines")).toBe(9);
  await db.owner.query("update bank_imports set expires_at = now() - interval '1 second' where tenant_id = $1", [office.tenant.id]);
  await removeOld(office.deps);
  await expect(look(office.call(), staged)).rejects.toMatchObject({ code: "not-found" });
  expect(await count("bank_import_lines")).toBe(3);
  expect(await look(office.call(), ended)).toMatchObject({ state: "cancelled" });
  await runImports(office.deps);
  expect(await look(office.call(), running)).toMatchObject({ state: "done", done: 3 });
});

test("one person's eleventh staged file takes the place of the oldest", async () => {
  for (let n = 0; n < 11; n++) await stage(office.call(), account, statementText(1, n));
  expect(await count("bank_imports")).toBe(10);
  expect(await count("bank_import_files")).toBe(10);
});

test("the upload, the start, the end and the cancelling of an import are in the audit log, by whom", async () => {
  await start(office.call(), await stage(office.call(), account, statementText(2)));
  await runImports(office.deps);
  await cancel(await start(office.call(), await stage(office.call(), account, statementText(2, 50))));
  const { rows } = await db.owner.query<{ act: string; actor_name: string }>(
    "select act, actor_name from audit_entries where tenant_id = $1 and entity = 'bank-import' order by id",
    [office.tenant.id],
  );
  expect(rows.map(({ act, actor_name }) => [act, actor_name])).toEqual([
    ["bank-import.stage", "Ann Lim"],
    ["bank-import.start", "Ann Lim"],
    ["bank-import.finish", "system"],
    ["bank-import.stage", "Ann Lim"],
    ["bank-import.start", "Ann Lim"],
    ["bank-import.cancel", "Ann Lim"],
  ]);
});
