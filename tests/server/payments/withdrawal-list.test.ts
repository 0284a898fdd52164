import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { transactionSorts } from "../../../src/contract/transactions.ts";
import { countedViews, WithdrawalQuery, withdrawalRoutes } from "../../../src/contract/withdrawals.ts";
import { depositRoutes } from "../../../src/contract/deposit-routes.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { withdrawalHandlers as act } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant, makePerson } from "../../support/factories.ts";
import type { Merchant } from "../../support/factories.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let merchants: Merchant[];

const list = (query: z.input<typeof WithdrawalQuery>, person = office.ann) =>
  act.listWithdrawals(office.call(person), { query: WithdrawalQuery.parse(query), params: undefined, body: undefined });
const ids = async (query: z.input<typeof WithdrawalQuery>) => (await list({ limit: 500, ...query })).data.map(({ uuid }) => uuid);
const inSql = async (condition: string, order = "created_at, id") =>
  (
    await db.owner.query<{ id: string }>(
      `select id from transactions where tenant_id = $1 and kind = 'withdrawal' and ${condition} order by ${order}`,
      [office.tenant.id],
    )
  ).rows.map(({ id }) => id);

/** Forty withdrawals in every status, with equal names, amounts and instants among them. */
beforeAll(async () => {
  office = await makeOffice(db, { settings: { claim_limit: 100 } });
  merchants = [
    await makeMerchant(db, office.tenant, { name: "Harbour Play", wallet: "100000" }),
    await makeMerchant(db, office.tenant, { wallet: "100000" }),
  ];
  await makeAccount(db, office.tenant, { withdrawal_daily_limit: "900000" });
  const names = ["Tan Wei Ming", "tan ah kow", "Siti Aminah", "Émile Dupont", "陈伟明"];
  for (let n = 0; n < 40; n++) {
    const merchant = merchants[n % 2] as Merchant; // there are two
    const name = names[n % names.length] ?? "";
    await office.withdraw(merchant, {
      amount: `${(n % 7) + 1}0.00`,
      customer_name: name,
      holder: name,
      member: `M${n % 4}`,
      bank: n % 3 === 0 ? "CIMB" : "Maybank",
      account_number: `30${n % 6}0000`,
    });
  }
  const rows = async (from: number, to: number, status: string) =>
    (
      await db.owner.query<{ id: string; version: number }>(
        "select id, version from transactions where tenant_id = $1 order by created_at, id",
        [office.tenant.id],
      )
    ).rows
      .slice(from, to)
      .map(({ id, version }) => ({ uuid: id, version, status }));
  const claim = async (from: number, to: number, person = office.ann) =>
    act.claimWithdrawals(office.call(person), body({ rows: await clean(rows(from, to, "")) }));
  await claim(0, 16);
  await claim(16, 20, office.ben);
  const claimed = await clean(rows(0, 8, ""));
  const confirmed = await Promise.all(
    claimed.map(async (ref) => {
      const { rows: found } = await db.owner.query("select amount::numeric(20,2)::text as amount, holder from transactions where id = $1", [
        ref.uuid,
      ]);
      return { ...ref, confirmed: found[0] };
    }),
  );
  await act.approveWithdrawals(office.call(), body({ rows: confirmed }));
  await act.rejectWithdrawals(office.call(), body({ rows: await clean(rows(8, 12, "")), reason: { code: "duplicate" } }));
});

async function clean(rows: Promise<{ uuid: string; version: number }[]>) {
  return (await rows).map(({ uuid, version }) => ({ uuid, version }));
}

const sqlOrder: Record<(typeof transactionSorts)[number], string[]> = {
  created_at: ["created_at", "id"],
  amount: ["amount", "id"],
  status: ["status", "created_at", "id"],
  customer_name: ["name_key", "id"],
  txn_no: ["txn_no"],
};

/** Of two and three columns, the same way and not, over equal amounts, names and statuses. */
const several = [
  "-amount,created_at",
  "amount,-created_at",
  "status,-amount",
  "-status,customer_name,-amount",
  "customer_name,-amount,-txn_no",
  "-customer_name,-amount",
  "-amount,status",
  "-txn_no,amount",
];
const inOrder = (sort: string) => {
  const fields = sort.split(",").map((text) => {
    const columns = sqlOrder[text.replace("-", "") as (typeof transactionSorts)[number]]; // the tests name only these
    return columns.map((column) => `${column} ${text.startsWith("-") ? "desc" : "asc"}`);
  });
  return inSql("true", [...fields.map(([first]) => first), ...(fields.at(-1) ?? [])].join(", "));
};

describe("pages", () => {
  for (const sort of [...transactionSorts.flatMap((name) => [name, `-${name}`]), ...several]) {
    test(`sorted by ${sort}, pages forward and backward are SQL's order`, async () => {
      const expected = await inOrder(sort);
      expect(expected).toHaveLength(40);
      const forward: string[] = [];
      const begins: string[] = [];
      let cursor: string | undefined;
      do {
        const { data, meta } = await list({ view: "all", sort, limit: 7, with: "count", ...(cursor && { cursor }) });
        expect([meta.previous === null, meta.before]).toEqual([cursor === undefined, forward.length]);
        begins.push(meta.previous ?? "");
        forward.push(...data.map(({ uuid }) => uuid));
        cursor = meta.next ?? undefined;
      } while (cursor);
      expect(forward).toEqual(expected);
      const from = await list({ view: "all", sort, limit: 9, from: begins[2] ?? "" });
      expect(from.data.map(({ uuid }) => uuid)).toEqual(expected.slice(14, 23));

      const backward: string[] = [];
      do {
        // without a cursor: the last page
        const { data, meta } = await list({ view: "all", sort, limit: 9, direction: "previous", ...(cursor && { cursor }) });
        expect(meta.next === null).toBe(cursor === undefined);
        backward.unshift(...data.map(({ uuid }) => uuid));
        cursor = meta.previous ?? undefined;
      } while (cursor);
      expect(backward).toEqual(expected);
    });
  }

  test("a time leads the order whatever sorts after it", async () => {
    const order = await inOrder("-created_at,amount");
    const { data } = await list({ view: "all", sort: "-created_at,amount", limit: 3, at: "today" });
    expect(data.map(({ uuid }) => uuid)).toEqual(order.slice(0, 3));
    await expect(list({ view: "all", sort: "amount,created_at", at: "today" })).rejects.toMatchObject({ code: "request.invalid" });
  });

  test("a cursor fits no other order, nor the same columns the other way", async () => {
    const { meta } = await list({ view: "all", sort: "status,-amount", limit: 5 });
    for (const sort of ["status,amount", "-amount,status", "status"])
      await expect(list({ view: "all", sort, cursor: meta.next ?? "" })).rejects.toMatchObject({ code: "request.invalid" });
  });

  test.each(["amount,-amount", "amount,colour", "amount,", "status,amount,txn_no,created_at"])("an order %s is refused", (sort) => {
    expect(WithdrawalQuery.safeParse({ sort }).success).toBe(false);
  });

  test("the cursor of the last row of a page leads back to the page before it", async () => {
    const first = await list({ view: "all", sort: "amount", limit: 10 });
    const second = await list({ view: "all", sort: "amount", limit: 10, cursor: first.meta.next ?? "" });
    const back = await list({ view: "all", sort: "amount", limit: 10, direction: "previous", cursor: second.meta.previous ?? "" });
    expect(back.data.map(({ uuid }) => uuid)).toEqual(first.data.map(({ uuid }) => uuid));
  });

  test("forward and back again over equal amounts, every page begins where the one before it ended", async () => {
    const expected = await inSql("true", "amount, id");
    const pages: string[][] = [];
    let [cursor, back] = ["", ""];
    do {
      const { data, meta } = await list({ view: "all", sort: "amount", limit: 9, ...(cursor && { cursor }) });
      pages.push(data.map(({ uuid }) => uuid));
      [cursor, back] = [meta.next ?? "", meta.previous ?? ""];
    } while (cursor);
    expect(pages.flat()).toEqual(expected);
    for (const page of pages.toReversed().slice(1)) {
      const { data, meta } = await list({ view: "all", sort: "amount", limit: 9, direction: "previous", cursor: back });
      expect(data.map(({ uuid }) => uuid)).toEqual(page);
      back = meta.previous ?? "";
    }
    expect(back).toBe("");
  });

  test("a page from a row on begins with that row, though it has gone", async () => {
    const order = await inSql("true", "amount desc, id desc");
    const second = await list({
      view: "all",
      sort: "-amount",
      limit: 7,
      cursor: (await list({ view: "all", sort: "-amount", limit: 7 })).meta.next ?? "",
    });
    const from = second.meta.previous ?? "";
    const again = await list({ view: "all", sort: "-amount", limit: 12, from });
    expect(again.data.map(({ uuid }) => uuid)).toEqual(order.slice(7, 19));
    const [gone = ""] = order.slice(7, 8);
    const rest = await list({ view: "all", sort: "-amount", limit: 3, from, "filter[uuid]": order.slice(8, 20).join(",") });
    expect([rest.data.map(({ uuid }) => uuid).includes(gone), rest.data.map(({ uuid }) => uuid)]).toEqual([false, order.slice(8, 11)]);
  });

  test("the count says how many rows stand before the page, wherever it begins", async () => {
    const asked = { view: "all", sort: "amount", limit: 7, with: "count" } as const;
    const first = await list(asked);
    const second = await list({ ...asked, cursor: first.meta.next ?? "" });
    const third = await list({ ...asked, cursor: second.meta.next ?? "" });
    const back = await list({ ...asked, direction: "previous", cursor: third.meta.previous ?? "" });
    const same = await list({ ...asked, from: third.meta.previous ?? "" });
    const last = await list({ ...asked, direction: "previous" });
    expect([first, second, third, back, same, last].map(({ meta }) => [meta.before, meta.count])).toEqual(
      [0, 7, 14, 7, 14, 33].map((before) => [before, 40]),
    );
    expect((await list({ ...asked, with: "sums", cursor: first.meta.next ?? "" })).meta).not.toHaveProperty("before");
  });

  test("the page of a time begins with the first row at or past it, in either order, however many rows share it", async () => {
    const order = await inSql("true");
    const [at = new Date(0)] = (
      await db.owner.query<{ at: Date }>("select created_at as at from transactions where id = $1", [order[20]])
    ).rows.map((row) => row.at);
    // three rows of one millisecond
    const tied = "update transactions set created_at = $2 where id = any($1::uuid[])";
    const was = await db.owner.query<{ id: string; at: string }>(
      "select id, created_at::text as at from transactions where id = any($1::uuid[])",
      [order.slice(20, 23)],
    );
    await db.owner.query(tied, [order.slice(20, 23), at]);
    const rising = await list({ view: "all", sort: "created_at", limit: 5, at: at.toISOString(), with: "count" });
    const now = await inSql("true");
    const begins = now.findIndex((id) => order.slice(20, 23).includes(id));
    expect([rising.data.map(({ uuid }) => uuid), rising.meta.before]).toEqual([now.slice(begins, begins + 5), begins]);
    const falling = await list({ view: "all", sort: "-created_at", limit: 5, at: at.toISOString(), with: "count" });
    expect([falling.data.map(({ uuid }) => uuid), falling.meta.before]).toEqual([
      now.toReversed().slice(40 - begins - 3, 40 - begins + 2),
      40 - begins - 3,
    ]);
    for (const row of was.rows)
      await db.owner.query("update transactions set created_at = $2::timestamptz where id = $1", [row.id, row.at]);
  });

  test("a day is the currency's day: newest first it begins with that day's last row, oldest first with its first", async () => {
    const order = await inSql("true");
    const day =
      (await db.owner.query<{ day: string }>("select to_char(now() + interval '8 hours', 'YYYY-MM-DD') as day")).rows[0]?.day ?? "";
    const first = async (query: z.input<typeof WithdrawalQuery>) => (await list({ view: "all", limit: 1, ...query })).data[0]?.uuid;
    expect(await first({ sort: "created_at", at: "2020-01-01" })).toBe(order[0]);
    expect(await first({ sort: "created_at", at: day })).toBe(order[0]);
    expect(await first({ sort: "-created_at", at: day })).toBe(order.at(-1));
    expect(await first({ sort: "-created_at", at: "-1d" })).toBeUndefined();
    expect(await first({ at: "today" })).toBe(order.at(-1));
  });

  test("a time is refused in an order that is not time's, and beside a cursor", async () => {
    const { meta } = await list({ view: "all", limit: 5 });
    const cursor = meta.next ?? "";
    await expect(list({ view: "all", sort: "amount", at: "today" })).rejects.toMatchObject({
      code: "request.invalid",
      detail: { at: expect.anything() },
    });
    for (const mixed of [
      { at: "today", cursor },
      { from: cursor, cursor },
      { direction: "previous", from: cursor },
      { direction: "previous", at: "now" },
    ] as const)
      await expect(list({ view: "all", ...mixed })).rejects.toMatchObject({ code: "request.invalid" });
    expect(WithdrawalQuery.safeParse({ at: "soon" }).success).toBe(false);
  });

  test("a cursor that is none, of another sort, or made up is refused", async () => {
    const { meta } = await list({ view: "all", sort: "amount", limit: 5 });
    const made = Buffer.from(JSON.stringify(["amount", "ten", "x"])).toString("base64url");
    for (const cursor of ["nonsense", made])
      await expect(list({ view: "all", sort: "amount", cursor })).rejects.toMatchObject({ code: "request.invalid" });
    await expect(list({ view: "all", sort: "txn_no", cursor: meta.next ?? "" })).rejects.toMatchObject({ code: "request.invalid" });
    for (const from of ["nonsense", made])
      await expect(list({ view: "all", sort: "amount", from })).rejects.toMatchObject({ code: "request.invalid" });
  });
});

describe("views and filters", () => {
  const cases: [name: string, query: z.input<typeof WithdrawalQuery>, condition: string][] = [
    ["the queue is what is open, claimed or not, oldest first", {}, "status in ('pending', 'process')"],
    [
      "mine is what I hold",
      { view: "mine", sort: "created_at" },
      "claimed_by = (select id from users where name = 'Ann Lim' and id in (select claimed_by from transactions where tenant_id = $1))",
    ],
    ["process", { view: "process", sort: "created_at" }, "status = 'process'"],
    ["second waits for nobody here", { view: "second" }, "false"],
    ["today is all of it", { view: "today", sort: "created_at" }, "true"],
    ["by status", { view: "all", sort: "created_at", "filter[status]": "approved,rejected" }, "status in ('approved', 'rejected')"],
    ["by a status its view has not", { view: "queue", "filter[status]": "approved" }, "false"],
    ["by bank", { view: "all", sort: "created_at", "filter[bank]": "CIMB" }, "bank = 'CIMB'"],
    ["by bank, whatever its case", { view: "all", sort: "created_at", "filter[bank]": "cImB" }, "bank = 'CIMB'"],
    ["by a bank nobody is paid at", { view: "all", "filter[bank]": "CIM" }, "false"],
    ["by several banks", { view: "all", sort: "created_at", "filter[bank]": "cimb,Maybank,CIM" }, "bank in ('CIMB', 'Maybank')"],
    ["by no such bank", { view: "all", sort: "created_at", "filter[bank]": "!cimb,CIM" }, "bank <> 'CIMB'"],
    ["claimed", { sort: "created_at", "filter[claimed]": "yes" }, "claimed_by is not null"],
    ["not claimed", { sort: "created_at", "filter[claimed]": "no" }, "status in ('pending', 'process') and claimed_by is null"],
    [
      "claimed by me",
      { view: "all", sort: "created_at", "filter[claimed_by]": "me" },
      "claimed_by = (select id from users where name = 'Ann Lim' and id in (select claimed_by from transactions where tenant_id = $1))",
    ],
    [
      "not claimed by me",
      { sort: "created_at", "filter[claimed_by]": "!me" },
      "status in ('pending', 'process') and coalesce(claimed_by <> (select id from users where name = 'Ann Lim' and id in (select claimed_by from transactions where tenant_id = $1)), true)",
    ],
    ["claimed by somebody else", { sort: "created_at", "filter[claimed_by]": "01980000-0000-7000-8000-000000000000" }, "false"],
    [
      "mine, claimed by somebody else",
      { view: "mine", sort: "created_at", "filter[claimed_by]": "01980000-0000-7000-8000-000000000000" },
      "false",
    ],
    ["claimed or not is any", { sort: "created_at", "filter[claimed]": "yes,no" }, "status in ('pending', 'process')"],
    [
      "by account number, however spaced",
      { view: "all", sort: "created_at", "filter[account_number]": "30-10 000" },
      "account_number = '3010000'",
    ],
    [
      "by the beginning of a name, whatever its case",
      { view: "all", sort: "created_at", "filter[customer_name]": "TAN" },
      "lower(customer_name) like 'tan%'",
    ],
    ["by a name with a wildcard in it", { view: "all", "filter[customer_name]": "%" }, "false"],
    [
      "by beginnings of names",
      { view: "all", sort: "created_at", "filter[customer_name]": 'tan,"陈"' },
      "lower(customer_name) like 'tan%' or customer_name like '陈%'",
    ],
    ["by no such name", { view: "all", sort: "created_at", "filter[customer_name]": "!tan" }, "lower(customer_name) not like 'tan%'"],
    ["by members", { view: "all", sort: "created_at", "filter[member]": "M3,M4" }, "member in ('M3', 'M4')"],
    ["by no such members", { view: "all", sort: "created_at", "filter[member]": "!M3,M4" }, "member not in ('M3', 'M4')"],
    [
      "by no such account number",
      { view: "all", sort: "created_at", "filter[account_number]": "!30-10 000" },
      "account_number <> '3010000'",
    ],
    ["by a text with a comma", { view: "all", "filter[member]": '"M3,M4"' }, "false"],
    ["by member", { view: "all", sort: "created_at", "filter[member]": "M3" }, "member = 'M3'"],
    [
      "by amount",
      { view: "all", sort: "created_at", "filter[amount_from]": "20", "filter[amount_to]": "40.00" },
      "amount between 20 and 40",
    ],
    [
      "by time",
      { view: "all", sort: "created_at", "filter[created_from]": "2000-01-01T00:00:00Z", "filter[created_to]": "2000-01-02T00:00:00Z" },
      "false",
    ],
    [
      "by time of approval",
      { view: "all", sort: "created_at", "filter[approved_from]": "2000-01-01T00:00:00Z", "filter[approved_to]": "2100-01-01T00:00:00Z" },
      "approved_at is not null",
    ],
    ["approved before any was", { view: "all", "filter[approved_to]": "2000-01-01T00:00:00Z" }, "false"],
    [
      "several at once",
      { view: "all", sort: "created_at", "filter[status]": "pending,process", "filter[bank]": "CIMB", q: "m2" },
      "status in ('pending', 'process') and bank = 'CIMB' and member = 'M2'",
    ],
    ["a search by member", { view: "all", sort: "created_at", q: "M2" }, "member = 'M2'"],
    ["a search by the beginning of a name", { view: "all", sort: "created_at", q: "陈" }, "customer_name = '陈伟明'"],
    ["a search by a later word, without accents", { view: "all", sort: "created_at", q: "dupont emi" }, "customer_name = 'Émile Dupont'"],
    ["a search by the last digits of an account", { view: "all", sort: "created_at", q: "…0000" }, "account_number like '%0000'"],
    ["a search by account number", { view: "all", sort: "created_at", q: "3020000" }, "account_number = '3020000'"],
    ["a search by the merchant's number", { view: "all", q: "N5" }, "merchant_txn_no = 'N5'"],
  ];
  test.each(cases)("%s", async (_, query, condition) => {
    expect(await ids(query)).toEqual(await inSql(condition));
  });

  test("by merchant, by uuid, and by our own number", async () => {
    const [merchant] = merchants;
    expect(await ids({ view: "all", sort: "created_at", "filter[merchant]": merchant?.id })).toEqual(
      await inSql(`merchant_id = '${merchant?.id}'`),
    );
    const some = (await inSql("true")).slice(3, 6);
    expect(await ids({ view: "all", sort: "created_at", "filter[uuid]": some.join(",") })).toEqual(some);
    const [row] = (await list({ view: "all", limit: 1 })).data;
    expect(await ids({ view: "all", q: row?.txn_no.toLowerCase() })).toEqual([row?.uuid]);
    expect(await ids({ view: "all", q: `…${row?.txn_no.slice(-6)}` })).toEqual([row?.uuid]);
    expect(await ids({ view: "all", sort: "created_at", q: "play harb" })).toEqual(await inSql(`merchant_id = '${merchant?.id}'`));
  });

  test("count and sum are those of the whole filter, and come only when asked", async () => {
    const plain = await list({ view: "all", limit: 3, "filter[status]": "pending,approved" });
    expect(plain.meta).not.toHaveProperty("count");
    const { meta } = await list({ view: "all", limit: 3, "filter[status]": "pending,approved", with: "count,sums" });
    const { rows } = await db.owner.query<{ n: number; sum: string }>(
      "select count(*)::int as n, sum(amount)::numeric(20,2)::text as sum from transactions where tenant_id = $1 and status in ('pending', 'approved')",
      [office.tenant.id],
    );
    expect(meta).toMatchObject({ count: rows[0]?.n, sums: { amount: rows[0]?.sum } });
  });

  describe("what each view counts", () => {
    const counts = async (person = office.ann) =>
      (await act.countWithdrawals(office.call(person), { query: undefined, params: undefined, body: undefined })).data;

    test("is what its list counts, for each caller", async () => {
      const cem = await makePerson(db, office.tenant, "Cem Ak");
      for (const person of [office.ann, cem]) {
        const lists = countedViews.map(async (view) => [view, (await list({ view, limit: 1, with: "count" }, person)).meta.count]);
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        expect(await counts(person)).toEqual(Object.fromEntries(await Promise.all(lists)));
      }
      expect((await counts(office.ann)).mine).not.toBe((await counts(cem)).mine);
    });

    test("is left out when it takes too long", async () => {
      await db.owner.query("create policy slow on transactions as restrictive for select using (pg_sleep(0.3) is not null)");
      try {
        expect(await counts()).toEqual({});
      } finally {
        await db.owner.query("drop policy slow on transactions");
      }
    });
  });

  test("items created before today and decided today are today's", async () => {
    const [old = ""] = await inSql("status = 'approved'");
    await db.owner.query("update transactions set created_at = created_at - interval '3 days' where id = $1", [old]);
    expect(await ids({ view: "today" })).toContain(old);
    await db.owner.query("update transactions set last_action_at = last_action_at - interval '2 days' where id = $1", [old]);
    expect(await ids({ view: "today" })).not.toContain(old);
    await db.owner.query(
      "update transactions set created_at = created_at + interval '3 days', last_action_at = last_action_at + interval '2 days' where id = $1",
      [old],
    );
  });

  test("items decided before today are not today's, though something was done with them today", async () => {
    const [old = ""] = await inSql("status = 'approved'");
    const by = async (days: string) =>
      void (await db.owner.query(
        `update transactions set created_at = created_at + $2::interval, approved_at = approved_at + $2::interval where id = $1`,
        [old, days],
      ));
    await by("-3 days");
    expect(await ids({ view: "today" })).not.toContain(old);
    await by("3 days");
    expect(await ids({ view: "today" })).toContain(old);
  });

  test("another tenant sees none of them", async () => {
    const other = await makeOffice(db);
    const { data } = await act.listWithdrawals(other.call(), {
      query: WithdrawalQuery.parse({ view: "all" }),
      params: undefined,
      body: undefined,
    });
    expect(data).toEqual([]);
  });
});

test("every row and record the handlers answer is what the contract promises", async () => {
  // both are read within the window of a recall
  await db.owner.query("update transactions set recallable_until = now() + interval '1 hour' where recallable_until is not null");
  const { data } = await list({ view: "all", limit: 500 });
  expect(z.array(withdrawalRoutes.listWithdrawals.answer.element).safeParse(data).error).toBeUndefined();
  for (const { uuid } of data.slice(0, 40)) {
    const detail = await act.readWithdrawal(office.call(), { params: { uuid }, query: undefined, body: undefined });
    expect(withdrawalRoutes.readWithdrawal.answer.safeParse(detail.data).error).toBeUndefined();
    expect(detail.data.row).toEqual(data.find((row) => row.uuid === uuid));
  }
});

test("deposits are listed by the same rules", async () => {
  const merchant = merchants[0] as Merchant; // there are two
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [merchant]);
  for (let n = 0; n < 5; n++) await office.deposit(merchant, { amount: `${n + 1}.00` });
  const query = depositRoutes.listDeposits.query.parse({
    view: "all",
    sort: "-amount",
    limit: 2,
    with: "count,sums",
    "filter[status]": "pending",
  });
  const page = await depositHandlers.listDeposits(office.call(), { query, params: undefined, body: undefined });
  expect(page.data.map(({ amount }) => amount)).toEqual(["5.00", "4.00"]);
  expect(page.meta).toMatchObject({ count: 5, sums: { amount: "15.00" }, previous: null });
  expect(z.array(depositRoutes.listDeposits.answer.element).safeParse(page.data).error).toBeUndefined();
});
