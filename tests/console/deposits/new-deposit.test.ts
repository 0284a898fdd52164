import { expect, test } from "vitest";
import { ManualDeposit } from "../../../src/contract/deposits.ts";
import { formFields } from "../../../src/console/kit/form/fields.ts";
import { newDepositSections } from "../../../src/console/screens/deposits/new-deposit-sections.ts";

const fields = formFields(ManualDeposit);

test("the form of a deposit made by hand asks for all that the contract takes, each once", () => {
  const asked = newDepositSections.flatMap((section): readonly string[] => section.fields);
  expect(asked.toSorted()).toEqual([...fields.keys()].toSorted());
});

test("merchant and account are found by typing, and the date is written as times are said", () => {
  const controls = Object.fromEntries([...fields].map(([name, { control, to }]) => [name, to[0] ?? control]));
  expect(controls).toMatchObject({ merchant: "merchants", payment_account: "payment-accounts", payment_date: "moment", remark: "lines" });
});
