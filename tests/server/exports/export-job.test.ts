import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Export, ExportedScreen, ExportRequest } from "../../../src/contract/exports.ts";
import { exportedScreens, exportNamesOf, mostOpenExports } from "../../../src/contract/exports.ts";
import { permissions } from "../../../src/contract/permissions.ts";
import type { Deps, StaffCall } from "../../../src/server/call.ts";
import { exportJob } from "../../../src/server/exports/export-job.ts";
import { exportHandlers } from "../../../src/server/exports/exports.ts";
import { hasPages, listCallOf } from "../../../src/server/records/list-calls.ts";
import { removeOldExports, tenantsWithOldExports } from "../../../src/server/exports/removal.ts";
import type { JobRun } from "../../../src/server/jobs/kind.ts";
import { aLine, bookLines, bookMany } from "../../support/bank-lines.ts";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { makeExport, plainRequest } from "../../support/exports.ts";
import { readFile } from "../../support/exported.ts";
import type { ReadFile } from "../../support/exported.ts";
import { makeAccount, makeGroup, makeMerchant, makeRateGroup, staffCall } from "../../support/factories.ts";
import type { Person } from "../../support/factories.ts";
import { makeGame, makeProvider } from "../../support/game-provider.ts";
import { makeMasterAccount } from "../../support/master-accounts.ts";
import { makeDowntime } from "../../support/downtimes.ts";
import { makeWatcher } from "../../support/score-watchers.ts";
import { startJobServer } from "../../support/job-server.ts";
import type { JobServer } from "../../support/job-server.ts";
import { transfersBy } from "../../support/transfers.ts";
import { makeItem } from "../../support/vendors.ts";
import { body, makeOffice, rejections } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
const soon = { timeout: 60_000, interval: 25 };

let office: Office;
let server: JobServer;
/** Runs before each page's progress is written. */
let atPage: (run: JobRun<{ export: string }>, done: number) => Promise<void>;

/** The job itself, stopped at will between two pages. */
const watched: typeof exportJob = {
  ...exportJob,
  work: (run) =>
    exportJob.work({
      ...run,
      async progress(done, total) {
        await atPage(run, done);
        await run.progress(done, total);
      },
    }),
};

beforeAll(async () => {
  office = await makeOffice(db);
  server = startJobServer(db, [watched]);
});
afterAll(() => server.stop());
beforeEach(async () => {
  atPage = async () => undefined;
  await allow(office.ann, permissions);
});

const allow = (person: Person, rights: readonly string[]) =>
  db.owner.query("update memberships set permissions = $2 where user_id = $1", [person.id, rights]);

const callOf = (person: Person = office.ann, more: Partial<StaffCall> = {}, deps: Deps = server.deps): StaffCall => ({
  ...staffCall(deps, office.tenant, person),
  ...more,
});
const nothing = { params: undefined, query: undefined };
const one = (uuid: string) => ({ params: { uuid }, query: undefined, body: undefined });
const act = (uuid: string) => ({ params: { uuid }, query: undefined, body: {} });

const start = async (
  screen: "Withdrawals" | "BankTransactions" | "Vendors",
  request: Partial<ExportRequest> = {},
  call: StaffCall = callOf(),
): Promise<Export> => {
  const handler = exportHandlers[`start${screen}Export`];
  return (await handler(call, body({ ...plainRequest, ...request }))).data;
};
const listed = async (call: StaffCall = callOf()): Promise<readonly Export[]> =>
  (await exportHandlers.listExports(call, { ...nothing, body: undefined })).data;
const known = async (uuid: string): Promise<Export> => {
  const found = (await listed()).find(({ uuid: id }) => id === uuid);
  if (!found) throw new Error("the export is not listed");
  return found;
};
const ends = (uuid: string, state: Export["state"]) => vi.waitFor(async () => expect((await known(uuid)).state).toBe(state), soon);

async function bytesOf(uuid: string, call: StaffCall = callOf()): Promise<Buffer> {
  const { data } = await exportHandlers.downloadExport(call, one(uuid));
  const pieces: Uint8Array[] = [];
  for await (const piece of data.bytes as AsyncIterable<Uint8Array>) pieces.push(piece); // the server answers pieces
  return Buffer.concat(pieces);
}
const read = async (uuid: string): Promise<ReadFile> => readFile(await bytesOf(uuid));

const column = (title: string, field: string, as: ExportRequest["columns"][number]["cell"]["as"], words?: string[]) => ({
  title,
  width: 120,
  cell: { field, as, ...(words && { words }) },
});

test("an export is of exactly the filter, columns, order and zone that were on screen, in the reader's language", async () => {
  const merchant = await makeMerchant(db, office.tenant, { wallet: "2000000000.00" });
  const amounts = ["500.00", "1250000000.00", "0.05", "700.10"];
  for (const amount of amounts) await office.withdraw(merchant, { amount, account_number: "00123456789012345678", customer_name: "=1+1" });
  await office.withdraw(await makeMerchant(db, office.tenant, { wallet: "10.00" }), { amount: "9.00" });
  const { uuid } = await start(
    "Withdrawals",
    {
      query: { view: "all", "filter[merchant]": merchant.id, sort: "-amount" },
      columns: [
        column("Betrag", "amount", "amount"),
        column("Konto", "account_number", "text"),
        column("Kunde", "customer_name", "text"),
        column("Status", "status", "choice", ["status."]),
        column("Erstellt", "created_at", "time"),
        column("Händler", "merchant.name", "text"),
        column("Bank", "bank_end", "text"),
      ],
      filters: [["Händler", merchant.name]],
      zone: 330,
    },
    callOf(office.ann, { language: "de" }),
  );
  await ends(uuid, "done");
  const { titles, rows, about, sheets } = await read(uuid);
  expect(titles).toEqual(["Betrag", "Konto", "Kunde", "Status", "Erstellt (+05:30)", "Händler", "Bank"]);
  expect(rows.map((row) => row["Betrag"])).toEqual([1_250_000_000, 700.1, 500, 0.05]);
  const { rows: kept } = await db.owner.query<{ created_at: Date }>(
    "select created_at from transactions where merchant_id = $1 order by amount desc",
    [merchant.id],
  );
  const inZone = kept.map(({ created_at }) => created_at.getTime() + 330 * 60_000);
  expect(rows.map((row) => Math.round((row["Erstellt (+05:30)"] as Date).getTime()))).toEqual(inZone); // a date cell
  expect(rows[0]).toMatchObject({
    Konto: "00123456789012345678",
    Kunde: "=1+1",
    Status: "Ausstehend",
    Händler: merchant.name,
    Bank: "Maybank 5678",
  });
  const [first] = sheets;
  expect([first?.name, first?.views[0]?.state, first?.views[0]?.rightToLeft, first?.autoFilter]).toEqual([
    "Auszahlungen",
    "frozen",
    false,
    "A1:G5",
  ]);
  expect(about).toMatchObject({
    Zeilen: "4",
    "Exportiert von": "Ann Lim",
    Zeitzone: "+05:30",
    [`Filter: Händler`]: merchant.name,
  });
  const told = await known(uuid);
  expect(told).toMatchObject({ done: 4, total: 4, failure: null, screen: "withdrawals", currency: office.tenant.currency });
  expect(told.bytes).toBe((await bytesOf(uuid)).length);
  expect(told.name).toMatch(/^withdrawals \d{4}-\d\d-\d\d \d{4}\.xlsx$/);
});

test("every list is written by its own handler from one snapshot, as many rows of it as it counts", async () => {
  const merchant = await makeMerchant(db, office.tenant, { wallet: "500000.00" });
  const account = await makeAccount(db, office.tenant, { balance: "100000" });
  await makeGroup(db, office.tenant, [account], [merchant]);
  await makeRateGroup(db, office.tenant, {});
  await office.credited(merchant);
  await office.paid(merchant);
  await office.withdraw(merchant);
  await bookLines(office, account.id, [aLine()]);
  await transfersBy(office).transfer(account, await makeAccount(db, office.tenant));
  await makeItem(db, office.tenant, {});
  const merchantProviderUuid = await makeProvider(db, office.tenant, merchant);
  await makeGame(db, office.tenant, merchantProviderUuid);
  const master_account_id = await makeMasterAccount(db, office.tenant);
  await makeWatcher(db, office.tenant, master_account_id, { next_at: null });
  await makeDowntime(db, office.tenant, office.ann, { master_account_id });
  const above: Partial<Record<ExportedScreen, Record<string, string>>> = {
    "merchant-providers": { merchantUuid: merchant.id },
    "provider-games": { merchantProviderUuid },
  };
  const counted: Partial<Record<ExportedScreen, number>> = {};
  for (const screen of exportedScreens) {
    const { data } = await exportHandlers[exportNamesOf(screen).start](callOf(), body({ ...plainRequest, params: above[screen] ?? {} }));
    await vi.waitFor(async () => expect((await known(data.uuid)).state).not.toMatch(/waiting|running/), soon);
    const { state, failure, done, total } = await known(data.uuid);
    expect([screen, state, failure, total ?? done]).toEqual([screen, "done", null, done]);
    counted[screen] = done;
  }
  const empty = exportedScreens.filter((screen) => counted[screen] === 0);
  expect(empty).toEqual(["payout-templates"]);
});

test("only the live balances have no pages: all of them come at once, however many they are", async () => {
  expect(exportedScreens.filter((screen) => !hasPages(listCallOf(screen)))).toEqual(["payment-account-live-balances"]);
  const { id } = await makeAccount(db, office.tenant);
  const { rows } = await db.owner.query<{ of: string; columns: string }>(
    `select attrelid::regclass::text as of, string_agg(quote_ident(attname), ', ') as columns from pg_attribute
      where attrelid = any('{ledger_accounts,payment_accounts}'::regclass[]) and attnum > 0 and attgenerated = '' and not attisdropped group by 1`,
  );
  const [ledger, account] = ["ledger_accounts", "payment_accounts"].map((of) => rows.find((one) => one.of === of)?.columns ?? "");
  await db.owner.query(
    `with cloned as (select gen_random_uuid() as account, gen_random_uuid() as ledger, n from generate_series(1, 600) n),
      ledgers as (insert into ledger_accounts (${ledger}) select ${ledger} from (select (jsonb_populate_record(l,
          jsonb_build_object('id', c.ledger, 'owner_id', c.account, 'balance', 0, 'last_seq', 0))).*
        from cloned c, payment_accounts a join ledger_accounts l on l.tenant_id = a.tenant_id and l.id = a.ledger_account_id where a.id = $1) made)
    insert into payment_accounts (${account}) select ${account} from (select (jsonb_populate_record(a,
        jsonb_build_object('id', c.account, 'ledger_account_id', c.ledger, 'code', 'M-' || c.n, 'account_number', c.n::text))).*
      from cloned c, payment_accounts a where a.id = $1) made`,
    [id],
  );
  const { data } = await exportHandlers[exportNamesOf("payment-account-live-balances").start](callOf(), body(plainRequest));
  await ends(data.uuid, "done");
  const all = await db.owner.query<{ n: number }>(
    "select count(*)::integer as n from payment_accounts where tenant_id = $1 and currency = $2",
    [office.tenant.id, office.tenant.currency],
  );
  expect(all.rows[0]?.n).toBeGreaterThan(600);
  expect(await known(data.uuid)).toMatchObject({ done: all.rows[0]?.n, failure: null });
});

test("the sheet of an Arabic reader is from right to left", async () => {
  const { uuid } = await start("Vendors", {}, callOf(office.ann, { language: "ar" }));
  await ends(uuid, "done");
  expect((await read(uuid)).sheets.map(({ views }) => views[0]?.rightToLeft)).toEqual([true, true]);
});

test("while rows are written and changed, an export has those of the moment it began: their count and their sums are SQL's", async () => {
  const account = (await makeAccount(db, office.tenant)).id;
  const many = long({ share: 2_600, whole: 100_000 });
  const tag = account.slice(0, 8);
  const line = (n: number) => aLine({ reference: `R-${tag}-${n}`, amount: `${(n % 900) + 1}.25` });
  await bookMany(office, account, many, tag);
  const { rows: present } = await db.owner.query<{ id: string }>("select id from bank_lines where payment_account_id = $1 order by id", [
    account,
  ]);
  const now = async () => (await db.owner.query<{ at: Date }>("select clock_timestamp() as at")).rows[0]!.at.getTime();
  const writes: { readonly reference: string; readonly begun: number; readonly done: number }[] = [];
  let over = false;
  const writer = (async () => {
    for (let n = many; !over; n++) {
      const begun = await now();
      const written = line(n);
      await bookLines(office, account, [written]);
      // and one of those to be exported leaves the filter
      const gone = present[n - many];
      if (gone) await db.owner.query("update bank_lines set source = 'call' where id = $1", [gone.id]);
      writes.push({ reference: written.reference ?? "", begun, done: await now() });
      await delay(long({ share: 2, whole: 4 }));
    }
  })();
  await vi.waitFor(() => expect(writes.length).toBeGreaterThan(3), soon);
  // there are writes between any two pages
  let least = 0;
  atPage = async () => {
    least = writes.length + 2;
    await vi.waitFor(() => expect(writes.length).toBeGreaterThanOrEqual(least), soon);
  };
  const { uuid } = await start("BankTransactions", {
    query: { "filter[payment_account]": account, "filter[source]": "hand", sort: "created_at" },
    columns: [column("Reference", "reference", "text"), column("Amount", "amount", "amount"), column("Credit", "credit", "amount")],
  });
  await ends(uuid, "done");
  const duringIt = writes.length;
  over = true;
  await writer;
  const { rows } = await read(uuid);
  const { rows: kept } = await db.owner.query<{ as_of: Date }>("select as_of from exports where id = $1", [uuid]);
  const asOf = kept[0]!.as_of.getTime();
  const before = writes.filter(({ done }) => done <= asOf).length;
  const after = writes.filter(({ begun }) => begun > asOf).length;
  expect(after).toBeGreaterThan(3);
  expect(before).toBeLessThan(duringIt);
  // each write adds one row and then takes one away; the newest row says of which moment all are
  const added = new Set(writes.map(({ reference }) => reference));
  const taken = rows.filter((row) => added.has(String(row["Reference"]))).length;
  expect(taken).toBeGreaterThanOrEqual(before);
  expect(taken).toBeLessThanOrEqual(writes.length - after);
  // that moment may be between the two halves of a write
  const gone = many + taken - rows.length;
  expect([taken, taken - 1]).toContain(gone);
  const { rows: sums } = await db.owner.query<{ sum: string }>(
    `select sum(amount)::text as sum from bank_lines where payment_account_id = $1 and id <> all($2::uuid[])
      and reference <> all($3::text[])`,
    [account, present.slice(0, gone).map(({ id }) => id), writes.slice(taken).map(({ reference }) => reference)],
  );
  const cents = (value: unknown) => Math.round(Number(value) * 100);
  expect(rows.reduce((sum, row) => sum + cents(row["Amount"]), 0)).toBe(cents(sums[0]?.sum));
  expect(rows.every((row) => row["Credit"] === row["Amount"])).toBe(true);
});

test("a cancelled export ends between two pages and leaves no file; it can be tried again", async () => {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  atPage = async () => {
    reached.resolve();
    await gate.promise;
  };
  const { uuid } = await start("BankTransactions");
  await reached.promise;
  expect(await exportHandlers.cancelExport(callOf(), act(uuid))).toMatchObject({ data: { state: "cancelled" } });
  gate.resolve();
  await expect(exportHandlers.cancelExport(callOf(), act(uuid))).rejects.toMatchObject({ code: "export.ended" });
  await expect(bytesOf(uuid)).rejects.toMatchObject({ code: "export.not-done" });
  atPage = async () => undefined;
  const again = (await exportHandlers.retryExport(callOf(), act(uuid))).data;
  await ends(again.uuid, "done");
  expect((await listed()).map(({ uuid: id }) => id)).not.toContain(uuid);
  expect((await read(again.uuid)).rows.length).toBeGreaterThan(0);
});

test("whose process stops half-way is written anew by another, whole, and what the first had stored goes", async () => {
  const stays = startJobServer(db, []);
  const reached = Promise.withResolvers<void>();
  atPage = async ({ signal }, done) => {
    if (done < 1_000) return;
    reached.resolve();
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
  };
  const { uuid } = await start("BankTransactions", { columns: wide }, callOf(office.ann, {}, stays.deps));
  await reached.promise;
  // as much of it as a kill would leave
  const half = randomUUID();
  await db.owner.query("insert into stored_files (tenant_id, id, bytes) values ($1, $2, 'half')", [office.tenant.id, half]);
  await db.owner.query("insert into export_parts (tenant_id, export_id, file, n, stored_as, bytes) values ($1, $2, $3, 0, $4, 4)", [
    office.tenant.id,
    uuid,
    randomUUID(),
    half,
  ]);
  atPage = async () => undefined;
  await server.stop();
  server = stays;
  expect(await known(uuid)).toMatchObject({ state: "waiting", bytes: null });
  server = startJobServer(db, [watched]);
  await stays.stop();
  await ends(uuid, "done");
  const { rows } = await db.owner.query<{ count: string }>("select count(*) from bank_lines where tenant_id = $1", [office.tenant.id]);
  expect((await read(uuid)).rows).toHaveLength(Number(rows[0]?.count));
  expect((await db.owner.query("select from stored_files where id = $1", [half])).rowCount).toBe(0);
});
const wide = Array.from({ length: 12 }, (_, at) => column(`Description ${at}`, "description", "text"));

test("who lost the right before it is written gets no file, and who loses it after gets none either", async () => {
  // taken away before the job is queued, because a job may begin, and end, at once
  await allow(office.ann, ["vs.vendor.vendors.view"]);
  const before = await start("Vendors");
  await ends(before.uuid, "failed");
  expect(await known(before.uuid)).toMatchObject({ failure: "not-allowed", done: 0, bytes: null });
  await allow(office.ann, permissions);
  const after = await start("Vendors");
  await ends(after.uuid, "done");
  const less = { ...staffCall(server.deps, office.tenant, office.ann, { permissions: ["vs.vendor.vendors.export"] }) };
  await expect(bytesOf(after.uuid, less)).rejects.toMatchObject({ code: "permission.missing" });
  await db.owner.query("update memberships set status = 'suspended' where user_id = $1", [office.ben.id]);
  const { uuid } = await start("Vendors", {}, callOf(office.ben));
  await vi.waitFor(async () => expect((await listed(callOf(office.ben)))[0]).toMatchObject({ uuid, failure: "not-allowed" }), soon);
  await db.owner.query("update memberships set status = 'active' where user_id = $1", [office.ben.id]);
});

test("nobody else sees, downloads, cancels, retries or deletes an export", async () => {
  const uuid = await makeExport(db, office.tenant, office.ann, "done");
  expect((await listed(callOf(office.ben))).map(({ uuid: id }) => id)).not.toContain(uuid);
  const ben = callOf(office.ben);
  const { downloadExport, cancelExport, retryExport, deleteExport } = exportHandlers;
  const acts = [downloadExport(ben, one(uuid)), cancelExport(ben, act(uuid)), retryExport(ben, act(uuid)), deleteExport(ben, one(uuid))];
  expect(rejections(await Promise.allSettled(acts))).toEqual(acts.map(() => "not-found"));
});

test("a column of what the list does not answer, and a filter it does not know, are refused where they stand", async () => {
  const wrong = { columns: [column("Hash", "password_hash", "text"), column("Name", "name", "text")], query: { "filter[secret]": "1" } };
  await expect(start("Vendors", { query: wrong.query })).rejects.toMatchObject({
    code: "request.invalid",
    detail: { "query.filter[secret]": [expect.any(String)] },
  });
  await expect(start("Vendors", { columns: wrong.columns })).rejects.toMatchObject({
    code: "request.invalid",
    detail: { "columns.0.cell.field": [expect.any(String)] },
  });
});

test("somebody has only so many exports under way, however many are asked for at once", async () => {
  const gate = Promise.withResolvers<void>();
  atPage = () => gate.promise;
  const all = await Promise.allSettled(Array.from({ length: mostOpenExports + 3 }, () => start("Vendors")));
  expect(rejections(all)).toEqual(["export.too-many", "export.too-many", "export.too-many"]);
  gate.resolve();
  await vi.waitFor(
    async () => expect((await listed()).filter(({ state }) => state === "running" || state === "waiting")).toEqual([]),
    soon,
  );
});

test("after a week an export goes with its file; one that is open or younger stays", async () => {
  const [old, young] = [
    await makeExport(db, office.tenant, office.ben, "done", { age: "8 days" }),
    await makeExport(db, office.tenant, office.ben, "done", { age: "6 days" }),
  ];
  const open = await makeExport(db, office.tenant, office.ben, "running", { age: "8 days" });
  const { rows } = await server.deps.database.worker.executeQuery(tenantsWithOldExports.compile(server.deps.database.worker));
  expect(rows).toEqual([{ tenant_id: office.tenant.id }]);
  expect(await removeOldExports(server.deps, office.tenant.id, 10)).toEqual([old]);
  expect((await listed(callOf(office.ben))).map(({ uuid }) => uuid)).toEqual(expect.arrayContaining([young, open]));
  const parts = await db.owner.query("select from export_parts where export_id = $1", [old]);
  expect(parts.rowCount).toBe(0);
  const files = await db.owner.query("select f.id from stored_files f left join export_parts p on p.stored_as = f.id where p.n is null");
  expect(files.rowCount).toBe(0);
});

test("start, download and deletion of an export are in the audit log, with whose they are and how many rows", async () => {
  const { uuid } = await start("Vendors", { query: { q: "nobody at all" } });
  await ends(uuid, "done");
  await bytesOf(uuid);
  await exportHandlers.deleteExport(callOf(), one(uuid));
  const { rows } = await db.owner.query(
    "select act, actor_id, after from audit_entries where tenant_id = $1 and after->>'export' = $2 order by id",
    [office.tenant.id, uuid],
  );
  expect(rows).toEqual([
    { act: "vendor.export", actor_id: office.ann.id, after: expect.objectContaining({ filter: { q: "nobody at all" } }) },
    { act: "vendor.export-download", actor_id: office.ann.id, after: expect.objectContaining({ rows: 0 }) },
    { act: "vendor.export-delete", actor_id: office.ann.id, after: expect.objectContaining({ rows: 0 }) },
  ]);
});
