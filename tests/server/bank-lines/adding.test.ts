import { beforeEach, describe, expect, test } from "vitest";
import { bankTransactionRoutes as routes } from "../../../src/contract/bank-transaction-routes.ts";
import { bankTransactionHandlers as act } from "../../../src/server/bank-lines/bank-lines.ts";
import type { StatementLine } from "../../../src/server/bank-lines/statement-line.ts";
import { aLine, bookLines } from "../../support/bank-lines.ts";
import { testDatabase } from "../../support/database.ts";
import type { Account } from "../../support/factories.ts";
import { makeAccount } from "../../support/factories.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let account: Account;

beforeEach(async () => {
  office = await makeOffice(db, { currencies: ["THB"] });
  account = await makeAccount(db, office.tenant);
});

const time = new Date("2026-11-20T05:00:00Z");
const add = (lines: readonly StatementLine[], to: Account = account) => bookLines(office, to.id, lines);
const list = (query: object = {}, call = office.call()) =>
  act.listBankLines(call, { query: routes.listBankLines.query.parse(query), params: undefined, body: undefined });

describe("a statement", () => {
  const statement = [
    aLine({ time, reference: "A1", counterparty: "Tan" }),
    aLine({ time, reference: "A2", counterparty: "Tan" }),
    aLine({ time, description: "CDM DEP 0043" }),
    aLine({ time, description: "CDM DEP 0044" }),
  ];

  test("is added once, however often it is imported", async () => {
    expect(await add(statement)).toMatchObject({ added: 4, known: 0 });
    expect(await add(statement)).toMatchObject({ added: 0, known: 4 });
    expect(await add([...statement, aLine({ time, reference: "A3" })])).toMatchObject({ added: 1, known: 4 });
  });

  test("has its equal lines by their number: two of one file are two, and stay two", async () => {
    const twice = [aLine({ time, reference: "A1" }), aLine({ time, reference: "A1" })];
    expect(await add(twice)).toMatchObject({ added: 2, known: 0 });
    expect(await add(twice)).toMatchObject({ added: 0, known: 2 });
    expect(await add(twice.slice(1))).toMatchObject({ added: 0, known: 1 });
  });

  test("numbers its equal lines on over its slices", async () => {
    const twins = new Map<string, number>();
    const one = [aLine({ time, reference: "A1" })];
    expect(await bookLines(office, account.id, one, { twins })).toMatchObject({ added: 1 });
    expect(await bookLines(office, account.id, one, { twins })).toMatchObject({ added: 1 });
  });

  test.each<[string, Partial<StatementLine>]>([
    ["the direction", { direction: "debit" }],
    ["the amount", { amount: "500.01" }],
    ["the time", { time: new Date(time.getTime() + 1000) }],
    ["the reference", { reference: "A9" }],
    ["the counterparty", { counterparty: "Lim" }],
    ["the running balance", { balance: "900.00" }],
  ])("tells its lines apart by %s", async (_, other) => {
    const base = { time, reference: "A1", counterparty: "Tan" };
    await add([aLine(base)]);
    expect(await add([aLine({ ...base, ...other })])).toMatchObject({ added: 1 });
  });

  test("tells its lines apart by their text only where reference and counterparty are missing", async () => {
    await add([aLine({ time, description: "one" }), aLine({ time, reference: "A1", description: "one" })]);
    expect(await add([aLine({ time, description: "two" })])).toMatchObject({ added: 1 });
    expect(await add([aLine({ time, reference: "A1", description: "two" })])).toMatchObject({ known: 1 });
  });

  test("is not told apart by blanks, case or trailing zeros, in which exports differ", async () => {
    await add([aLine({ time, reference: "ref  a1", amount: "500.00" })]);
    expect(await add([aLine({ time, reference: "REF A1 ", amount: "500" })])).toMatchObject({ known: 1 });
  });

  test("of another account is another", async () => {
    await add(statement);
    expect(await add(statement, await makeAccount(db, office.tenant))).toMatchObject({ added: 4 });
  });

  test("of thousands of lines is one statement to the database, and equal lines within it are kept", async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => aLine({ time, reference: `R${n % 1_500}` }));
    expect(await add(many)).toMatchObject({ added: 3_000, known: 0 });
    expect(await add(many)).toMatchObject({ added: 0, known: 3_000 });
  });
});

describe("a line by hand", () => {
  const form = () => ({
    payment_account: account.id,
    time: time.toISOString(),
    direction: "credit" as const,
    amount: "120.00",
    reference: "FT-1",
    counterparty: "Tan Wei Jie",
    counterparty_account: "5140-1234 5678",
    description: "DUITNOW",
  });
  const create = (call = office.call()) => act.createBankLine(call, body(form()));

  test("is unmatched, says who added it, and is in the history", async () => {
    const { data } = await create();
    expect(data).toMatchObject({
      status: "unmatched",
      source: "hand",
      by: "Ann Lim",
      amount: "120.00",
      counterparty_account: "514012345678",
    });
    const { data: detail } = await act.readBankLine(office.call(), { params: { uuid: data.uuid }, query: undefined, body: undefined });
    expect(detail.history.map(({ act: name, by }) => [name, by])).toEqual([["bank-line.create", "Ann Lim"]]);
  });
  test("that is there already is refused", async () => {
    await create();
    await expect(create()).rejects.toMatchObject({ code: "bank-line.known" });
  });
  test("sent twice under one key is one line", async () => {
    const key = "once-and-only";
    const [first, second] = [await create(office.call(office.ann, { key })), await create(office.call(office.ann, { key }))];
    expect(second.data.uuid).toBe(first.data.uuid);
  });
  test("needs an account of the currency it is entered in", async () => {
    await expect(create(office.call(office.ann, { currency: "THB" }))).rejects.toMatchObject({ code: "request.invalid" });
  });
});

describe("the list", () => {
  test("pages by keys, newest first, with counts and both sums, in its own currency", async () => {
    const lines = Array.from({ length: 5 }, (_, n) =>
      aLine({
        time: new Date(time.getTime() + n * 60_000),
        amount: `${n + 1}.00`,
        direction: n === 4 ? "debit" : "credit",
        reference: `R${n}`,
      }),
    );
    await add(lines);
    const first = await list({ sort: "-time", limit: 3, with: "count,sums" });
    expect(first.data.map(({ reference }) => reference)).toEqual(["R4", "R3", "R2"]);
    expect(first.meta).toMatchObject({ count: 5, sums: { amount: "15.00", credit: "10.00", debit: "5.00" } });
    const second = await list({ sort: "-time", limit: 3, cursor: first.meta.next });
    expect(second.data.map(({ reference }) => reference)).toEqual(["R1", "R0"]);
    expect((await list({}, office.call(office.ann, { currency: "THB" }))).data).toEqual([]);
  });
  test("filters by account, status and amount, and finds parts of texts", async () => {
    const other = await makeAccount(db, office.tenant);
    await add([aLine({ time, reference: "A1", description: "FPX TAN WEI JIE" }), aLine({ time, reference: "A2", amount: "80.00" })]);
    await add([aLine({ time, reference: "A3" })], other);
    const refs = async (query: object) => (await list(query)).data.map(({ reference }) => reference).toSorted();
    expect(await refs({ "filter[payment_account]": other.id })).toEqual(["A3"]);
    expect(await refs({ "filter[status]": "matched,ignored" })).toEqual([]);
    expect(await refs({ "filter[amount_from]": "100.00" })).toEqual(["A1", "A3"]);
    expect(await refs({ q: "wei jie" })).toEqual(["A1"]);
  });
  test("of another tenant is empty", async () => {
    await add([aLine({ time })]);
    const elsewhere = await makeOffice(db);
    expect((await list({}, elsewhere.call())).data).toEqual([]);
  });
});
