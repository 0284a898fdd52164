import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import type { PayoutTemplateForm } from "../../../src/contract/payout-templates.ts";
import { WithdrawalQuery } from "../../../src/contract/withdrawals.ts";
import type { Withdrawal } from "../../../src/contract/withdrawals.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { payoutFileHandlers as files } from "../../../src/server/payout-files/payout-files.ts";
import { payoutTemplateHandlers as templates } from "../../../src/server/payout-files/payout-templates.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import type { Account, Merchant } from "../../support/factories.ts";
import { templateForm } from "../../support/payout-files.ts";
import { body, done, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let merchant: Merchant;
let account: Account;
beforeEach(async () => {
  office = await makeOffice(db);
  merchant = await makeMerchant(db, office.tenant, { wallet: "100000" });
  account = await makeAccount(db, office.tenant, { balance: "100000" });
  await makeGroup(db, office.tenant, [account], [merchant]);
});

type Ref = Pick<Withdrawal, "uuid" | "version">;
const refOf = ({ uuid, version }: Ref) => ({ uuid, version });
const makeTemplate = async (more: Partial<PayoutTemplateForm> = {}) =>
  (await templates.createPayoutTemplate(office.call(), body(templateForm(more)))).data.uuid;
const asked = (template: string, ...rows: Ref[]) => body({ template, rows: rows.map(refOf) });
const again = (template: string, ...rows: Ref[]) => body({ template, rows: rows.map(refOf), again: true as const });
const rowOf = async (uuid: string) =>
  (await withdrawalHandlers.readWithdrawal(office.call(), { params: { uuid }, query: undefined, body: undefined })).data;
const fileText = async (uuid: string) => {
  const { data } = await files.readPayoutFile(office.call(), { params: { uuid }, query: undefined, body: undefined });
  return { ...data, text: Buffer.from(data.bytes).toString("utf8") };
};
async function approved(request: Parameters<Office["claimed"]>[1] = {}): Promise<Withdrawal> {
  const row = await office.claimed(merchant, request);
  const confirmed = { amount: row.amount, holder: row.holder };
  return done(only(await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows: [{ ...refOf(row), confirmed }] }))));
}
const count = async (table: string) =>
  Number((await db.owner.query<{ n: string }>(`select count(*) as n from ${table} where tenant_id = $1`, [office.tenant.id])).rows[0]?.n);

test("a file has its rows in order, is marked in each, and is read again as it was made", async () => {
  const template = await makeTemplate();
  const [first, second] = [await approved({ amount: "1250.50" }), await office.claimed(merchant, { amount: "20.00", holder: "=1+1" })];
  const { data } = await files.exportPayoutFile(office.call(), asked(template, second, first));
  expect(data).toMatchObject({ count: 2, amount: "1270.50" });
  const file = await fileText(data.uuid);
  expect(file.text.split("\r\n")).toEqual([
    "Account,Name,Amount,Reference",
    `${second.account_number},'=1+1,20.00,${second.txn_no}`,
    `${first.account_number},TAN WEI MING,1250.50,${first.txn_no}`,
    "",
  ]);
  expect(file).toMatchObject({ name: data.name, type: "text/csv; charset=utf-8" });
  const query = WithdrawalQuery.parse({ view: "all", "filter[payout_file]": data.uuid });
  await approved();
  const { data: listed } = await withdrawalHandlers.listWithdrawals(office.call(), { query, params: undefined, body: undefined });
  expect(listed.map(({ uuid }) => uuid).toSorted()).toEqual([first.uuid, second.uuid].toSorted());
  const { row, payout_files: marks } = await rowOf(first.uuid);
  expect(row.flags).toContain("exported");
  expect(row.version).toBe(first.version + 1);
  expect(marks).toMatchObject([{ uuid: data.uuid, name: data.name, by: "Ann Lim" }]);
  expect(office.announced).toContainEqual(expect.objectContaining({ uuids: [second.uuid, first.uuid] }));
});

test("history and audit tell of the file, of each row, and of each reading of it", async () => {
  const row = await approved();
  const { data } = await files.exportPayoutFile(office.call(), asked(await makeTemplate(), row));
  await fileText(data.uuid);
  const { rows } = await db.owner.query<{ act: string; entity_id: string }>(
    "select act, entity_id from audit_entries where tenant_id = $1 and act like '%payout-file%' order by id",
    [office.tenant.id],
  );
  expect(rows).toEqual([
    { act: "payout-file.export", entity_id: data.uuid },
    { act: "withdrawal.payout-file", entity_id: row.uuid },
    { act: "payout-file.read", entity_id: data.uuid },
  ]);
});

test("a row that stands in a file is refused with who and when, and goes out again only when asked for", async () => {
  const template = await makeTemplate();
  const [one, other] = [await approved(), await approved()];
  const { data: first } = await files.exportPayoutFile(office.call(office.ben), asked(template, one));
  const { row } = await rowOf(one.uuid);
  const preview = await files.previewPayoutFile(office.call(), asked(template, row, other));
  expect(preview.data).toMatchObject({ count: 2, exported: [{ uuid: one.uuid, by: "Ben Ooi", file: first.name }], refused: [] });
  const refusal = await files.exportPayoutFile(office.call(), asked(template, row, other)).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: "payout-file.exported-before",
    detail: { rows: [{ uuid: one.uuid, txn_no: one.txn_no, by: "Ben Ooi", file: first.name, at: expect.any(String) as string }] },
  });
  expect((await rowOf(other.uuid)).row.flags, "nothing is marked by a refusal").not.toContain("exported");
  expect(await count("payout_files")).toBe(1);
  const { data: second } = await files.exportPayoutFile(office.call(), again(template, row, other));
  expect((await rowOf(one.uuid)).payout_files.map(({ uuid }) => uuid)).toEqual([second.uuid, first.uuid]);
});

test("two exports of one row at once: one file, one refusal", async () => {
  const template = await makeTemplate();
  const row = await approved();
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  // both have begun before either may go on
  const holder = await db.owner.connect();
  try {
    await holder.query("begin");
    await holder.query("select from transactions where id = $1 for update", [row.uuid]);
    const both = Promise.allSettled([office.ann, office.ben].map((by) => files.exportPayoutFile(office.call(by), asked(template, row))));
    await expect.poll(async () => (await db.owner.query(waiting)).rowCount).toBe(2);
    await holder.query("commit");
    expect((await both).map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  } finally {
    holder.release();
  }
  expect(await count("payout_file_rows")).toBe(1);
});

test("the same request twice makes one file", async () => {
  const template = await makeTemplate();
  const row = await approved();
  const call = office.call(office.ann, { key: randomUUID() });
  const first = await files.exportPayoutFile(call, asked(template, row));
  expect(await files.exportPayoutFile(call, asked(template, row))).toEqual(first);
  expect(await count("payout_files")).toBe(1);
});

test("what is not being paid, another's, or changed meanwhile is refused, row by row, and the file is not made", async () => {
  const template = await makeTemplate();
  const fresh = await office.withdraw(merchant);
  const held = await office.claimed(merchant, {}, office.ben);
  const mine = await office.claimed(merchant);
  const rejected = done(
    only(
      await withdrawalHandlers.rejectWithdrawals(
        office.call(),
        body({ rows: [refOf(await office.claimed(merchant))], reason: { code: "duplicate" } }),
      ),
    ),
  );
  const nobody = { uuid: randomUUID(), version: 1 };
  const request = asked(template, { uuid: fresh.id, version: fresh.version }, held, { ...mine, version: 99 }, rejected, nobody, mine);
  const rows = request.body.rows.slice(0, 5);
  const { data } = await files.previewPayoutFile(office.call(), body({ template, rows }));
  expect(data.count).toBe(0);
  expect(data.refused.map(({ problem }) => problem.code)).toEqual([
    "withdrawal.not-process",
    "withdrawal.claimed",
    "transaction.stale",
    "withdrawal.not-open",
    "not-found",
  ]);
  await expect(files.exportPayoutFile(office.call(), body({ template, rows }))).rejects.toMatchObject({ code: "payout-file.rows" });
  expect(await count("payout_files")).toBe(0);
});

test("a claim that lapsed is nobody's", async () => {
  const row = await office.claimed(merchant, {}, office.ben);
  await db.owner.query("update transactions set claim_until = now() - interval '1 second' where id = $1", [row.uuid]);
  const { data } = await files.previewPayoutFile(office.call(), asked(await makeTemplate(), row));
  expect(data.refused.map(({ problem }) => problem.code)).toEqual(["withdrawal.not-claimed"]);
});

test("a name the encoding lacks is told with its column and character", async () => {
  const template = await makeTemplate({ encoding: "windows-1252" });
  const [plain, chinese] = [await approved(), await approved({ holder: "王小明" })];
  const { data } = await files.previewPayoutFile(office.call(), asked(template, plain, chinese));
  expect(data).toMatchObject({
    count: 1,
    refused: [
      { uuid: chinese.uuid, txn_no: chinese.txn_no, problem: { code: "payout-file.unwritable", values: { column: "2", sign: "王" } } },
    ],
  });
});

test("the paying account is an approved row's own, else the one named, and a file that needs one takes no row without", async () => {
  const columns = [{ field: "paying_code" as const, title: "", value: "" }];
  const template = await makeTemplate({ columns, head: false });
  const [paid, open] = [await approved(), await office.claimed(merchant)];
  const bare = await files.previewPayoutFile(office.call(), asked(template, paid, open));
  expect(bare.data.refused.map(({ uuid, problem }) => [uuid, problem.code])).toEqual([[open.uuid, "payment-account.unfit"]]);
  const rows = [refOf(paid), { ...refOf(open), payment_account: account.id }];
  const { data } = await files.previewPayoutFile(office.call(), body({ template, rows }));
  expect(data).toMatchObject({ count: 2, accounts: [{ code: paid.paying_account?.code, count: 2, amount: "1000.00" }] });
  expect(data.lines).toEqual([paid.paying_account?.code, paid.paying_account?.code]);
});

test("a preview marks nothing and shows the first lines", async () => {
  const template = await makeTemplate();
  const rows = await Promise.all(Array.from({ length: 8 }, () => approved()));
  const { data } = await files.previewPayoutFile(office.call(), asked(template, ...rows));
  expect([data.count, data.lines.length]).toEqual([8, 6]);
  expect(data.lines[0]).toBe("Account,Name,Amount,Reference");
  expect(await count("payout_files")).toBe(0);
});

test("templates are named once, and their changes are in their history", async () => {
  const form = templateForm({ name: "Maybank M2E" });
  const { data } = await templates.createPayoutTemplate(office.call(), body(form));
  await expect(templates.createPayoutTemplate(office.call(), body({ ...form, name: "MAYBANK m2e" }))).rejects.toMatchObject({
    detail: { name: ["Already taken"] },
  });
  const params = { uuid: data.uuid };
  await templates.updatePayoutTemplate(office.call(), { params, query: undefined, body: { ...form, delimiter: "tab", version: 1 } });
  const { data: read } = await templates.readPayoutTemplate(office.call(), { params, query: undefined, body: undefined });
  expect(read.row.delimiter).toBe("tab");
  expect(read.history.map(({ act }) => act)).toEqual(["payout-template.update", "payout-template.create"]);
});

test("a thousand rows are one file", { timeout: 60_000 }, async () => {
  const template = await makeTemplate();
  const row = await approved();
  const ids = Array.from({ length: 1_000 }, () => randomUUID());
  await db.owner.query(
    `insert into transactions (tenant_id, id, kind, txn_no, merchant_id, status, currency, method, member, customer_name, bank, account_number,
        holder, amount, final_amount, merchant_amount, payment_account_id, last_action_at, created_at)
      select tenant_id, one, kind, 'W9' || n, merchant_id, 'completed', currency, method, member, customer_name, bank, account_number, holder,
        amount, final_amount, merchant_amount, payment_account_id, now(), now()
      from transactions, unnest($2::uuid[]) with ordinality ids (one, n) where id = $1`,
    [row.uuid, ids],
  );
  const rows = ids.map((uuid) => ({ uuid, version: 1 }));
  const { data } = await files.exportPayoutFile(office.call(), body({ template, rows }));
  expect(data).toMatchObject({ count: 1_000, amount: "500000.00" });
  expect((await fileText(data.uuid)).text.trimEnd().split("\r\n").length).toBe(1_001);
  // nobody decided on these, which the check of all books after each test would find
  await db.owner.query("delete from payout_file_rows where transaction_id = any($1)", [ids]);
  await db.owner.query("delete from transactions where id = any($1)", [ids]);
});
