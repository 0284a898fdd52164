import { beforeEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import type { MerchantForm } from "../../../src/contract/merchants.ts";
import type { PaymentGroupForm } from "../../../src/contract/payment-groups.ts";
import { paymentGroupRoutes } from "../../../src/contract/payment-groups.ts";
import { paymentAccountRoutes } from "../../../src/contract/payment-accounts.ts";
import { paymentAccountHandlers } from "../../../src/server/accounts/payment-accounts.ts";
import type { StaffCall } from "../../../src/server/call.ts";
import { tenantMerchantHandlers } from "../../../src/server/merchants/merchants.ts";
import { paymentGroupHandlers as act } from "../../../src/server/payment-groups/payment-groups.ts";
import { noSuchRecord } from "../../../src/server/records/links.ts";
import { testDatabase } from "../../support/database.ts";
import type { Account, Merchant } from "../../support/factories.ts";
import { makeAccount, makeMerchant } from "../../support/factories.ts";
import { body, makeOffice, rejections } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
/** As the merchant's form below has them: a change of rates asks again who one is. */
const rates = { deposit_rate: "0", withdrawal_rate: "0", settlement_rate: "0" };
let office: Office;
let shop: Merchant;
let hall: Merchant;
let till: Account;
beforeEach(async () => {
  office = await makeOffice(db, { currencies: ["THB"] });
  shop = await makeMerchant(db, office.tenant, { code: "SHOP", name: "Harbour Shop", ...rates });
  hall = await makeMerchant(db, office.tenant, { code: "HALL", name: "Lotus Hall" });
  till = await makeAccount(db, office.tenant, { code: "TILL", holder: "House Sdn Bhd" });
});

const form = (more: Partial<PaymentGroupForm> = {}): PaymentGroupForm => ({
  name: "Main",
  accounts: [till.id],
  merchants: [shop.id, hall.id],
  ...more,
});
const one = (uuid: string) => ({ params: { uuid }, query: undefined });
const create = (more: Partial<PaymentGroupForm> = {}, call: StaffCall = office.call()) =>
  act.createPaymentGroup(call, body(form(more))).then(({ data }) => data);
const update = (uuid: string, version: number, more: Partial<PaymentGroupForm> = {}, call: StaffCall = office.call()) =>
  act.updatePaymentGroup(call, { ...one(uuid), body: { ...form(more), version } }).then(({ data }) => data);
const read = (uuid: string) => act.readPaymentGroup(office.call(), { ...one(uuid), body: undefined }).then(({ data }) => data);
const remove = (uuid: string, version: number) =>
  act.deletePaymentGroup(office.call(), { params: { uuid }, query: { version }, body: undefined });
const list = async (query: z.input<typeof paymentGroupRoutes.listPaymentGroups.query> = {}, call: StaffCall = office.call()) => {
  const asked = { query: paymentGroupRoutes.listPaymentGroups.query.parse(query), params: undefined, body: undefined };
  return (await act.listPaymentGroups(call, asked)).data.map(({ name }) => name);
};
const merchant = ({ id }: Merchant) =>
  tenantMerchantHandlers.readMerchant(office.call(), { ...one(id), body: undefined }).then(({ data }) => data);
const account = ({ id }: Account) =>
  paymentAccountHandlers.readPaymentAccount(office.call(), { ...one(id), body: undefined }).then(({ data }) => data);
const merchantForm: MerchantForm = {
  name: "Harbour Shop",
  ...rates,
  charges_borne_by: "house",
  website_url: "",
  backoffice_url: "",
  callback_url: "https://merchant.example/callback",
  whitelist_ips: "",
};
const setGroups = ({ id }: Merchant, version: number, groups: readonly string[] | undefined, call = office.call()) =>
  tenantMerchantHandlers.updateMerchant(call, {
    ...one(id),
    body: { ...merchantForm, ...(groups && { groups: [...groups] }), version },
  });
const changesOf = (history: readonly { act: string; by: string; changes: object }[]) =>
  history.map(({ act: name, by, changes }) => [name, by, changes]);

describe("a payment group", () => {
  test("may be called as one of another currency, which nobody sees beside it", async () => {
    await create({ name: "VIP", accounts: [], merchants: [] });
    const thai = () => create({ name: "VIP", accounts: [], merchants: [] }, office.call(office.ann, { currency: "THB" }));
    expect(await thai()).toMatchObject({ name: "VIP", currency: "THB" });
    await expect(thai()).rejects.toMatchObject({ detail: { name: ["Already taken"] } });
  });

  test("is created, read and changed, and says how many records it links", async () => {
    const made = await create();
    expect(made).toMatchObject({ version: 1, name: "Main", currency: office.tenant.currency, account_count: 1, merchant_count: 2 });
    expect(await read(made.uuid)).toMatchObject({
      accounts: [{ uuid: till.id, code: "TILL", name: "House Sdn Bhd" }],
      merchants: [
        { uuid: hall.id, code: "HALL", name: "Lotus Hall" },
        { uuid: shop.id, code: "SHOP", name: "Harbour Shop" },
      ],
    });
    expect(await update(made.uuid, 1, { name: "VIP", merchants: [shop.id] })).toMatchObject({ version: 2, name: "VIP", merchant_count: 1 });
  });

  test("has a name no other group of the tenant has", async () => {
    await create();
    await expect(create({ merchants: [] })).rejects.toMatchObject({ code: "request.invalid", detail: { name: ["Already taken"] } });
  });

  test("is listed in its currency only, by name whatever its case, and found by any part of it", async () => {
    for (const name of ["beta", "Alpha", "gamma"]) await create({ name, accounts: [], merchants: [] });
    await create({ name: "baht", accounts: [], merchants: [] }, { ...office.call(), currency: "THB" });
    expect(await list()).toEqual(["Alpha", "beta", "gamma"]);
    expect(await list({ sort: "-name" })).toEqual(["gamma", "beta", "Alpha"]);
    expect(await list({ q: "ALPH" })).toEqual(["Alpha"]);
    expect(await list({ "filter[name]": "a", sort: "name" })).toEqual(["Alpha", "beta", "gamma"]);
  });

  test("links accounts and merchants of its own currency only", async () => {
    const baht = await makeMerchant(db, office.tenant, { currency: "THB" });
    await expect(create({ merchants: [shop.id, baht.id] })).rejects.toMatchObject({ detail: { merchants: [noSuchRecord] } });
    const bahtTill = await makeAccount(db, office.tenant, { currency: "THB", balance: "0" });
    await expect(create({ accounts: [bahtTill.id] })).rejects.toMatchObject({ detail: { accounts: [noSuchRecord] } });
    expect(await list()).toEqual([]);
  });

  test("shows in its history who linked what, by codes and not by uuids", async () => {
    const { uuid } = await create();
    await update(uuid, 1, { merchants: [shop.id], accounts: [] }, office.call(office.ben));
    expect(changesOf((await read(uuid)).history)[0]).toEqual([
      "payment-group.update",
      "Ben Ooi",
      { accounts: { before: ["TILL"], after: [] }, merchants: { before: ["HALL", "SHOP"], after: ["SHOP"] } },
    ]);
  });

  test("is found by the deposits of the merchants it links", async () => {
    const { uuid } = await create();
    expect((await office.deposit(shop)).payment_account_id).toBe(till.id);
    await update(uuid, 1, { accounts: [] });
    await expect(office.deposit(shop)).rejects.toMatchObject({ code: "account.none-found" });
  });
});

describe("deleting a group", () => {
  test("unlinks its merchants and accounts, each of which has that in its own history", async () => {
    const { uuid } = await create();
    await remove(uuid, 1);
    expect(await list()).toEqual([]);
    for (const { row, groups, history } of [await merchant(shop), await merchant(hall), await account(till)]) {
      expect(groups).toEqual([]);
      expect(row.version).toBe(3);
      expect(history[0]).toMatchObject({ by: "Ann Lim", changes: { groups: { before: ["Main"], after: [] } } });
    }
    const { rows } = await db.owner.query("select before from audit_entries where act = 'payment-group.delete' and entity_id = $1", [uuid]);
    expect(rows).toEqual([{ before: { name: "Main", currency: office.tenant.currency, accounts: ["TILL"], merchants: ["HALL", "SHOP"] } }]);
  });

  test("is refused when a merchant was linked to it meanwhile, because the number shown is outdated", async () => {
    const { uuid } = await create({ merchants: [hall.id] });
    await setGroups(shop, 1, [uuid]);
    await expect(remove(uuid, 1)).rejects.toMatchObject({ code: "record.stale", detail: { by: "Ann Lim", row: { merchant_count: 2 } } });
  });
});

describe("from the other side", () => {
  test("a merchant's form links it to groups and unlinks it; without the field its links stay", async () => {
    const { uuid } = await create({ merchants: [hall.id] });
    await setGroups(shop, 1, [uuid], office.call(office.ben));
    expect(await merchant(shop)).toMatchObject({ row: { version: 2 }, groups: [{ uuid, name: "Main", code: null }] });
    const { row, merchants, history } = await read(uuid);
    expect([row.version, merchants.map(({ code }) => code)]).toEqual([2, ["HALL", "SHOP"]]);
    expect(changesOf(history)[0]).toEqual([
      "payment-group.update",
      "Ben Ooi",
      { merchants: { before: ["HALL"], after: ["HALL", "SHOP"] } },
    ]);
    await setGroups(shop, 2, undefined);
    expect((await merchant(shop)).row.version).toBe(2);
    await setGroups(shop, 2, []);
    expect((await read(uuid)).row).toMatchObject({ version: 3, merchant_count: 1 });
  });

  test("an account's form does, too", async () => {
    const { uuid } = await create({ accounts: [] });
    const { row } = await account(till);
    const { deposit_daily, deposit_monthly, withdrawal_daily, withdrawal_monthly } = row;
    const fields = Object.fromEntries(
      (
        [
          "holder",
          "type",
          "purpose",
          "method",
          "reserve_amount",
          "threshold",
          "deposit_minimum",
          "deposit_maximum",
          "withdrawal_minimum",
          "withdrawal_maximum",
          "charges_type",
          "charges_value",
        ] as const
      ).map((name) => [name, row[name] ?? ""]),
    );
    const { updatePaymentAccount: route } = paymentAccountRoutes;
    const asked = route.body.parse({
      ...fields,
      deposit_daily_limit: deposit_daily.limit ?? "",
      deposit_monthly_limit: deposit_monthly.limit ?? "",
      withdrawal_daily_limit: withdrawal_daily.limit ?? "",
      withdrawal_monthly_limit: withdrawal_monthly.limit ?? "",
      groups: [uuid],
      version: 1,
    });
    await paymentAccountHandlers.updatePaymentAccount(office.call(), { ...one(till.id), body: asked });
    expect((await read(uuid)).accounts).toMatchObject([{ code: "TILL" }]);
    expect((await account(till)).history[0]).toMatchObject({ changes: { groups: { before: [], after: ["Main"] } } });
  });

  test("whoever overwrites a link another user has just made is refused as stale", async () => {
    const { uuid } = await create({ merchants: [] });
    await setGroups(shop, 1, [uuid], office.call(office.ben));
    await expect(update(uuid, 1, { merchants: [] })).rejects.toMatchObject({ code: "record.stale", detail: { by: "Ben Ooi" } });
    await update(uuid, 2, { merchants: [] });
    await expect(setGroups(shop, 2, [uuid])).rejects.toMatchObject({ code: "record.stale", detail: { by: "Ann Lim" } });
  });

  test("two users link the same pair from both sides at once: one succeeds, the other is refused as stale, and the link exists", async () => {
    for (let round = 0; round < 8; round++) {
      const { uuid, version } = await create({ name: `Round ${round}`, merchants: [], accounts: [] });
      const { row } = await merchant(shop);
      const others = (await merchant(shop)).groups.map((group) => group.uuid);
      const settled = await Promise.allSettled([
        update(uuid, version, { name: `Round ${round}`, merchants: [shop.id], accounts: [] }),
        setGroups(shop, row.version, [...others, uuid], office.call(office.ben)),
      ]);
      expect(rejections(settled)).toEqual(["record.stale"]);
      expect((await read(uuid)).merchants).toMatchObject([{ uuid: shop.id }]);
      expect((await merchant(shop)).groups).toHaveLength(round + 1);
    }
  });
});
