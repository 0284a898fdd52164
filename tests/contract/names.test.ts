import { describe, expect, test } from "vitest";
import { merchantRoutes } from "../../src/contract/merchant-api.ts";
import { tenantMerchantRoutes } from "../../src/contract/merchants.ts";
import { paymentAccountRoutes } from "../../src/contract/payment-accounts.ts";
import { profileRoutes } from "../../src/contract/profile.ts";

interface Body {
  safeParse(value: unknown): { success: boolean; error?: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } };
}

/** What a body says of one of its fields when it holds `text`. */
function saidOf(body: Body, field: string, text: string): string[] {
  const read = body.safeParse({ [field]: text });
  return (read.error?.issues ?? []).filter(({ path }) => path[0] === field).map(({ message }) => message);
}

const { createWithdrawal, createDeposit, reportDepositPaid } = merchantRoutes;
const named: [what: string, body: Body, field: string][] = [
  ...["merchant_txn_no", "member", "customer_name", "bank", "holder"].map((field): [string, Body, string] => [
    "a withdrawal",
    createWithdrawal.body,
    field,
  ]),
  ...["merchant_txn_no", "member", "customer_name"].map((field): [string, Body, string] => ["a deposit", createDeposit.body, field]),
  ["a payment", reportDepositPaid.body, "reference_no"],
  ["a payment account", paymentAccountRoutes.createPaymentAccount.body, "bank"],
  ["a payment account", paymentAccountRoutes.updatePaymentAccount.body, "holder"],
  ["a merchant", tenantMerchantRoutes.createMerchant.body, "name"],
  ["a person", profileRoutes.updateProfile.body, "name"],
];

describe.each(named)("%s: %# %o", (_, body, field) => {
  test(`${field} needs a letter or digit, of any script`, () => {
    for (const text of ["----", "...", "\u200b\u200b", "- - -"])
      expect([text, saidOf(body, field, text)]).toEqual([text, ["Must have a letter or digit"]]);
    for (const text of ["A.", "7", "陳大文", "محمد", "Ōtani"]) expect([text, saidOf(body, field, text)]).toEqual([text, []]);
  });
});

describe.each([
  ["a withdrawal", createWithdrawal.body as Body],
  ["a payment account", paymentAccountRoutes.createPaymentAccount.body as Body],
])("the account number of %s", (_, body) => {
  test("has at least four letters or digits beside spaces and hyphens", () => {
    for (const text of ["----", "- - - -", "12-3", "1 2 3"])
      expect([text, saidOf(body, "account_number", text)]).toEqual([text, ["Must have at least 4 letters or digits"]]);
    expect(saidOf(body, "account_number", "    ")).toContain("Must be 4 to 40 letters or digits");
    for (const text of ["1234", "12-34", "MY12 3456 7890"]) expect([text, saidOf(body, "account_number", text)]).toEqual([text, []]);
  });
});
