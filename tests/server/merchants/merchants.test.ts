import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { MerchantForm } from "../../../src/contract/merchants.ts";
import { merchantSorts, tenantMerchantRoutes } from "../../../src/contract/merchants.ts";
import type { StaffCall } from "../../../src/server/call.ts";
import { tenantMerchantHandlers as act } from "../../../src/server/merchants/merchants.ts";
import { merchantSecretPlace } from "../../../src/server/secrets/secrets.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant, setSettings } from "../../support/factories.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
beforeEach(async () => {
  office = await makeOffice(db, { currencies: ["THB"] });
});

type Query = z.input<typeof tenantMerchantRoutes.listMerchants.query>;
const list = (query: Query, call = office.call()) =>
  act.listMerchants(call, { query: tenantMerchantRoutes.listMerchants.query.parse(query), params: undefined, body: undefined });
const form: MerchantForm = {
  name: "Harbour Play",
  deposit_rate: "1.5",
  withdrawal_rate: "1",
  settlement_rate: "0.25",
  charges_borne_by: "house",
  website_url: "",
  backoffice_url: "https://office.harbour.example",
  callback_url: "https://pay.harbour.example/callback",
  whitelist_ips: "203.0.113.7,198.51.100.0/24",
};
const create = (more: Partial<MerchantForm & { code: string }> = {}, call = office.call()) =>
  act.createMerchant(call, body({ ...form, code: "HP", ...more })).then(({ data }) => data);
/** As somebody who proved so many minutes ago who they are. */
async function proved(call: StaffCall, minutes = 0): Promise<StaffCall> {
  const { rows } = await db.owner.query<{ id: string }>(
    `insert into sessions (user_id, expires_at, proved_at) values ($1, now() + interval '1 day', now() - make_interval(mins => $2)) returning id`,
    [call.caller.id, minutes],
  );
  return { ...call, caller: { ...call.caller, session: rows[0]?.id ?? "" } };
}
const update = async (uuid: string, version: number, more: Partial<MerchantForm> = {}, call = office.call()) =>
  updateAs(await proved(call), uuid, version, more);
const updateAs = (call: StaffCall, uuid: string, version: number, more: Partial<MerchantForm>) =>
  act.updateMerchant(call, { params: { uuid }, query: undefined, body: { ...form, ...more, version } }).then(({ data }) => data);
const setStatus = (uuid: string, version: number, status: "active" | "inactive" | "suspended", call = office.call()) =>
  act.changeMerchantStatus(call, { params: { uuid }, query: undefined, body: { version, status, reason: "chargebacks" } });
const remove = (uuid: string, version = 1, call = office.call()) =>
  act.deleteMerchant(call, { params: { uuid }, query: { version }, body: undefined });
const read = (uuid: string, call = office.call()) =>
  act.readMerchant(call, { params: { uuid }, query: undefined, body: undefined }).then(({ data }) => data);
const audited = async (uuid: string) =>
  (
    await db.owner.query(
      "select act, actor_name, before, after, reason from audit_entries where tenant_id = $1 and entity_id = $2 order by id",
      [office.tenant.id, uuid],
    )
  ).rows;

const sqlOrder: Record<(typeof merchantSorts)[number], string[]> = {
  name: ["lower(name)", "id"],
  code: ["code", "id"],
  created_at: ["created_at", "id"],
  status: ["status", "created_at", "id"],
};

describe("the list", () => {
  test.each(merchantSorts.flatMap((name) => ["", "-"].map((sign) => `${sign}${name}`)))(
    "sorted by %s, pages forward and backward are SQL's order",
    async (sort) => {
      const names = ["Harbour Play", "harbour arena", "Lotus 88", "Lotus 88", "Émile", "金沙"];
      for (let n = 0; n < 17; n++) {
        const more = {
          code: `M${String((n * 7) % 17).padStart(2, "0")}`,
          name: names[n % names.length],
          status: n % 3 ? "active" : "inactive",
        };
        await makeMerchant(db, office.tenant, { ...more, created_at: new Date(1_700_000_000_000 + (n % 4) * 1000) });
      }
      const order = sqlOrder[sort.replace("-", "") as keyof typeof sqlOrder].map(
        (column) => `${column} ${sort.startsWith("-") ? "desc" : "asc"}`,
      );
      const { rows } = await db.owner.query<{ id: string }>(
        `select id from merchants where tenant_id = $1 order by ${order.join(", ").replace("lower(name)", 'lower(name) collate "C"')}`,
        [office.tenant.id],
      );
      const expected = rows.map(({ id }) => id);
      const forward: string[] = [];
      let cursor: string | undefined;
      do {
        const { data, meta } = await list({ sort, limit: 5, ...(cursor && { cursor }) });
        expect(meta.previous === null).toBe(cursor === undefined);
        forward.push(...data.map(({ uuid }) => uuid));
        cursor = meta.next ?? undefined;
      } while (cursor);
      expect(forward).toEqual(expected);
      const backward: string[] = [];
      do {
        const { data, meta } = await list({ sort, limit: 4, direction: "previous", ...(cursor && { cursor }) });
        backward.unshift(...data.map(({ uuid }) => uuid));
        cursor = meta.previous ?? undefined;
      } while (cursor);
      expect(backward).toEqual(expected);
    },
  );

  test("a page begins at a time or with a named row, and the count says how many stand before it", async () => {
    for (let n = 0; n < 9; n++)
      await makeMerchant(db, office.tenant, { code: `M${n}`, created_at: new Date(1_700_000_000_000 + n * 60_000) });
    const codes = async (query: Parameters<typeof list>[0]) => {
      const { data, meta } = await list({ limit: 2, with: "count", ...query });
      return [data.map(({ code }) => code).join(" "), meta.before, meta.count];
    };
    const at = new Date(1_700_000_000_000 + 5 * 60_000).toISOString();
    expect(await codes({ sort: "created_at", at })).toEqual(["M5 M6", 5, 9]);
    expect(await codes({ sort: "-created_at", at })).toEqual(["M5 M4", 3, 9]);
    const third = await list({ sort: "code", limit: 2, cursor: (await list({ sort: "code", limit: 4 })).meta.next ?? "" });
    expect(await codes({ sort: "code", from: third.meta.previous ?? "" })).toEqual(["M4 M5", 4, 9]);
    expect(await codes({ sort: "code", direction: "previous" })).toEqual(["M7 M8", 7, 9]);
    await expect(list({ sort: "code", at })).rejects.toMatchObject({ code: "request.invalid" });
  });

  test("a made-up cursor is refused", async () => {
    const made = Buffer.from(JSON.stringify(["created_at", "yesterday", "x"])).toString("base64url");
    for (const cursor of ["nonsense", made]) {
      await expect(list({ sort: "created_at", cursor })).rejects.toMatchObject({
        code: "request.invalid",
        detail: { cursor: expect.anything() },
      });
    }
  });

  test("filters narrow it; count and sums are of all that is left, whatever the page", async () => {
    const one = await makeMerchant(db, office.tenant, { code: "HP", name: "Harbour Play", wallet: "1000" });
    await office.withdraw(one, { amount: "100.00" });
    await makeMerchant(db, office.tenant, { code: "HA", name: "Harbour Arena", wallet: "50", status: "suspended" });
    await makeMerchant(db, office.tenant, { code: "LT", name: "Lotus 88" });
    await makeMerchant(db, office.tenant, { code: "BP", name: "Baan Play", currency: "THB" });
    const names = async (query: Query) => (await list(query)).data.map(({ name }) => name);
    expect(await names({})).toEqual(["Harbour Arena", "Harbour Play", "Lotus 88"]);
    expect(await names({ "filter[status]": "suspended,inactive" })).toEqual(["Harbour Arena"]);
    expect(await names({ "filter[status]": "" })).toEqual([]);
    expect(await names({ "filter[name]": "play" })).toEqual(["Harbour Play"]);
    expect(await names({ "filter[code]": "lt" })).toEqual(["Lotus 88"]);
    expect(await names({ "filter[wallet_from]": "50", "filter[wallet_to]": "900" })).toEqual(["Harbour Arena", "Harbour Play"]);
    expect(await names({ "filter[wallet_from]": "50.0001" })).toEqual(["Harbour Play"]);
    expect(await names({ "filter[hold_from]": "100" })).toEqual(["Harbour Play"]);
    await db.owner.query("update merchants set created_at = '2026-01-02T03:04:05Z' where id = $1", [one.id]);
    expect(await names({ "filter[created_at_to]": "2026-01-02T03:04:05.000Z" })).toEqual([]);
    expect(await names({ "filter[created_at_to]": "2026-01-02T03:04:05.001Z" })).toEqual(["Harbour Play"]);
    expect(await names({ "filter[created_at_from]": "2026-01-02T03:04:05.001Z" })).toEqual(["Harbour Arena", "Lotus 88"]);
    expect(await names({ q: "ha" })).toEqual(["Harbour Arena", "Harbour Play"]);
    expect(await names({ q: "%" })).toEqual([]);
    const { data, meta } = await list({ limit: 1, q: "harbour", with: "count,sums" });
    expect(data).toHaveLength(1);
    expect(meta).toMatchObject({ count: 2, sums: { wallet: "950.00", hold: "100.00" } });
  });

  test("another tenant's merchants are in no list and under no id", async () => {
    const other = await makeOffice(db);
    const theirs = await makeMerchant(db, other.tenant, { name: "Harbour Play" });
    expect((await list({ with: "count" })).meta.count).toBe(0);
    await expect(read(theirs.id)).rejects.toMatchObject({ code: "not-found" });
    await expect(update(theirs.id, 1)).rejects.toMatchObject({ code: "not-found" });
    await expect(remove(theirs.id)).rejects.toMatchObject({ code: "not-found" });
    await expect(read(theirs.id, office.call(office.ann, { currency: "THB" }))).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("a new merchant", () => {
  test("has its own key and a secret that opens only for it, an empty wallet, and a line in its history", async () => {
    const made = await create();
    expect(made).toMatchObject({ code: "HP", version: 1, status: "active", wallet: "0.00", hold: "0.00", deposit_rate: "1.50" });
    expect(made).toMatchObject({ website_url: null, whitelist_ips: "203.0.113.7, 198.51.100.0/24", currency: "MYR" });
    const { rows } = await db.owner.query<{ secret: Buffer; tenant: string }>(
      "select m.secret, t.code as tenant from merchants m join tenants t on t.id = m.tenant_id where m.id = $1",
      [made.uuid],
    );
    const secret = office.deps.secrets.open(rows[0]?.secret ?? Buffer.alloc(0), merchantSecretPlace(office.tenant.id, made.uuid));
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(made.api_key).toMatch(new RegExp(`^${rows[0]?.tenant}_[\\w-]{24}$`));
    const [line, ...more] = await audited(made.uuid);
    expect(more).toEqual([]);
    expect(line).toMatchObject({
      act: "merchant.create",
      actor_name: "Ann Lim",
      before: null,
      after: { code: "HP", name: "Harbour Play" },
    });
    expect(JSON.stringify(line)).not.toContain(made.api_key);
    expect((await read(made.uuid)).history).toMatchObject([
      { act: "merchant.create", by: "Ann Lim", reason: null, changes: { name: { before: null, after: "Harbour Play" } } },
    ]);
  });

  test("asked for twice under one key is made once", async () => {
    const call = office.call(office.ann, { key: "the-same-key" });
    const [one, two] = await Promise.all([create({}, call), create({}, call)]);
    expect(two).toEqual(one);
    expect((await list({ with: "count" })).meta.count).toBe(1);
  });

  test("with a code that is taken, in whatever currency, is refused by field", async () => {
    await create({}, office.call(office.ann, { currency: "THB" }));
    await expect(create()).rejects.toMatchObject({ code: "request.invalid", detail: { code: ["Already taken"] } });
  });

  test.each([
    "http://pay.harbour.example/",
    "https://pay.harbour.example:8443/",
    "https://ann:secret@pay.harbour.example/",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://10.1.2.3/",
    "https://169.254.169.254/latest",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://localhost/",
    "https://a.localhost./",
  ])("may not be called back at %s", async (callback_url) => {
    await expect(create({ callback_url })).rejects.toMatchObject({
      code: "request.invalid",
      detail: { callback_url: [expect.any(String)] },
    });
  });

  test("may be called back on this machine where the tenant's development switch is on, but not in a private network", async () => {
    await setSettings(db, office.tenant, { loopback_callbacks: true });
    expect((await create({ callback_url: "http://127.0.0.1:4000/" })).callback_url).toBe("http://127.0.0.1:4000/");
    expect((await create({ code: "H2", callback_url: "http://shop.localhost:4000/" })).callback_url).toBe("http://shop.localhost:4000/");
    for (const callback_url of ["http://10.0.0.1:4000/", "http://pay.harbour.example/", "https://pay.harbour.example:8443/"])
      await expect(create({ code: "H3", callback_url }), callback_url).rejects.toMatchObject({
        code: "request.invalid",
        detail: { callback_url: [expect.any(String)] },
      });
  });

  test("with an allow-list that would let nobody in is refused", async () => {
    for (const whitelist_ips of ["1.2.3", "203.0.113.0/33", "203.0.113.7, ::/129", "1.2.3.4.5"]) {
      await expect(create({ whitelist_ips })).rejects.toMatchObject({
        code: "request.invalid",
        detail: { whitelist_ips: [expect.any(String)] },
      });
    }
  });
});

describe("changing a merchant", () => {
  test("writes what changed, and only that, into the audit log", async () => {
    const made = await create();
    const changed = await update(made.uuid, 1, { name: "Harbour Play 2", deposit_rate: "1.5000", whitelist_ips: "" });
    expect(changed).toMatchObject({ version: 2, name: "Harbour Play 2", whitelist_ips: "", code: "HP", api_key: made.api_key });
    expect(Date.parse(changed.updated_at)).toBeGreaterThanOrEqual(Date.parse(made.updated_at));
    expect((await audited(made.uuid))[1]).toEqual({
      act: "merchant.update",
      actor_name: "Ann Lim",
      before: { name: "Harbour Play", whitelist_ips: ["203.0.113.7", "198.51.100.0/24"] },
      after: { name: "Harbour Play 2", whitelist_ips: [] },
      reason: null,
    });
  });

  test("its callback address, allow-list or a rate asks for a fresh proof of who one is; its name does not", async () => {
    const { uuid } = await create();
    const stale = await proved(office.call(), 11);
    for (const more of [
      { callback_url: "https://elsewhere.example/" },
      { whitelist_ips: "203.0.113.8" },
      { deposit_rate: "2" },
      { withdrawal_rate: "2" },
      { settlement_rate: "2" },
    ])
      await expect(updateAs(stale, uuid, 1, more), JSON.stringify(more)).rejects.toMatchObject({ code: "step-up.required" });
    expect(await audited(uuid)).toHaveLength(1);
    expect((await updateAs(stale, uuid, 1, { name: "Renamed" })).version).toBe(2);
    expect((await update(uuid, 2, { name: "Renamed", callback_url: "https://elsewhere.example/" })).version).toBe(3);
  });

  test("to another callback address is a fresh start: nothing of the old endpoint's failures is kept", async () => {
    const { uuid } = await create();
    await db.owner.query(
      "insert into callback_endpoints (tenant_id, merchant_id, failures, paused_until) values ($1, $2, 9, now() + interval '5 minutes')",
      [office.tenant.id, uuid],
    );
    await update(uuid, 1, { callback_url: "https://elsewhere.example/" });
    expect((await db.owner.query("select from callback_endpoints where merchant_id = $1", [uuid])).rowCount).toBe(0);
  });

  test("into what it is already writes nothing", async () => {
    const made = await create();
    expect(await update(made.uuid, 1)).toEqual(made);
    expect((await setStatus(made.uuid, 1, "active")).data).toEqual(made);
    expect(await audited(made.uuid)).toHaveLength(1);
  });

  test("over somebody else's change is refused with who, when and the row as it is, and changes nothing", async () => {
    const { uuid } = await create();
    const bens = await update(uuid, 1, { name: "Ben's name" }, office.call(office.ben));
    const refused = { code: "record.stale", detail: { by: "Ben Ooi", at: expect.any(String), row: bens } };
    await expect(update(uuid, 1, { name: "Ann's name" })).rejects.toMatchObject(refused);
    await expect(setStatus(uuid, 1, "suspended")).rejects.toMatchObject(refused);
    await expect(remove(uuid, 1)).rejects.toMatchObject(refused);
    expect((await read(uuid)).row).toEqual(bens);
    expect(await audited(uuid)).toHaveLength(2);
  });

  test("by two at once lets one of them through", async () => {
    const { uuid } = await create();
    const settled = await Promise.allSettled([
      update(uuid, 1, { name: "Ann's" }),
      update(uuid, 1, { name: "Ben's" }, office.call(office.ben)),
      setStatus(uuid, 1, "inactive"),
    ]);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await read(uuid)).row.version).toBe(2);
  });

  test("leaves an address alone that no rule would take today", async () => {
    const { id } = await makeMerchant(db, office.tenant, { callback_url: "http://127.0.0.1:4000/" });
    expect((await update(id, 1, { callback_url: "http://127.0.0.1:4000/", name: "Renamed" })).name).toBe("Renamed");
    await expect(update(id, 2, { callback_url: "http://127.0.0.1:4001/" })).rejects.toMatchObject({ code: "request.invalid" });
  });

  test("its status is audited with the reason, which its history shows", async () => {
    const { uuid } = await create();
    expect((await setStatus(uuid, 1, "suspended")).data).toMatchObject({ status: "suspended", version: 2 });
    expect((await audited(uuid))[1]).toMatchObject({
      act: "merchant.change-status",
      before: { status: "active" },
      after: { status: "suspended" },
      reason: "chargebacks",
    });
    expect((await read(uuid)).history[0]).toMatchObject({ act: "merchant.change-status", reason: "chargebacks" });
  });
});

describe("a merchant's panel", () => {
  test("shows its groups, what came today and what is open", async () => {
    const merchant = await makeMerchant(db, office.tenant, { wallet: "10000" });
    const group = await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [merchant]);
    await office.withdraw(merchant, { amount: "100.00" });
    const old = await office.withdraw(merchant, { amount: "200.00" });
    await db.owner.query("update transactions set created_at = created_at - interval '2 days' where id = $1", [old.id]);
    await office.deposit(merchant, { amount: "300.00" });
    const other = await makeMerchant(db, office.tenant, { wallet: "10000" });
    await office.withdraw(other, { amount: "999.00" });
    const { groups, today, row } = await read(merchant.id);
    expect(groups).toEqual([{ uuid: group, name: expect.any(String), code: null }]);
    expect(today).toEqual({ deposits: 1, deposit_amount: "300.00", withdrawals: 1, withdrawal_amount: "100.00", open: 3 });
    expect(row).toMatchObject({ wallet: "9700.00", hold: "300.00" });
  });
});

describe("deleting a merchant", () => {
  test("that nothing names takes it away and leaves its history in the audit log", async () => {
    const { uuid } = await create();
    await remove(uuid);
    await expect(read(uuid)).rejects.toMatchObject({ code: "not-found" });
    expect((await audited(uuid)).at(-1)).toMatchObject({
      act: "merchant.delete",
      before: { code: "HP", name: "Harbour Play" },
      after: null,
    });
  });

  test("is refused, saying what names it: money, transactions, groups", async () => {
    const rich = await makeMerchant(db, office.tenant, { wallet: "10.00" });
    await expect(remove(rich.id)).rejects.toMatchObject({ code: "record.in-use", detail: { name: expect.any(String), wallet: "10.00" } });
    const linked = await makeMerchant(db, office.tenant);
    await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [linked]);
    await expect(remove(linked.id)).rejects.toMatchObject({ code: "record.in-use", detail: { groups: [expect.any(String)] } });
    const traded = await makeMerchant(db, office.tenant);
    await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [traded]);
    await office.deposit(traded);
    await db.owner.query("delete from payment_group_merchants where merchant_id = $1", [traded.id]);
    await expect(remove(traded.id)).rejects.toMatchObject({ code: "record.in-use", detail: { transactions: 1 } });
    for (const { id } of [rich, linked, traded]) {
      expect((await read(id)).row.version).toBe(1);
      expect(await audited(id)).toEqual([]);
    }
  });
});
