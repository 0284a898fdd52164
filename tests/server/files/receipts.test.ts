import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RouteName } from "../../../src/contract/index.ts";
import { mostReceiptBytes as mostFileBytes } from "../../../src/contract/receipts.ts";
import type { FileStore } from "../../../src/server/files/store.ts";
import { removeUnnamedFiles } from "../../../src/server/files/unnamed-files.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makePerson } from "../../support/factories.ts";
import type { Person } from "../../support/factories.ts";
import { ask, pathOf, routeOf, serve, sessionOf } from "../../support/http.ts";
import type { Answered, Asked, Served } from "../../support/http.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { body, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { formOf, makePdf, makePng, uniquePng } from "../../support/receipts.ts";

const db = testDatabase();
let served: Served;
/** What the store of files does, beside what it does anyway. */
let store: { fails: null | "put" | "get"; during: (() => Promise<void>) | null };
let office: Office;
let merchant: SigningMerchant;
let token: string;

beforeAll(async () => {
  served = await serve(db);
  const { files } = served.deps;
  const watched: FileStore = {
    ...files,
    async put(key, bytes) {
      if (store.fails === "put") throw new Error("the disk is full");
      await files.put(key, bytes);
      await store.during?.();
    },
    async get(key) {
      if (store.fails === "get") throw new Error("the store is away");
      return files.get(key);
    },
  };
  Object.assign(served.deps, { files: watched });
});
afterAll(() => served.app.close());
beforeEach(async () => {
  store = { fails: null, during: null };
  office = await makeOffice(db, { currencies: ["THB"] });
  merchant = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: "10000" });
  token = await tokenOf(office.ann, ["view", "receipt"]);
});

const areas = ["pas.transaction.deposits", "pas.transaction.withdrawals"];
async function tokenOf(person: Person, rights: readonly string[]): Promise<string> {
  const held = areas.flatMap((area) => rights.map((right) => `${area}.${right}`));
  await db.owner.query("update memberships set permissions = $3 where tenant_id = $1 and user_id = $2", [
    office.tenant.id,
    person.id,
    held,
  ]);
  return (await sessionOf(served.deps, person.id)).access_token;
}

const send = (name: RouteName, asked: Asked): Promise<Answered> =>
  ask(served, name, { token, tenant: office.tenant.id, currency: office.tenant.currency, ...asked });
const add = (uuid: string, bytes: Uint8Array, form: Parameters<typeof formOf>[1] = {}): Promise<Answered> =>
  send("addWithdrawalReceipt", { params: { uuid }, ...formOf(bytes, form) });
interface Shown {
  readonly uuid: string;
  readonly type: string;
  readonly size: number;
  readonly name: string;
  readonly hash: string;
  readonly by: string;
}
const shownIn = ({ status, data, text }: Answered): readonly Shown[] => {
  if (status !== 200) throw new Error(`refused: ${text}`);
  return (data as { receipts: Shown[] }).receipts; // the contract's shape
};
const uuidIn = (answer: Answered): string => shownIn(answer).at(-1)?.uuid ?? "";
const rowOf = async (id: string) => {
  const { rows } = await db.owner.query<{ status: string; version: number; receipt_id: string | null; events: number }>(
    "select status, version, receipt_id, events from transactions where id = $1",
    [id],
  );
  return rows[0];
};
const countOf = async (table: string): Promise<number> =>
  (await db.owner.query(`select from ${table} where tenant_id = $1`, [office.tenant.id])).rowCount ?? 0;
async function reject(id: string): Promise<void> {
  const rows = [{ uuid: id, version: (await rowOf(id))?.version ?? 0 }];
  const outcome = only(await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows, reason: { code: "duplicate" } })));
  expect(outcome.done).toBe(true);
}
/** Files that are kept, and those on their way. */
const kept = async () => [await countOf("stored_files"), await countOf("receipts"), await countOf("file_uploads")];
/** The last entry of the audit log on a transaction. */
const audited = async (id: string) => {
  const { rows } = await db.owner.query<{ act: string; actor_name: string; reason: string | null }>(
    "select act, actor_name, reason from audit_entries where entity_id = $1 order by id desc limit 1",
    [id],
  );
  return rows[0];
};
/** The bytes of a receipt's file, with its headers. */
async function file(uuid: string, receipt: string, as = token) {
  const route = routeOf("readWithdrawalReceipt");
  const headers = { authorization: `Bearer ${as}`, "x-tenant-id": office.tenant.id, "x-currency": office.tenant.currency };
  return served.app.inject({ method: "GET", url: pathOf(route, { params: { uuid, receipt } }), headers });
}

describe("adding", () => {
  test("keeps the file, names it in the row and in the audit log, and announces the row", async () => {
    const { id } = await office.withdraw(merchant);
    const png = makePng();
    const before = served.published.length;
    const [receipt] = shownIn(await add(id, png, { name: "C:\\slips\\Maybank.html", type: "text/html" }));
    expect(receipt).toMatchObject({ type: "image/png", name: "Maybank.png", size: png.length, by: "Ann Lim" });
    expect((await rowOf(id))?.receipt_id).toBe(receipt?.uuid);
    expect(await audited(id)).toMatchObject({ act: "withdrawal.receipt-add", actor_name: "Ann Lim" });
    expect(served.published.slice(before)).toHaveLength(1);
    expect((await file(id, receipt?.uuid ?? "")).rawPayload.equals(png)).toBe(true);
    expect(await kept()).toEqual([1, 1, 0]);
    const read = (await send("readWithdrawal", { params: { uuid: id } })).data as { row: { has_receipt: boolean } }; // the contract's shape
    expect(read.row.has_receipt).toBe(true);
  });

  test("several to one transaction, also once it is decided, but ten at most and each file once", async () => {
    const { id } = await office.withdraw(merchant);
    const first = uniquePng();
    await add(id, first);
    expect((await add(id, first)).code).toBe("receipt.known");
    await reject(id);
    for (let n = 1; n < 10; n++) expect((await add(id, n === 1 ? makePdf() : uniquePng())).status).toBe(200);
    expect((await add(id, uniquePng())).code).toBe("receipt.limit");
    expect(shownIn(await send("listWithdrawalReceipts", { params: { uuid: id } }))).toHaveLength(10);
    expect(await kept()).toEqual([10, 10, 0]);
  });

  test("the same request again answers the same and keeps one file; another file under its key is refused", async () => {
    const { id } = await office.withdraw(merchant);
    const [form, other] = [formOf(makePng()), formOf(uniquePng())];
    const key = randomUUID();
    const sent = (one: typeof form) =>
      send("addWithdrawalReceipt", {
        params: { uuid: id },
        payload: one.payload ?? "",
        headers: { ...one.headers, "idempotency-key": key },
      });
    const first = await sent(form);
    expect((await sent(form)).data).toEqual(first.data);
    expect((await sent(other)).code).toBe("request.idempotency-mismatch");
    expect(await kept()).toEqual([1, 1, 0]);
  });

  test("a receipt moves a pending deposit to process, and leaves others where they are", async () => {
    await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [merchant]);
    const { id } = await office.deposit(merchant);
    const added = (uuid: string) => send("addDepositReceipt", { params: { uuid }, ...formOf(uniquePng()) });
    await added(id);
    const row = await rowOf(id);
    expect(row).toMatchObject({ status: "process", events: 2 });
    expect(await audited(id)).toMatchObject({ act: "deposit.process", actor_name: "Ann Lim" });
    const { version } = (await added(id)).data as { version: number }; // the contract's shape
    expect(await rowOf(id)).toMatchObject({ status: "process", events: 2, version });
    const rejected = only(
      await depositHandlers.rejectDeposits(office.call(), body({ rows: [{ uuid: id, version }], reason: { code: "duplicate" } })),
    );
    expect(rejected.done).toBe(true);
    expect((await added(id)).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ status: "rejected" });
  });
});

describe("what is sent", () => {
  test.each([
    ["no picture and no document", Buffer.from("MZ\x90 this program"), {}, "receipt.type"],
    ["a page that says it is a picture", Buffer.from("<!doctype html><script>1</script>"), { name: "a.png" }, "receipt.type"],
    ["nothing", Buffer.alloc(0), {}, "receipt.type"],
    ["another part", makePng(), { field: "picture" }, "request.invalid"],
    [
      "a field before the file",
      makePng(),
      { further: '--BOUNDARY\r\ncontent-disposition: form-data; name="x"\r\n\r\ny\r\n' },
      "request.malformed",
    ],
    [
      "two files",
      makePng(),
      { further: '--BOUNDARY\r\ncontent-disposition: form-data; name="file"; filename="b.png"\r\n\r\ny\r\n' },
      "request.malformed",
    ],
    ["a byte above 5 MB", Buffer.concat([makePng(), Buffer.alloc(mostFileBytes - makePng().length + 1)]), {}, "request.too-large"],
  ])("%s is refused and leaves nothing", async (_, bytes, form, code) => {
    const { id } = await office.withdraw(merchant);
    expect((await add(id, bytes, form)).code).toBe(code);
    expect(await kept()).toEqual([0, 0, 0]);
  });

  test("5 MB are taken", async () => {
    const { id } = await office.withdraw(merchant);
    const bytes = Buffer.concat([makePng(), Buffer.alloc(mostFileBytes - makePng().length)]);
    expect((await add(id, bytes)).status).toBe(200);
  });

  test("JSON and bare bytes are refused as another kind of content", async () => {
    const { id } = await office.withdraw(merchant);
    for (const type of ["application/json", "image/png", "text/plain", null]) {
      const bare = { payload: makePng(), headers: { "content-type": type } };
      expect((await send("addWithdrawalReceipt", { params: { uuid: id }, ...bare })).code).toBe("request.unsupported-media");
    }
    const broken = { payload: "--x\r\nno part", headers: { "content-type": "multipart/form-data; boundary=x" } };
    expect((await send("addWithdrawalReceipt", { params: { uuid: id }, ...broken })).status).toBe(400);
    expect((await send("removeWithdrawalReceipt", { params: { uuid: id, receipt: id }, ...formOf(makePng()) })).code).toBe(
      "request.unsupported-media",
    );
  });
});

describe("who may", () => {
  test("see one has the right to view, add and remove the right to receipts", async () => {
    const { id } = await office.withdraw(merchant);
    const receipt = uuidIn(await add(id, makePng()));
    const viewer = await tokenOf(office.ben, ["view"]);
    expect((await file(id, receipt, viewer)).statusCode).toBe(200);
    const form = formOf(uniquePng());
    expect((await send("addWithdrawalReceipt", { token: viewer, params: { uuid: id }, ...form })).code).toBe("permission.missing");
    const removal = { params: { uuid: id, receipt }, body: { reason: "mistaken" } };
    expect((await send("removeWithdrawalReceipt", { token: viewer, ...removal })).code).toBe("permission.missing");
    const adder = await tokenOf(await makePerson(db, office.tenant, "Chen"), ["receipt"]);
    expect((await file(id, receipt, adder)).statusCode).toBe(403);
  });

  test("another tenant's receipt, another transaction's, a deposit's among withdrawals: there is none", async () => {
    const { id } = await office.withdraw(merchant);
    const receipt = uuidIn(await add(id, makePng()));
    const other = await office.withdraw(merchant);
    expect((await file(other.id, receipt)).statusCode).toBe(404);
    expect((await send("readDepositReceipt", { params: { uuid: id, receipt } })).code).toBe("not-found");
    expect((await send("readWithdrawalReceipt", { params: { uuid: id, receipt }, currency: "THB" })).code).toBe("not-found");
    const mine = token;
    office = await makeOffice(db);
    token = await tokenOf(office.ann, ["view", "receipt"]);
    expect((await file(id, receipt)).statusCode).toBe(404);
    expect((await add(id, uniquePng())).code).toBe("not-found");
    expect(await kept(), "a file for another tenant's row is not even stored").toEqual([0, 0, 0]);
    expect((await file(id, receipt, mine)).statusCode).toBe(403);
  });
});

test("a file is served so that no browser runs, frames or guesses it, and none but the asker's keeps it", async () => {
  const { id } = await office.withdraw(merchant);
  const { headers } = await file(id, uuidIn(await add(id, makePdf(), { name: "Beleg (März) 回单.pdf" })));
  expect(headers).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": `attachment; filename="Beleg _M_rz_ __.pdf"; filename*=UTF-8''Beleg%20%28M%C3%A4rz%29%20%E5%9B%9E%E5%8D%95.pdf`,
    "x-content-type-options": "nosniff",
  });
  expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; sandbox;/);
  expect(headers["cache-control"]).toMatch(/^private, /);
  expect(headers["vary"]).toMatch(/authorization/);
});

describe("removing", () => {
  test("needs a reason, takes it off the row, and is in the audit log; the file stays for a month", async () => {
    const { id } = await office.withdraw(merchant);
    const [first, second] = [uuidIn(await add(id, uniquePng())), uuidIn(await add(id, uniquePng()))];
    const remove = (receipt: string, reason: string) =>
      send("removeWithdrawalReceipt", { params: { uuid: id, receipt }, body: { reason } });
    expect((await remove(second, " ")).code).toBe("request.invalid");
    expect(shownIn(await remove(second, "of another customer")).map(({ uuid }) => uuid)).toEqual([first]);
    expect((await rowOf(id))?.receipt_id).toBe(first);
    expect(await audited(id)).toMatchObject({ act: "withdrawal.receipt-remove", reason: "of another customer" });
    expect((await file(id, second)).statusCode).toBe(404);
    expect((await remove(second, "again")).code).toBe("not-found");
    await remove(first, "of another customer");
    expect((await rowOf(id))?.receipt_id).toBeNull();
    await removeUnnamedFiles(served.deps, office.tenant.id, 100);
    expect(await countOf("stored_files")).toBe(2);
    await db.owner.query("update receipts set removed_at = now() - interval '31 days' where tenant_id = $1", [office.tenant.id]);
    await removeUnnamedFiles(served.deps, office.tenant.id, 100);
    expect(await kept()).toEqual([0, 2, 0]);
  });

  test("is refused once the transaction is decided", async () => {
    const { id } = await office.withdraw(merchant);
    const receipt = uuidIn(await add(id, makePng()));
    await reject(id);
    const refused = await send("removeWithdrawalReceipt", { params: { uuid: id, receipt }, body: { reason: "mistaken" } });
    expect(refused.code).toBe("receipt.kept");
    expect((await file(id, receipt)).statusCode).toBe(200);
  });
});

describe("file and row", () => {
  test("a store that takes no file: no row, no trace, and later again", async () => {
    const { id } = await office.withdraw(merchant);
    store.fails = "put";
    expect((await add(id, makePng())).code).toBe("server.unavailable");
    expect([await countOf("receipts"), await countOf("stored_files")]).toEqual([0, 0]);
    store.fails = null;
    expect((await add(id, makePng())).status).toBe(200);
  });

  test("a store that does not answer, or has lost the file: the receipt is unavailable, and said to be", async () => {
    const { id } = await office.withdraw(merchant);
    const receipt = uuidIn(await add(id, makePng()));
    store.fails = "get";
    expect((await send("readWithdrawalReceipt", { params: { uuid: id, receipt } })).text).toContain("Receipt unavailable.");
    store.fails = null;
    await db.owner.query("delete from stored_files where id = $1", [receipt]);
    expect((await send("readWithdrawalReceipt", { params: { uuid: id, receipt } })).code).toBe("receipt.unavailable");
  });

  test("a file whose row was rolled back is deleted at once, or by the sweep after an hour", async () => {
    const { id } = await office.withdraw(merchant);
    await add(id, makePng());
    expect((await add(id, makePng())).code).toBe("receipt.known");
    expect(await kept()).toEqual([1, 1, 0]);
    // as a process leaves it that is killed in between
    const lost = randomUUID();
    await served.deps.files.put({ tenant: office.tenant.id, id: lost }, makePng());
    const began = "insert into file_uploads (tenant_id, id, begun_at) values ($1, $2, now() - $3::interval)";
    await db.owner.query(began, [office.tenant.id, lost, "59 minutes"]);
    await removeUnnamedFiles(served.deps, office.tenant.id, 100);
    expect(await kept(), "it may still be on its way").toEqual([2, 1, 1]);
    await db.owner.query("update file_uploads set begun_at = now() - interval '61 minutes' where id = $1", [lost]);
    await removeUnnamedFiles(served.deps, office.tenant.id, 100);
    expect(await kept()).toEqual([1, 1, 0]);
  });

  test("a file the sweep has taken for an orphan gets no row", async () => {
    const { id } = await office.withdraw(merchant);
    store.during = async () => {
      await db.owner.query("update file_uploads set begun_at = now() - interval '2 hours' where tenant_id = $1", [office.tenant.id]);
      await removeUnnamedFiles(served.deps, office.tenant.id, 100);
    };
    expect((await add(id, makePng())).code).toBe("request.busy");
    expect(await kept()).toEqual([0, 0, 0]);
  });

  test("a sweep whose store fails goes on with the next file and comes back to it", async () => {
    const ids = [randomUUID(), randomUUID()];
    for (const id of ids) {
      await db.owner.query("insert into file_uploads (tenant_id, id, begun_at) values ($1, $2, now() - interval '2 hours')", [
        office.tenant.id,
        id,
      ]);
    }
    const failing = {
      ...served.deps.files,
      remove: async ({ id }: { id: string }) => (id === ids[0] ? Promise.reject(new Error("away")) : undefined),
    };
    const failed = new Set<string>();
    expect(await removeUnnamedFiles({ ...served.deps, files: failing }, office.tenant.id, 100, failed)).toEqual([ids[1]]);
    expect([...failed]).toEqual([ids[0]]);
    expect(await removeUnnamedFiles(served.deps, office.tenant.id, 100)).toEqual([ids[0]]);
  });
});
