import { randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import english from "../../locales/en.json" with { type: "json" };
import type { AuditEntry } from "../../src/contract/audit-log.ts";
import { actWord } from "../../src/contract/audit-log.ts";
import { testDatabase } from "../support/database.ts";
import { makeAccount, makeMerchant, makePerson, makeTenant } from "../support/factories.ts";
import type { Person, Tenant } from "../support/factories.ts";
import { serve } from "../support/http.ts";
import type { Served } from "../support/http.ts";
import { makeGame, makeProvider } from "../support/game-provider.ts";
import { asMember, giveDirectly, ownerOf } from "../support/people.ts";

const db = testDatabase();
let served: Served;
let tenant: Tenant;
let owner: Person;
beforeAll(async () => {
  served = await serve(db);
  tenant = await makeTenant(db);
  owner = await ownerOf(db, tenant);
});
afterAll(() => served.app.close());

async function insert(text: string, values: readonly unknown[]): Promise<string> {
  const { rows } = await db.owner.query<{ id: string }>(`${text} returning id`, [tenant.id, ...values]);
  return rows[0]?.id ?? "";
}
/** The entry of an act on a record, as a reader sees it in the list. */
async function entryOf(entity: string, of: string | null, { reader = owner, act = `${entity}.update` } = {}): Promise<AuditEntry> {
  const request = randomUUID();
  await db.owner.query(
    `insert into audit_entries (tenant_id, actor_kind, actor_name, act, entity, entity_id, request_id)
      values ($1, 'system', 'system', $2, $3, $4, $5)`,
    [tenant.id, act, entity, of, request],
  );
  const call = await asMember(served, tenant, reader);
  const { data } = await call("listAuditEntries", { query: { "filter[request_id]": request } });
  const [entry] = data as AuditEntry[]; // the contract's shape
  if (!entry) throw new Error("the entry was not listed");
  return entry;
}
const placeOf = async (...asked: Parameters<typeof entryOf>) => {
  const { name, screen } = await entryOf(...asked);
  return [name, screen];
};
const someone = (...rights: string[]) =>
  makePerson(db, tenant, "Auditor").then(async (person) => {
    await giveDirectly(db, tenant, person, ["audit-log.view", ...rights]);
    return person;
  });
const makeView = (by: Person, shared: boolean, screen = "deposits") =>
  insert("insert into saved_views (tenant_id, owner_id, screen, name, shared, state) values ($1, $2, $4, 'Late ones', $3, '{}')", [
    by.id,
    shared,
    screen,
  ]);

test("a payer, a bank's file, a payout file and the pages without a list each lead to their screen, by their name", async () => {
  const merchant = await makeMerchant(db, tenant);
  const account = await makeAccount(db, tenant);
  const payer = await insert(
    "insert into bank_payers (tenant_id, currency, account, name, merchant_id, member) values ($1, $2, '5140123', 'TAN', $3, 'M1')",
    [merchant.currency, merchant.id],
  );
  const file = await insert(
    `insert into bank_imports (tenant_id, currency, payment_account_id, source, file_name, layout, by_user, by_name)
      values ($1, $2, $3, 'file', 'march.csv', '{}', $4, 'Ann Lim')`,
    [merchant.currency, account.id, owner.id],
  );
  const payout = await insert(
    `insert into payout_files (tenant_id, id, currency, name, template, type, bytes, rows, amount, by_user, actor, at)
      values ($1, gen_random_uuid(), $2, 'bulk.csv', 'Bulk', 'text/csv', '', 1, 1, $3, 'Ann Lim', now())`,
    [merchant.currency, owner.id],
  );
  expect(await placeOf("payer", payer)).toEqual(["5140123", "bank-transactions"]);
  expect(await placeOf("bank-import", file)).toEqual(["march.csv", "bank-transactions"]);
  expect(await placeOf("payout-file", payout)).toEqual(["bulk.csv", "withdrawals"]);
  expect(await placeOf("first-steps", tenant.id)).toEqual([expect.any(String), "dashboard"]);
  expect(await placeOf("tenant-setting", tenant.id)).toEqual([expect.any(String), "setting"]);
});

test("the settings and the first steps, which have one id, lead each to their own page in one list", async () => {
  await entryOf("first-steps", tenant.id);
  await entryOf("tenant-setting", tenant.id);
  const call = await asMember(served, tenant, owner);
  const { data } = await call("listAuditEntries", { query: { "filter[of]": tenant.id } });
  const led = (data as AuditEntry[]).map(({ entity, screen }) => `${entity} ${screen}`); // the contract's shape
  expect(new Set(led)).toEqual(new Set(["first-steps dashboard", "tenant-setting setting"]));
});

test("a set-up at a provider leads into its merchant's list, a game and an import of games into its set-up's", async () => {
  const merchant = await makeMerchant(db, tenant);
  const provider = await makeProvider(db, tenant, merchant, { name: "Lotus" });
  const game = await makeGame(db, tenant, provider, { code: "dragon" });
  const { params: ofMerchant } = await entryOf("merchant-provider", provider);
  const { screen, name, params } = await entryOf("provider-game", game);
  expect(ofMerchant).toEqual({ merchantUuid: merchant.id });
  expect({ screen, name, params }).toEqual({ screen: "provider-games", name: "dragon", params: { merchantProviderUuid: provider } });
});

test("a saved view of a screen that there is no more leads nowhere", async () => {
  expect(await placeOf("view", await makeView(owner, true, "no-such-screen"))).toEqual(["Late ones", null]);
});

test("a saved view leads to its own screen, and one that is another's alone nowhere", async () => {
  const colleague = await someone();
  expect(await placeOf("view", await makeView(colleague, true))).toEqual(["Late ones", "deposits"]);
  expect(await placeOf("view", await makeView(owner, false))).toEqual(["Late ones", "deposits"]);
  expect(await placeOf("view", await makeView(colleague, false))).toEqual([null, null]);
});

test("what is gone, what is about no single record and what the reader may not see lead nowhere", async () => {
  const merchant = await makeMerchant(db, tenant, { code: "HARBOUR" });
  const left = await makePerson(db, tenant, "Ben Ooi");
  await db.owner.query(
    "insert into audit_entries (tenant_id, actor_kind, actor_id, actor_name, act, entity) values ($1, 'user', $2, 'Ben Ooi', 'session.start', 'user')",
    [tenant.id, left.id],
  );
  expect(await placeOf("user", left.id)).toEqual(["Ben Ooi", "users"]);
  await db.owner.query("delete from memberships where user_id = $1", [left.id]);
  // whoever left keeps their name in the history
  expect(await placeOf("user", left.id)).toEqual(["Ben Ooi", null]);
  expect(await placeOf("vendor", randomUUID())).toEqual([null, null]);
  expect(await placeOf("user", null, { act: "user.look-up" })).toEqual([null, null]);
  expect(await placeOf("merchant", merchant.id)).toEqual(["HARBOUR", "merchants"]);
  expect(await placeOf("merchant", merchant.id, { reader: await someone("vs.vendor.vendors.view") })).toEqual([null, null]);
});

test("what was read of the outgoing mails leads to them, for owners alone, because nobody else sees them", async () => {
  expect(await placeOf("outgoing-mail", null, { act: "outgoing-mail.read" })).toEqual([null, "setting"]);
  const reader = await someone("tenant-setting.view");
  expect(await placeOf("outgoing-mail", null, { act: "outgoing-mail.read", reader })).toEqual([null, null]);
});

test("the start of an import is not that of a session, and is filtered apart from it", async () => {
  const started = await entryOf("bank-import", null, { act: "bank-import.start" });
  expect([started.act, actWord("bank-import.start"), actWord("session.start")]).toEqual(["start-import", "start-import", "start"]);
  const call = await asMember(served, tenant, owner);
  const { data } = await call("listAuditEntries", { query: { "filter[act]": "start-import" } });
  expect((data as AuditEntry[]).map(({ uuid }) => uuid)).toEqual([started.uuid]); // the contract's shape
});

test("every act that the server records has a word", () => {
  const patterns = [
    /\bact: [`"]((?:[\w-]+\.)?[a-z-]+)[`"]/g,
    /audit\([^;]*?actor\w*(?:\([^)]*\))?, "([a-z-]+)"/g,
    /importFact\([^,]*, "([a-z-]+)"/g,
    /'([a-z-]+\.[a-z-]+)', '[a-z-]+'/g,
  ];
  const written = globSync("src/server/**/*.{ts,sql}").flatMap((file) => {
    const source = readFileSync(file, "utf8");
    return patterns.flatMap((pattern) => [...source.matchAll(pattern)].map(([, act = ""]) => act));
  });
  expect(written.length).toBeGreaterThan(60);
  expect([...new Set(written)].filter((act) => !(`audit-entry.act.${actWord(act)}` in english))).toEqual([]);
});
