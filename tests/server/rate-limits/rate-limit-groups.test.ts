import { beforeEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import type { RateLimitGroupForm } from "../../../src/contract/rate-limit-groups.ts";
import { rateLimitGroupRoutes } from "../../../src/contract/rate-limit-groups.ts";
import { paymentAccountHandlers } from "../../../src/server/accounts/payment-accounts.ts";
import type { StaffCall } from "../../../src/server/call.ts";
import { rateLimitGroupHandlers as act } from "../../../src/server/rate-limits/rate-limit-groups.ts";
import { noSuchRecord } from "../../../src/server/records/links.ts";
import { testDatabase } from "../../support/database.ts";
import type { Account } from "../../support/factories.ts";
import { makeAccount } from "../../support/factories.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let till: Account;
let safe: Account;
beforeEach(async () => {
  office = await makeOffice(db, { currencies: ["VND"] });
  till = await makeAccount(db, office.tenant, { code: "TILL", holder: "House Sdn Bhd" });
  safe = await makeAccount(db, office.tenant, { code: "SAFE", holder: "House Sdn Bhd" });
});

const none = {
  account_window_minutes: null,
  account_max_count: null,
  account_turnover: null,
  account_max_amount: null,
  member_window_minutes: null,
  member_max_count: null,
  member_turnover: null,
  member_max_amount: null,
} as const;
const form = (more: Partial<RateLimitGroupForm> = {}): RateLimitGroupForm => ({
  name: "Careful",
  ...none,
  account_window_minutes: 60,
  account_max_count: 3,
  ...more,
});
const one = (uuid: string) => ({ params: { uuid }, query: undefined });
const create = (more: Partial<RateLimitGroupForm> = {}, call: StaffCall = office.call()) =>
  act.createRateLimitGroup(call, body(form(more))).then(({ data }) => data);
const update = (uuid: string, version: number, more: Partial<RateLimitGroupForm> = {}) =>
  act.updateRateLimitGroup(office.call(), { ...one(uuid), body: { ...form(more), version } }).then(({ data }) => data);
const assign = (uuid: string, version: number, accounts: readonly Account[], call = office.call()) =>
  act.assignRateLimitAccounts(call, { ...one(uuid), body: { version, accounts: accounts.map(({ id }) => id) } }).then(({ data }) => data);
const read = (uuid: string, call = office.call()) =>
  act.readRateLimitGroup(call, { ...one(uuid), body: undefined }).then(({ data }) => data);
const list = async (query: z.input<typeof rateLimitGroupRoutes.listRateLimitGroups.query> = {}, call = office.call()) => {
  const asked = { query: rateLimitGroupRoutes.listRateLimitGroups.query.parse(query), params: undefined, body: undefined };
  return (await act.listRateLimitGroups(call, asked)).data.map(({ name }) => name);
};
const readAccount = ({ id }: Account) =>
  paymentAccountHandlers.readPaymentAccount(office.call(), { ...one(id), body: undefined }).then(({ data }) => data);
const accountForm = {
  holder: "House Sdn Bhd",
  type: "normal",
  purpose: "both",
  method: "bank_transfer",
  hold_amount: "0",
  hold_reason: "",
  reserve_amount: "0",
  threshold: "0",
  deposit_minimum: "",
  deposit_maximum: "",
  withdrawal_minimum: "",
  withdrawal_maximum: "",
  deposit_daily_limit: "",
  deposit_monthly_limit: "",
  withdrawal_daily_limit: "",
  withdrawal_monthly_limit: "",
  charges_type: "fixed",
  charges_value: "0",
} as const;
const chooseGroup = ({ id }: Account, version: number, group: string | null | undefined, call = office.call()) =>
  paymentAccountHandlers
    .updatePaymentAccount(call, { ...one(id), body: { ...accountForm, ...(group !== undefined && { rate_limit_group: group }), version } })
    .then(({ data }) => data);
const withoutAssign = () =>
  office.call(office.ann, { permissions: ["pas.account.accounts.update", "pas.account.accounts.create", "pas.account.accounts.view"] });
const changesOf = (history: readonly { act: string; changes: object }[]) => history.map(({ act: name, changes }) => [name, changes]);

describe("a rate-limit group", () => {
  test("is created, read, changed, turned off and removed, with its history", async () => {
    const made = await create({ member_window_minutes: 1440, member_turnover: "2500.00" });
    expect(made).toMatchObject({
      version: 1,
      name: "Careful",
      currency: "MYR",
      status: "active",
      account_max_count: 3,
      member_turnover: "2500.00",
      member_max_amount: null,
      account_count: 0,
    });
    expect(await update(made.uuid, 1, { account_max_count: 5 })).toMatchObject({ version: 2, account_max_count: 5, member_turnover: null });
    const off = { version: 2, status: "inactive" as const, reason: "campaign week" };
    await act.changeRateLimitGroupStatus(office.call(), { ...one(made.uuid), body: off });
    const { row, history } = await read(made.uuid);
    expect(row).toMatchObject({ version: 3, status: "inactive" });
    expect(history.map(({ act: name, reason }) => [name, reason])).toEqual([
      ["rate-limit-group.change-status", "campaign week"],
      ["rate-limit-group.update", null],
      ["rate-limit-group.create", null],
    ]);
    await act.deleteRateLimitGroup(office.call(), { params: { uuid: made.uuid }, query: { version: 3 }, body: undefined });
    expect(await list()).toEqual([]);
  });

  test.each([
    ["account", "max_count", 3],
    ["account", "turnover", "100.00"],
    ["account", "max_amount", "100.00"],
    ["member", "max_count", 3],
    ["member", "turnover", "100.00"],
    ["member", "max_amount", "100.00"],
  ] as const)("needs the window of the %s scope for its %s", async (scope, rule, value) => {
    const limits = { ...none, [`${scope}_${rule}`]: value };
    const lines = { [`${scope}_window_minutes`]: ["Window required when limits set"] };
    await expect(create(limits)).rejects.toMatchObject({ code: "request.invalid", detail: lines });
    const made = await create({ ...limits, [`${scope}_window_minutes`]: 10 });
    await expect(update(made.uuid, 1, limits)).rejects.toMatchObject({ code: "request.invalid", detail: lines });
  });

  test("may have any part of its limits, and a window alone", async () => {
    expect(await create({ ...none, name: "None" })).toMatchObject({ account_window_minutes: null, member_window_minutes: null });
    expect(await create({ ...none, name: "Window", member_window_minutes: 5 })).toMatchObject({ member_window_minutes: 5 });
  });

  test("belongs to one currency: it is listed there only, and its name may be used in another", async () => {
    await create();
    const elsewhere = office.call(office.ann, { currency: "VND" });
    expect(await list({}, elsewhere)).toEqual([]);
    await create({}, elsewhere);
    await expect(create()).rejects.toMatchObject({ code: "request.invalid", detail: { name: ["Already taken"] } });
    expect(await list()).toEqual(["Careful"]);
  });

  test("is found by name whatever its case, and by whether it is turned on", async () => {
    const calm = await create({ name: "Calm" });
    await create({ name: "strict" });
    await act.changeRateLimitGroupStatus(office.call(), { ...one(calm.uuid), body: { version: 1, status: "inactive", reason: "" } });
    expect(await list()).toEqual(["Calm", "strict"]);
    expect(await list({ q: "STRI" })).toEqual(["strict"]);
    expect(await list({ "filter[status]": "inactive" })).toEqual(["Calm"]);
  });

  test("cannot be removed while it has accounts, which are named", async () => {
    const { uuid } = await create();
    const { version } = await assign(uuid, 1, [till, safe]);
    const removed = act.deleteRateLimitGroup(office.call(), { params: { uuid }, query: { version }, body: undefined });
    await expect(removed).rejects.toMatchObject({ code: "record.in-use", detail: { name: "Careful", accounts: ["SAFE", "TILL"] } });
  });
});

describe("accounts", () => {
  test("are assigned to a group and let go, each side with its history and a new version", async () => {
    const made = await create();
    expect(await assign(made.uuid, 1, [till, safe])).toMatchObject({ version: 2, account_count: 2, account_max_count: 3 });
    expect(await readAccount(till)).toMatchObject({ row: { version: 2 }, rate_limit_group: { uuid: made.uuid, name: "Careful" } });
    expect(await assign(made.uuid, 2, [safe])).toMatchObject({ version: 3, account_count: 1 });
    const { accounts, history } = await read(made.uuid);
    expect(accounts.map(({ code }) => code)).toEqual(["SAFE"]);
    expect(changesOf(history).slice(0, 2)).toEqual([
      ["rate-limit-group.update", { accounts: { before: ["SAFE", "TILL"], after: ["SAFE"] } }],
      ["rate-limit-group.update", { accounts: { before: [], after: ["SAFE", "TILL"] } }],
    ]);
    const left = await readAccount(till);
    expect(left).toMatchObject({ row: { version: 3 }, rate_limit_group: null });
    expect(changesOf(left.history)[0]).toEqual(["payment-account.update", { rate_limit_group: { before: "Careful", after: null } }]);
  });

  test("of another group leave it: both groups say so", async () => {
    const careful = await create();
    await assign(careful.uuid, 1, [till, safe]);
    const strict = await create({ name: "Strict" });
    await assign(strict.uuid, 1, [till]);
    const before = await read(careful.uuid);
    expect(before.row).toMatchObject({ version: 3, account_count: 1 });
    expect(changesOf(before.history)[0]).toEqual(["rate-limit-group.update", { accounts: { before: ["SAFE", "TILL"], after: ["SAFE"] } }]);
    await expect(assign(careful.uuid, 2, [safe])).rejects.toMatchObject({ code: "record.stale" });
  });

  test("choose their group in their own form, with the right to assign; left out, it stays", async () => {
    const { uuid } = await create();
    expect((await chooseGroup(till, 1, uuid)).version).toBe(2);
    expect(await chooseGroup(till, 2, undefined)).toMatchObject({ version: 2 });
    expect(await read(uuid)).toMatchObject({ row: { version: 2, account_count: 1 }, accounts: [{ code: "TILL" }] });
    expect(changesOf((await read(uuid)).history)[0]).toEqual(["rate-limit-group.update", { accounts: { before: [], after: ["TILL"] } }]);
    await expect(chooseGroup(till, 2, null, withoutAssign())).rejects.toMatchObject({
      code: "permission.missing",
      detail: { permission: "pas.rate-limit.groups.assign" },
    });
    await chooseGroup(till, 2, null);
    expect((await readAccount(till)).rate_limit_group).toBeNull();
    expect(changesOf((await readAccount(till)).history)[0]).toEqual([
      "payment-account.update",
      { rate_limit_group: { before: "Careful", after: null } },
    ]);
  });

  test("are made in a group only with the right to assign, and without one by anybody who may make accounts", async () => {
    const { uuid } = await create();
    const fresh = (code: string, group: string | null) => ({
      ...accountForm,
      code,
      bank: "Maybank",
      account_number: `55550${code}`,
      rate_limit_group: group,
    });
    const make = paymentAccountHandlers.createPaymentAccount;
    await expect(make(withoutAssign(), body(fresh("A1", uuid)))).rejects.toMatchObject({ code: "permission.missing" });
    await make(withoutAssign(), body(fresh("A2", null)));
    await make(office.call(), body(fresh("A3", uuid)));
    expect((await read(uuid)).accounts.map(({ code }) => code)).toEqual(["A3"]);
  });

  test("of another currency, or none at all, cannot be assigned from either side", async () => {
    const dong = await makeAccount(db, office.tenant, { currency: "VND", balance: "0" });
    const { uuid } = await create();
    await expect(assign(uuid, 1, [dong])).rejects.toMatchObject({ detail: { accounts: [noSuchRecord] } });
    const elsewhere = await create({}, office.call(office.ann, { currency: "VND" }));
    await expect(chooseGroup(till, 1, elsewhere.uuid)).rejects.toMatchObject({ detail: { rate_limit_group: [noSuchRecord] } });
  });
});
