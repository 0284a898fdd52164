import { expect, test } from "vitest";
import { makeAccount } from "../support/factories.ts";
import { testHall } from "../support/hall.ts";
import { makeSigningMerchant } from "../support/merchants.ts";
import { makeOffice } from "../support/payments.ts";
import { atRest } from "./at-rest.ts";
import { rewrite, tabTo } from "./fields.ts";
import { sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();
const of = (area: string, ...acts: readonly string[]) => ["view", ...acts].map((act) => `${area}.${act}`);
const rights = [
  ...of("pas.account.accounts", "hold", "transfer", "clear-balance"),
  ...of("pas.merchant.merchants", "adjust-wallet", "settle", "reset-credentials", "view-secret"),
  ...of("pas.transaction.transfers", "approve", "second-approve", "reject", "recall"),
];
const tiers = { MYR: { confirm_from: "1000.00", second_from: "5000.00" } };

const sheet = ({ page }: Operator) => page.locator(".sheet");
const draft = (hands: Operator) => sheet(hands).getByRole("complementary", { name: "What it does" });
const line = ({ page }: Operator, name: string) => page.locator(".detail .ln", { hasText: name }).first();
const sure = (hands: Operator) => hands.press("Enter", { mod: true });

async function choose({ page }: Operator, words: string, name: string): Promise<void> {
  await page.locator("[cmdk-input]").waitFor();
  await page.keyboard.type(words);
  await page.locator("[cmdk-item][aria-selected=true]", { hasText: name }).waitFor();
  await page.keyboard.press("Enter");
}

/** From the menu of the row under the cursor. */
async function act(hands: Operator, words: string, name: string): Promise<void> {
  await hands.press(".");
  await choose(hands, words, name);
}

/** What the menu asks next is answered with what it offers first. */
async function asked({ page }: Operator, question: string): Promise<void> {
  await page.locator(".pal .asked", { hasText: question }).waitFor();
  await page.locator(".pal [cmdk-item][aria-selected=true]").waitFor();
  await page.keyboard.press("Enter");
}

/** The screen; with a word, its only row that has it is under the cursor. */
async function goTo(hands: Operator, screen: string, word?: string): Promise<void> {
  const { page } = hands;
  await hands.press("k", { mod: true });
  await choose(hands, `:${screen}`, screen);
  await page.getByRole("grid", { name: screen }).waitFor();
  if (word !== undefined) await find(hands, word);
}

async function find(hands: Operator, word: string): Promise<void> {
  const { page } = hands;
  await hands.press("/");
  await page.keyboard.press("Control+a");
  await page.keyboard.type(word);
  await page.getByText("1 row", { exact: true }).waitFor();
  await hands.press("Enter");
  await page.locator(".detail .decide", { hasText: word }).waitFor();
  await atRest(page);
}

async function pick(hands: Operator, label: string | RegExp, word: string): Promise<void> {
  await tabTo(sheet(hands).getByRole("combobox", { name: label }));
  await hands.page.keyboard.type(word);
  await hands.page.locator(".found [role=option][aria-selected=true]", { hasText: word }).waitFor();
  await hands.press("Enter");
}

/** Says yes to the newest transfer, reading its amount again. */
async function confirmNewest(hands: Operator, amount: string, said: RegExp): Promise<void> {
  await hands.page.locator(".detail .amt", { hasText: amount }).waitFor();
  await hands.press("a");
  await sheet(hands).getByText(amount).first().waitFor();
  await sure(hands);
  await hands.said(said);
}

test("an account is held, transferred from and suspended with its balance cleared, a wallet adjusted by two, settled, its secret reset: by keys alone", async () => {
  const office = await makeOffice(hall.db, { settings: { tiers, recall_seconds: 0 } });
  const charges = { charges_type: "fixed", charges_value: "0.50" };
  const till = await makeAccount(hall.db, office.tenant, { code: "TILL-7", holder: "Selangor House", balance: "10000", ...charges });
  const safe = await makeAccount(hall.db, office.tenant, { code: "SAFE-1", holder: "Johor House", balance: "5000" });
  const shop = await makeSigningMerchant(hall.db, office.deps, office.tenant, { code: "SHOP", wallet: "20000", settlement_rate: "1" });
  const at = { path: "/payment/payment-accounts" };
  const farah = await sitDown(hall, { operator: await hall.employ(office, "Farah Aziz", rights) }, "us", at);
  await farah.page.getByRole("grid", { name: "Payment accounts" }).waitFor();
  await farah.watch();

  await find(farah, "TILL-7");
  await act(farah, "hold an", "Hold an amount");
  await rewrite(sheet(farah).getByLabel("Amount that must stay"), "2000");
  await rewrite(sheet(farah).getByLabel("Reason"), "Police request 77");
  await rewrite(sheet(farah).getByLabel("Until"), "+2h");
  await sure(farah);
  await farah.said(/^TILL-7: amount held\.$/);
  await line(farah, "Payable").getByText("8,000.00").waitFor();

  // what is typed is judged beside the form: the held amount must stay
  await act(farah, "transfer from", "Transfer from this account");
  await pick(farah, "To account", "SAFE-1");
  await rewrite(sheet(farah).getByLabel("Amount"), "8000");
  await draft(farah).locator(".verdict .fail").waitFor();
  await rewrite(sheet(farah).getByLabel("Amount"), "3000");
  await draft(farah).getByText("Reserves the money.").waitFor();
  await draft(farah).locator(".ln", { hasText: "Leaves the account" }).getByText("3,000.50").waitFor();
  await sure(farah);
  await farah.said(/3,000\.00 MYR: reserved until it is confirmed\.$/);
  await line(farah, "Payable").getByText("4,999.50").waitFor();
  await goTo(farah, "Transfers", "TILL-7");
  await confirmNewest(farah, "3,000.00", /^Approved .+ 3,000\.00 MYR\.$/);
  expect(await office.balance("payment-account", till.id)).toBe("6999.50");

  // an account is not cleared while a part of it is held
  await goTo(farah, "Payment accounts", "TILL-7");
  await line(farah, "Balance").getByText("6,999.50").waitFor();
  await act(farah, "suspend and", "Suspend and clear the balance");
  await draft(farah).getByText("A hold of 2,000.00: Police request 77").waitFor();
  await farah.press("Escape");
  await sheet(farah).waitFor({ state: "detached" });
  await act(farah, "lift", "Lift the hold");
  await sheet(farah).getByText("Lift the hold on TILL-7?").waitFor();
  await sure(farah);
  await farah.said(/^TILL-7: hold lifted\.$/);
  await act(farah, "suspend and", "Suspend and clear the balance");
  await pick(farah, /^To account/, "SAFE-1");
  await rewrite(sheet(farah).getByLabel("Reason"), "Bank closes it");
  await draft(farah).getByText("the account is suspended at once, its balance waits").waitFor();
  await sure(farah);
  await farah.said(/6,999\.00 MYR: waits for a second person\.$/);
  await farah.page.locator(".detail .decide", { hasText: "Suspended" }).waitFor();

  const suresh = await sitDown(hall, { operator: await hall.employ(office, "Suresh Pillai", rights) }, "us", {
    path: "/payment/transfers",
  });
  await suresh.page.getByRole("grid", { name: "Transfers" }).waitFor();
  await suresh.watch();
  await suresh.press("1");
  await confirmNewest(suresh, "6,999.00", /^Approved .+ 6,999\.00 MYR\.$/);
  expect(await office.balance("payment-account", till.id)).toBe("0.00");
  expect(await office.balance("payment-account", safe.id)).toBe("14999.00");

  await goTo(farah, "Merchants", "SHOP");
  await act(farah, "adjust", "Adjust the wallet");
  await rewrite(sheet(farah).getByLabel("Amount"), "6000");
  await rewrite(sheet(farah).getByLabel("Reason"), "Fee charged twice in May");
  await draft(farah).getByText("a second person must approve it").waitFor();
  await sure(farah);
  await farah.said(/6,000\.00 MYR: waits for a second person\.$/);
  await confirmNewest(suresh, "6,000.00", /^Approved .+ 6,000\.00 MYR\.$/);
  expect(await office.balance("wallet", shop.id)).toBe("26000.00");

  await act(farah, "settle", "Settle with the merchant");
  await asked(farah, "What kind of transfer?");
  await rewrite(sheet(farah).getByLabel("Amount"), "2000");
  await pick(farah, "Paying account", "SAFE-1");
  await rewrite(sheet(farah).getByLabel(/^Bank\W*$/), "CIMB");
  await rewrite(sheet(farah).getByLabel("Account number"), "7001234567");
  await rewrite(sheet(farah).getByLabel("Account holder"), "Harbour Play Sdn Bhd");
  await draft(farah).locator(".ln", { hasText: "Taken from the wallet" }).getByText("2,020.00").waitFor();
  await sure(farah);
  await farah.said(/2,000\.00 MYR: reserved until it is confirmed\.$/);
  await line(farah, "Wallet").getByText("23,980.00").waitFor();

  // whoever may see the secret at any time is not told that it is shown only now
  await act(farah, "reset the cred", "Reset the credentials");
  await asked(farah, "how long does the old one stay valid");
  await sheet(farah)
    .getByText(/^Make a new secret for/)
    .waitFor();
  await sure(farah);
  await sheet(farah).getByLabel("Secret").waitFor();
  expect(await sheet(farah).innerText()).not.toContain("only now");
  await farah.press("Escape");
  await sheet(farah).waitFor({ state: "detached" });

  await goTo(farah, "Transfers");
  await confirmNewest(farah, "2,000.00", /^Approved .+ 2,000\.00 MYR\.$/);
  expect(await office.balance("wallet", shop.id)).toBe("23980.00");
  expect(await office.balance("payment-account", safe.id)).toBe("12999.00");
  expect(await Promise.all([farah, suresh].map((hands) => hands.watched()))).toMatchObject([{ pointers: 0 }, { pointers: 0 }]);
});

test("a form that goes with its screen leaves its command usable", async () => {
  const office = await makeOffice(hall.db);
  await makeAccount(hall.db, office.tenant, { code: "TILL-7", holder: "Selangor House", balance: "10000" });
  const hands = await sitDown(hall, { operator: await hall.employ(office, "Farah Aziz", rights) }, "us", {
    path: "/payment/payment-accounts",
  });
  const hold = async (): Promise<void> => {
    await goTo(hands, "Payment accounts");
    await hands.page.locator(".detail .decide", { hasText: "TILL-7" }).waitFor();
    await atRest(hands.page);
    await act(hands, "hold an", "Hold an amount");
    await sheet(hands).getByLabel("Amount that must stay").waitFor();
  };
  await goTo(hands, "Merchants");
  await hold();
  await hands.page.goBack();
  await hands.page.getByRole("grid", { name: "Merchants" }).waitFor();
  await hold();
  expect(await sheet(hands).count()).toBe(1);
});
