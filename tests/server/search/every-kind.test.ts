import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { permissions } from "../../../src/contract/permissions.ts";
import { screens } from "../../../src/contract/screens.ts";
import { searchKinds, searchPermissions } from "../../../src/contract/search.ts";
import type { Found } from "../../../src/contract/search.ts";
import { searchHandlers } from "../../../src/server/search/search.ts";
import { folded } from "../../../src/values/folded.ts";
import { bookLine } from "../../support/bank-lines.ts";
import { testDatabase } from "../../support/database.ts";
import { makeDowntime } from "../../support/downtimes.ts";
import { makeAccount, makeGroup, makeMerchant, makePerson, makeRateGroup } from "../../support/factories.ts";
import type { Account, Merchant } from "../../support/factories.ts";
import { makeGame, makeProvider } from "../../support/game-provider.ts";
import { makeMasterAccount } from "../../support/master-accounts.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { makePayoutTemplate } from "../../support/payout-files.ts";
import { makeUserGroup } from "../../support/people.ts";
import { makeWatcher } from "../../support/score-watchers.ts";
import { transfersBy } from "../../support/transfers.ts";
import { makeCategory, makeItem, makeVendor } from "../../support/vendors.ts";

const db = testDatabase({ invariants: false });
let office: Office;
let stranger: Office;
let merchant: Merchant;
let account: Account;
let vendor: string;
let category: string;
let provider: string;

type Kind = Found["kind"];

/** How a kind's records are found. */
interface Row {
  /** Makes one of this name, or code, or number of a bank account, where its kind has such; answers its id. */
  make(with_: { readonly name?: string; readonly code?: string; readonly number?: string }): Promise<string>;
  readonly has: readonly ("name" | "code" | "number")[];
  /** It belongs to the tenant and is found in any currency. */
  readonly anyCurrency?: true;
}

const only = <T extends object>(columns: T) => Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
let made = 0;
const fresh = () => `${(made += 1)}`;

const rows: Readonly<Record<Kind, Row>> = {
  withdrawal: {
    has: ["name", "number"],
    make: async ({ name = "X", number = `33${fresh()}00000` }) =>
      (await office.withdraw(merchant, { customer_name: name, account_number: number, amount: "1.00" })).id,
  },
  deposit: { has: ["name"], make: async ({ name = "X" }) => (await office.deposit(merchant, { customer_name: name, amount: "1.00" })).id },
  merchant: { has: ["name", "code"], make: async (one) => (await makeMerchant(db, office.tenant, only(one))).id },
  "payment-account": {
    has: ["name", "code", "number"],
    make: async ({ name, code, number }) => (await makeAccount(db, office.tenant, only({ holder: name, code, account_number: number }))).id,
  },
  vendor: { has: ["name"], anyCurrency: true, make: ({ name }) => makeVendor(db, office.tenant, name) },
  "vendor-category": { has: ["name"], anyCurrency: true, make: ({ name }) => makeCategory(db, office.tenant, [], name) },
  "vendor-item": {
    has: ["name"],
    anyCurrency: true,
    make: ({ name }) => makeItem(db, office.tenant, { ...only({ name }), vendor, category }),
  },
  user: { has: ["name"], anyCurrency: true, make: async ({ name }) => (await makePerson(db, office.tenant, name)).id },
  "user-group": { has: ["name", "code"], anyCurrency: true, make: (one) => makeUserGroup(db, office.tenant, [], only(one)) },
  "master-account": { has: ["name", "code"], make: (one) => makeMasterAccount(db, office.tenant, only(one)) },
  "score-watcher": {
    has: ["name", "code"],
    make: async (one) => makeWatcher(db, office.tenant, await makeMasterAccount(db, office.tenant, only(one))),
  },
  downtime: {
    has: ["name", "code"],
    make: async (one) =>
      makeDowntime(db, office.tenant, office.ann, { master_account_id: await makeMasterAccount(db, office.tenant, only(one)) }),
  },
  "merchant-provider": { has: ["name"], make: (one) => makeProvider(db, office.tenant, merchant, only(one)) },
  "provider-game": { has: ["name", "code"], make: (one) => makeGame(db, office.tenant, provider, only(one)) },
  "payment-group": {
    has: ["name"],
    make: async ({ name = randomUUID() }) => {
      const { rows: inserted } = await db.owner.query<{ id: string }>(
        "insert into payment_groups (tenant_id, name, currency) values ($1, $2, 'MYR') returning id",
        [office.tenant.id, name],
      );
      return inserted[0]?.id ?? "";
    },
  },
  "rate-limit-group": { has: ["name"], make: (one) => makeRateGroup(db, office.tenant, only(one)) },
  "payout-template": { has: ["name"], anyCurrency: true, make: (one) => makePayoutTemplate(db, office.tenant, only(one)) },
  "bank-line": {
    has: ["name", "number"],
    make: async ({ name = null, number = null }) =>
      (
        await bookLine(office, account.id, {
          time: new Date(),
          direction: "credit",
          amount: "1.00",
          reference: `BL ${fresh()}`,
          counterparty: name,
          counterparty_account: number,
          description: "",
          balance: null,
        })
      ).id,
  },
  // neither name, nor code, nor bank account: found by number and reference, below
  transfer: { has: [], make: async () => (await transfersBy(office).adjust(merchant, "1.00")).uuid },
};

/** A name as it is written, and what finds it. */
const names: readonly (readonly [written: string, ...typed: string[]])[] = [
  // accents, case, words in another order and by their beginnings, width, one letter left out, swapped, added, changed
  [
    "Zoë Łukaszewicz-Ñuñez",
    "zoe luka",
    "LUKASZEWICZ",
    "nunez zoe",
    "Zoe\u0308 Łukaszewicz",
    "ｌｕｋａｓｚｅｗｉｃｚ",
    "lukaszewcz",
    "lukaszeiwcz",
    "lukasszewicz zoe",
    "lukaszewixz",
  ],
  // a part, with and without a blank, and the width of letters beside
  ["陈伟明记ＡＢＣ商店", "伟明", "陈伟明", "伟明记", "陈 明记", "abc商店"],
  // no blanks between words, vowels above and below, a tone mark left out, two letters swapped
  ["ณัฐธยาน์ วงศ์กุ้ง", "ณัฐ", "ธยาน์", "ณัฐธยาน์วงศ์กุ้ง", "วงศ์กุ้ง ณัฐธยาน์", "กุง", "ณัฐธยาน", "ณัธฐยาน์"],
  ["Đặng Thị Hường", "dang thi huong", "ĐẶNG", "Đặng Thị Hường".normalize("NFD"), "hường đặng", "thi Huong", "hunog"],
  ["Nguyễn Ánh".normalize("NFD"), "nguyễn ánh", "NGUYEN", "anh nguyen", "nguyenn"],
  // vowel signs, the forms of alef and of ya, the stroke that widens a word, two letters swapped
  ["أَحْمَد إبراهيم مصطفى", "احمد", "أحمد إبراهيم", "إبراهيم أحمد", "مصطفي", "آحمد", "أحـــمد", "ابراهمي", "\u2068مصطفى\u2069"],
  ["Пётр Йолкин", "петр", "ЙОЛКИН ПЁТР", "елкин".replace("е", "йо"), "йоклин"],
];

const search = async (q: string, kind: Kind, call = office.call()): Promise<string[]> =>
  (await searchHandlers.search(call, { query: { q, kinds: [kind] }, params: undefined, body: undefined })).data.map(({ uuid }) => uuid);

beforeAll(async () => {
  office = await makeOffice(db, { currencies: ["THB"] });
  stranger = await makeOffice(db);
  merchant = await makeMerchant(db, office.tenant, { name: "Somebody", wallet: "100000" });
  account = await makeAccount(db, office.tenant, { holder: "Someone" });
  await makeGroup(db, office.tenant, [account], [merchant]);
  vendor = await makeVendor(db, office.tenant, "Some vendor");
  category = await makeCategory(db, office.tenant, [], "Some category");
  provider = await makeProvider(db, office.tenant, merchant, { name: "Some provider" });
});

/** Screens of lines that stand for other records, of records that are found elsewhere, and of days. */
const notFound = [
  "payment-account-live-balances",
  "payment-account-transactions",
  "merchant-transactions",
  "merchant-callbacks",
  "payment-account-daily-reports",
  "merchant-daily-reports",
  "cash-flow-reports",
  "audit-log",
  "game-merchants",
  "master-account",
  "merchant-provider",
];

test("every screen with records is searched, but those whose records another finds", () => {
  const without = Object.entries(screens).flatMap(([name, screen]) => (screen.subject === null || "found" in screen ? [] : [name]));
  expect(without.toSorted()).toEqual(notFound.toSorted());
});

const kindsWith = (what: Row["has"][number]): Kind[] => searchKinds.filter((kind) => rows[kind].has.includes(what));
/** All rights but that to view a kind. */
const allBut = (kind: Kind) => office.call(office.ann, { permissions: permissions.filter((one) => one !== searchPermissions[kind]) });
const inBaht = () => office.call(office.ann, { currency: "THB" });

describe("is found, and by nobody who may not view it, of another tenant or for another currency,", () => {
  test.each(searchKinds)("%s: by its id", async (kind) => {
    const { make, anyCurrency } = rows[kind];
    const id = await make({});
    await make({});
    expect(await search(id.toUpperCase(), kind)).toEqual([id]);
    expect(await search(id, kind, allBut(kind))).toEqual([]);
    expect(await search(id, kind, stranger.call())).toEqual([]);
    expect(await search(id, kind, inBaht())).toEqual(anyCurrency ? [id] : []);
  });

  test.each(kindsWith("name"))("%s: by its name, in whatever script and however it is typed", async (kind) => {
    const { make, anyCurrency } = rows[kind];
    const ids: string[] = [];
    for (const [written] of names) ids.push(await make({ name: written }));
    const found = [];
    for (const [at, [written, ...typed]] of names.entries()) {
      for (const q of [written, ...typed]) found.push({ q, at, found: (await search(q, kind)).map((id) => ids.indexOf(id)) });
    }
    expect(found).toEqual(found.map(({ q, at }) => ({ q, at, found: [at] })));
    const written = names[0]?.[0] ?? "";
    expect(await search(written, kind, allBut(kind))).toEqual([]);
    expect(await search(written, kind, stranger.call())).toEqual([]);
    expect(await search(written, kind, inBaht())).toEqual(anyCurrency ? [ids[0]] : []);
  });
});

test.each(kindsWith("code"))("%s: its code in any case and width, the whole code before those that begin with it", async (kind) => {
  const { make } = rows[kind];
  const code = `QV${String.fromCharCode(65 + searchKinds.indexOf(kind))}`;
  const wide = [...`${code}-7`].map((sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0)).join("");
  const longer = await make({ code: `${code}-71`.toLowerCase() });
  const whole = await make({ code: `${code}-7` });
  for (const q of [`${code}-7`, `${code}-7`.toLowerCase(), wide, `${code}-٧`])
    expect([q, await search(q, kind)]).toEqual([q, [whole, longer]]);
  expect(await search(`${code}-71`, kind)).toEqual([longer]);
});

test.each(kindsWith("number"))("%s: the number of its bank account, in whatever digits, and its last four", async (kind) => {
  const id = await rows[kind].make({ number: "90817263540" });
  for (const q of ["90817263540", "9081 7263 540", "٩٠٨١٧٢٦٣٥٤٠", "９０８１７２６３５４０", "๙๐๘๑๗๒๖๓๕๔๐", "3540"])
    expect([q, await search(q, kind)]).toEqual([q, [id]]);
});

test("transfer: its number in any case, its last six digits or more, and the bank's reference, by whoever may view it", async () => {
  const reference = "FT 2026/1128-77";
  const by = transfersBy(office);
  const row = await by.adjust(merchant, "3.00", { reference_no: reference });
  await by.adjust(merchant, "4.00", { reference_no: "FT 2026/1128-78" });
  const digits = row.txn_no.replaceAll(/\D/g, "");
  for (const q of [row.txn_no, row.txn_no.toLowerCase(), digits.slice(-6), digits.slice(-9), `#${digits.slice(-6)}`, reference]) {
    expect([q, await search(q, "transfer")]).toEqual([q, [row.uuid]]);
    expect([q, await search(q, "transfer", allBut("transfer"))]).toEqual([q, []]);
    expect([q, await search(q, "transfer", stranger.call())]).toEqual([q, []]);
    expect([q, await search(q, "transfer", inBaht())]).toEqual([q, []]);
  }
  // fewer digits, and a part of a reference, find none
  for (const q of [digits.slice(-5), "FT 2026/1128"]) expect([q, await search(q, "transfer")]).toEqual([q, []]);
});

test("the console reads a text as the database does", async () => {
  const texts = [
    ...names.flat(),
    "Straße ÆŒẞ",
    "İstanbul ΣΟΦΟΣ",
    "ﷺ",
    "שָׁלוֹם",
    "Ｔａｎ　１２３ ٣٤ ۵۶ ๗๘",
    "e\u0301\u200b\u2068",
    "ئؤةى",
    "한국 ガ が",
  ];
  const { rows: read } = await db.owner.query<{ folded: string }>(
    "select folded(t) as folded from unnest($1::text[]) with ordinality as u (t, n) order by n",
    [texts],
  );
  expect(texts.map((text) => [text, folded(text)])).toEqual(texts.map((text, n) => [text, read[n]?.folded]));
});

test("a name of the longest letters there are has its terms", async () => {
  const { id } = await office.deposit(merchant, { customer_name: "\ufdfa".repeat(200), amount: "1.00" });
  expect(await search("صلى الله", "deposit")).toEqual([id]);
});
