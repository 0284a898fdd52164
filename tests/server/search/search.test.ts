import { beforeAll, describe, expect, test } from "vitest";
import type { Found } from "../../../src/contract/search.ts";
import { searchHandlers } from "../../../src/server/search/search.ts";
import type { TransactionRow } from "../../../src/server/payments/transaction-rows.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant, makePerson } from "../../support/factories.ts";
import type { Account, Merchant } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";
import { makeAccountOf, makeInvitation } from "../../support/people.ts";
import type { Office } from "../../support/payments.ts";
import { makeGame, makeProvider } from "../../support/game-provider.ts";
import { makeMasterAccount } from "../../support/master-accounts.ts";
import { makeCategory, makeItem, makeVendor } from "../../support/vendors.ts";

const db = testDatabase();
let office: Office;
let merchant: Merchant;
let account: Account;
let withdrawal: TransactionRow;
let deposit: TransactionRow;
let provider: string;

beforeAll(async () => {
  office = await makeOffice(db, { currencies: ["THB"] });
  merchant = await makeMerchant(db, office.tenant, { code: "HPLAY", name: "Harbour Play", wallet: "100000" });
  account = await makeAccount(db, office.tenant, {
    code: "MBB-07",
    holder: "Selat Logistik Sdn Bhd",
    account_number: "514098765432",
    balance: "4850",
  });
  await makeGroup(db, office.tenant, [account], [merchant]);
  withdrawal = await office.withdraw(merchant, {
    merchant_txn_no: "ORDER/77-a",
    customer_name: "Siti Aminah",
    account_number: "7012 3456",
    amount: "4850.5",
  });
  deposit = await office.deposit(merchant, { merchant_txn_no: "ORDER/78-b", customer_name: "siti Zulaikha", amount: "250.00" });
  await db.owner.query("update transactions set reference_no = 'IBG 5577' where id = $1", [deposit.id]);
  const [vendor, category] = [
    await makeVendor(db, office.tenant, "Zamboanga Supply"),
    await makeCategory(db, office.tenant, [], "Quartz rolls"),
  ];
  await makeItem(db, office.tenant, { name: "Xylograph 20", vendor, category });
  await makePerson(db, office.tenant, "Quillon Ramos");
  await makeMasterAccount(db, office.tenant, { code: "ZRC-01", name: "Zircon Slots" });
  provider = await makeProvider(db, office.tenant, merchant, { name: "Feldspar Live" });
  await makeGame(db, office.tenant, provider, { code: "olivine-7", name: "Olivine Nights" });
  for (let n = 0; n < 15; n++) await office.withdraw(merchant, { customer_name: `Tan ${String(n).padStart(2, "0")}`, amount: "1.00" });
});

const search = async (q: string, call = office.call()): Promise<Found[]> =>
  (await searchHandlers.search(call, { query: { q }, params: undefined, body: undefined })).data;
const named = async (q: string) => (await search(q)).map(({ kind, name }) => `${kind} ${name}`);

describe("the one search finds", () => {
  test("anything by its id", async () => {
    for (const [id, kind] of [
      [withdrawal.id, "withdrawal"],
      [deposit.id, "deposit"],
      [merchant.id, "merchant"],
      [account.id, "payment-account"],
    ] as const) {
      expect(await search(id.toUpperCase())).toMatchObject([{ kind, uuid: id, currency: "MYR" }]);
    }
  });

  test("a transaction by its number, whole or its last six digits or more, and by no fewer", async () => {
    const { txn_no } = withdrawal;
    expect(await search(txn_no.toLowerCase())).toEqual([
      {
        kind: "withdrawal",
        uuid: withdrawal.id,
        params: {},
        name: txn_no,
        note: "Siti Aminah",
        merchant: "HPLAY",
        created_at: withdrawal.created_at.toISOString(),
        amount: "4850.50",
        currency: "MYR",
        status: "pending",
      },
    ]);
    for (const length of [6, 7, 9]) expect(await named(txn_no.slice(-length))).toEqual([`withdrawal ${txn_no}`]);
    expect(await named(txn_no.slice(-5))).toEqual([]);
    expect(await named(`9${txn_no.slice(-6)}`)).toEqual([]);
  });

  test("a transaction by the merchant's number, the bank's reference, or the payee's account", async () => {
    expect(await named("ORDER/77-a")).toEqual([`withdrawal ${withdrawal.txn_no}`]);
    expect(await named("ORDER/78-b")).toEqual([`deposit ${deposit.txn_no}`]);
    expect(await named("ORDER/7")).toEqual([]);
    expect(await named("IBG 5577")).toEqual([`deposit ${deposit.txn_no}`]);
    expect(await named("70-12 3456")).toEqual([`withdrawal ${withdrawal.txn_no}`]);
  });

  test("a customer by how the name begins, whatever its case, at most twelve of a kind and the newest first", async () => {
    expect(await named("SITI")).toEqual([`withdrawal ${withdrawal.txn_no}`, `deposit ${deposit.txn_no}`]);
    expect(await named("siti a")).toEqual([`withdrawal ${withdrawal.txn_no}`]);
    expect((await search("tan")).map(({ note }) => note)).toEqual(
      Array.from({ length: 12 }, (_, n) => `Tan ${String(14 - n).padStart(2, "0")}`),
    );
  });

  test("a merchant by code or name, an account by code, number or holder, from their beginnings and any part of them", async () => {
    const play = {
      kind: "merchant",
      uuid: merchant.id,
      params: {},
      name: "HPLAY",
      note: "Harbour Play",
      merchant: null,
      created_at: null,
      amount: null,
      currency: "MYR",
      status: "active",
    };
    for (const q of ["hplay", "hp", "harb", "HARBOUR PL", "play", "play harb", "rbour"]) expect(await search(q)).toEqual([play]);
    const bank = {
      kind: "payment-account",
      uuid: account.id,
      params: {},
      name: "MBB-07",
      note: "Selat Logistik Sdn Bhd",
      merchant: null,
      created_at: null,
      amount: "4850.00",
      currency: "MYR",
    };
    for (const q of ["mbb-07", "MBB", "5140 9876", "selat", "BB-07", "987654", "logistik", "sdn sel", "5432"])
      expect(await search(q)).toEqual([{ ...bank, status: "active" }]);
    for (const q of ["playing", "BB-08", "logistik sdn play"]) expect(await search(q)).toEqual([]);
  });

  test("the exact code before those that only begin with it", async () => {
    const more = await Promise.all(["LT2", "LT", "LT1"].map((code) => makeMerchant(db, office.tenant, { code, name: `The ${code}` })));
    expect(more).toHaveLength(3);
    expect(await named("lt")).toEqual(["merchant LT", "merchant LT1", "merchant LT2"]);
  });

  test("the whole of an id before any beginning, of whatever kind: nobody's name stands before the merchant of that code", async () => {
    await makeMerchant(db, office.tenant, { code: "KEDAI", name: "Shop" });
    const other = await makeMerchant(db, office.tenant, { wallet: "1000" });
    const of = async (name: string) => (await office.withdraw(other, { customer_name: name, account_number: "880011" })).txn_no;
    const namesake = await of("Kedai Runcit");
    expect((await search("kedai")).map(({ name }) => name)).toEqual(["KEDAI", namesake]);
    const begins = await of("77665544 Trading");
    const whole = await makeAccount(db, office.tenant, { code: "WHOLE-1", account_number: "77665544", bank: "CIMB" });
    const longer = await makeAccount(db, office.tenant, { code: "AWHOLE-2", account_number: "776655441", bank: "CIMB" });
    expect((await search("7766 5544")).map(({ name }) => name)).toEqual([whole.code, longer.code]);
    expect((await search("77665544")).map(({ name }) => name)).toEqual([whole.code, begins, longer.code]);
  });

  test("a customer by any words of the name, with or without accents, and by a typo of one letter where no word matches", async () => {
    const of = async (customer_name: string) =>
      (await office.withdraw(merchant, { customer_name, account_number: "5566778899", amount: "1.00" })).txn_no;
    const chua = await of("Chúa Thị Minh");
    const dao = await of("Đào Rosnah");
    for (const q of ["chua min", "CHÚA", "minh", "min chua", "thi", "Thị Minh"])
      expect([q, await named(q)]).toEqual([q, [`withdrawal ${chua}`]]);
    for (const q of ["rosna", "dao", "đào", "rosnah dao", "ronsah", "rosnaah", "rosnh", "ronsah dao", "rozna dao", "rosmah"]) {
      expect([q, await named(q)]).toEqual([q, q === "rozna dao" ? [] : [`withdrawal ${dao}`]]);
    }
    expect(await named("minh rosnah")).toEqual([]);
  });

  test("a customer whose name has a typo in a word that very many names have", async () => {
    const { txn_no } = await office.withdraw(merchant, {
      customer_name: "Zulkifli Jamaludin Zahari",
      account_number: "881100",
      amount: "1.00",
    });
    await db.owner.query(
      `insert into search_terms (tenant_id, currency, field, term, key)
        select $1, 'MYR', 'name', w, name from (select word || to_char(n, ' FM0000') as name
          from unnest('{zulkifli,jamaludin,zahari}'::text[]) word, generate_series(1, 2500) n) n, unnest(name_turns(name)) w`,
      [office.tenant.id],
    );
    for (const q of ["Zulkifli Jmaaludin Zahari", "jmaaludin zaha", "zulkifli jamaludin zahary"])
      expect([q, await named(q)]).toEqual([q, [`withdrawal ${txn_no}`]]);
  });

  test("a number with letters only as it is: with two digits in another order it is another's", async () => {
    const { txn_no } = await office.withdraw(merchant, { customer_name: "Kiosk K9000123", account_number: "881101", amount: "1.00" });
    expect(await named("k9000123")).toEqual([`withdrawal ${txn_no}`]);
    expect(await named("k9000132")).toEqual([]);
    expect(await named("koisk k9000123")).toEqual([`withdrawal ${txn_no}`]);
  });

  test("a transaction by its customer's id, whatever its case", async () => {
    const { txn_no } = await office.withdraw(merchant, { member: "VIP-00731", customer_name: "Someone", amount: "1.00" });
    for (const q of ["VIP-00731", "vip-00731"]) expect(await named(q)).toEqual([`withdrawal ${txn_no}`]);
  });

  test("a number as people write it: with blanks and hyphens, in other letters, and with what a sentence leaves around it", async () => {
    const { txn_no } = withdrawal;
    for (const q of [
      `W ${txn_no.slice(1)}`,
      `w-${txn_no.slice(1)}`,
      `${txn_no}.`,
      `(${txn_no})`,
      `"${txn_no}"`,
      `“${txn_no}”`,
      `${txn_no}!`,
    ])
      expect([q, await named(q)]).toEqual([q, [`withdrawal ${txn_no}`]]);
    for (const q of ["ibg 5577", "IBG 5577."]) expect([q, await named(q)]).toEqual([q, [`deposit ${deposit.txn_no}`]]);
    const of = async (member: string) => (await office.withdraw(merchant, { member, customer_name: "Somebody", amount: "1.00" })).txn_no;
    const plain = await of("60123456780");
    const signed = await of("+60123456781");
    for (const q of ["60 12-345 6780", "+60 12\u2011345 6780", "60123456780)"])
      expect([q, await named(q)]).toEqual([q, [`withdrawal ${plain}`]]);
    for (const q of ["+60123456781", "+60 12-345 6781"]) expect([q, await named(q)]).toEqual([q, [`withdrawal ${signed}`]]);
    expect(await named("+60123456781, 60123456780")).toEqual([`withdrawal ${signed}`, `withdrawal ${plain}`]);
  });

  test("a number's last characters as the console writes them, and an account's last four", async () => {
    const { txn_no } = withdrawal;
    for (const sign of ["…", "#", "...", "№ "]) expect(await named(`${sign}${txn_no.slice(-6)}`)).toEqual([`withdrawal ${txn_no}`]);
    for (const q of ["3456", "…3456", "23456", "123456"]) expect([q, await named(q)]).toEqual([q, [`withdrawal ${txn_no}`]]);
    expect(await named("9123456")).toEqual([]);
  });

  test("several numbers pasted at once, each of them, in whatever they were parted by", async () => {
    const both = [`withdrawal ${withdrawal.txn_no}`, `deposit ${deposit.txn_no}`];
    for (const between of [" ", ", ", "\n", "\t", ";"]) {
      expect(await named([withdrawal.txn_no, deposit.txn_no].join(between))).toEqual(both);
      expect(await named(["ORDER/77-a", deposit.id].join(between))).toEqual(both);
    }
    expect(await named(`#${withdrawal.txn_no.slice(-6)}, …${deposit.txn_no.slice(-6)} W0000000000000`)).toEqual(both);
  });

  test("nothing by characters with a meaning in SQL", async () => {
    for (const q of ["%%", "__", "--", "\\\\", "' or 1=1", "- - - - - -"]) expect(await search(q)).toEqual([]);
  });
});

test("vendors, their categories and items are found by words, beginnings and parts of their names", async () => {
  const item = { kind: "vendor-item", name: "Xylograph 20", note: "Zamboanga Supply", currency: "", status: null };
  for (const q of ["xylograph 20", "20 xylo", "ograph"]) expect(await search(q)).toMatchObject([item]);
  expect(await named("zamboanga s")).toEqual(["vendor Zamboanga Supply"]);
  expect(await named("quartz")).toEqual(["vendor-category Quartz rolls"]);
});

test("master accounts are found by their codes and by words of their names", async () => {
  for (const q of ["zrc-01", "zrc", "slots zir"])
    expect(await search(q)).toMatchObject([{ kind: "master-account", name: "Zircon Slots", note: "ZRC-01" }]);
});

test("merchants' set-ups and their games are found by words of their names, a game by its code as well, each where it stands", async () => {
  for (const q of ["feldspar", "live feld"])
    expect(await search(q)).toMatchObject([
      { kind: "merchant-provider", uuid: provider, note: "Harbour Play", params: { merchantUuid: merchant.id } },
    ]);
  const game = { kind: "provider-game", name: "Olivine Nights", note: "olivine-7 · Feldspar Live · Harbour Play" };
  for (const q of ["olivine-7", "nights ol", "oliv"])
    expect(await search(q)).toMatchObject([{ ...game, params: { merchantProviderUuid: provider } }]);
});

test("people are found by their names and e-mails; of one who has not accepted an invitation nothing but the e-mail is", async () => {
  const { rows } = await db.owner.query<{ email: string }>("select email from users where name = 'Quillon Ramos'");
  const email = rows[0]?.email ?? "";
  for (const q of ["quillon", "ramos q", email, `<${email}>`, `Q. Ramos <${email}>`, `mailto:${email}`, `<mailto:${email}>`])
    expect(await named(q)).toEqual(["user Quillon Ramos"]);
  const account = await makeAccountOf(db, "Wystan Hughes");
  await makeInvitation(db, office.tenant, account);
  expect(await named("wystan")).toEqual([]);
  expect(await named(account.email)).toEqual([`user ${account.email}`]);
});

describe("the one search finds only", () => {
  test("what is of its tenant and currency", async () => {
    const other = await makeOffice(db);
    for (const q of [
      withdrawal.id,
      withdrawal.txn_no,
      withdrawal.txn_no.slice(-6),
      "ORDER/77-a",
      "siti",
      merchant.id,
      "hplay",
      account.id,
      "mbb",
    ]) {
      expect(await search(q)).not.toEqual([]);
      expect(await search(q, other.call())).toEqual([]);
      expect(await search(q, office.call(office.ann, { currency: "THB" }))).toEqual([]);
    }
  });
});
