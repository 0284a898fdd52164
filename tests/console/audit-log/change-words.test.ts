import { beforeAll, expect, test } from "vitest";
import { changedName, changedWord, decimalsOf } from "../../../src/console/screens/audit-log/change-words.ts";
import { text } from "../../../src/console/kit/texts/texts.ts";
import { inLanguage } from "../in-language.ts";

beforeAll(() => inLanguage("en"));

/** What an entry of a new deposit tells, as the server writes it. */
const ofDeposit =
  "id fee kind amount charges charges_borne_by charges_type currency customer_name expires_at final_amount limit_day member merchant_amount merchant_id merchant_txn_no method payment_account_id payment_date reference_no source status txn_no";

test("every field of a new deposit has a name", () => {
  expect(ofDeposit.split(" ").filter((field) => changedName("deposit", field) === undefined)).toEqual([]);
});

test("a field is called as on its own screen, else by the common word", () => {
  const names = [
    ["deposit", "reference_no"],
    ["merchant", "name"],
    ["deposit", "currency"],
    ["deposit", "limit_day"],
  ] as const;
  const called = names.map(([entity, field]) => {
    const key = changedName(entity, field);
    return key && text(key);
  });
  expect(called).toEqual(["Reference", "Name", "Currency", "Day of its limits"]);
  expect(changedName("deposit", "no_such_field")).toBeUndefined();
});

test("a choice of a transaction is told by its word, and what is no choice stays as it is", () => {
  const words = [
    ["kind", "deposit"],
    ["method", "bank_transfer"],
    ["source", "api"],
    ["charges_type", "fixed"],
    ["charges_borne_by", "merchant"],
  ] as const;
  expect(words.map(([field, value]) => changedWord(field, value)).filter((word) => word === undefined)).toEqual([]);
  expect([changedWord("member", "deposit"), changedWord("kind", 3), changedWord("kind", "unheard")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("amounts have the decimals of the currency an entry says, as it was or became; of one that says none they are not known", () => {
  const currencies = [
    { code: "VND", minor_digits: 0 },
    { code: "MYR", minor_digits: 2 },
  ];
  const of = (field: string, before: unknown, after: unknown) => decimalsOf([{ field, before, after }], currencies);
  expect([of("currency", null, "VND"), of("currency", "MYR", null)]).toEqual([0, 2]);
  expect([of("amount", null, "100.00"), of("currency", null, "XXX")]).toEqual([null, null]);
});
