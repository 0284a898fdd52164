import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amountReadings } from "../../src/values/slip-amounts.ts";
import type { Payment } from "../../src/values/slips.ts";
import { readSlip } from "../../src/values/slips.ts";

const payment: Payment = {
  txn_no: "W2611241234567",
  reference_no: null,
  amount: "1250.00",
  currency: "MYR",
  holder: "TAN WEI MING",
  account_number: "514012345678",
  minorDigits: 2,
};
const read = (text: string, more: Partial<Payment> = {}) => {
  const { parts, reference } = readSlip(text, { ...payment, ...more });
  return { reference, ...Object.fromEntries(parts.map(({ part, result }) => [part + "Is", result])) };
};
const equal = { referenceIs: "equal", amountIs: "equal", nameIs: "equal", accountIs: "equal" };

describe("a slip in each language", () => {
  test.each([
    [
      "en",
      "Transfer successful\nReference No: FT24110001\nAmount: RM 1,250.00\nBeneficiary Name: Tan Wei Ming\nBeneficiary Account: 5140 1234 5678\nRecipient Reference: W2611241234567\nService Fee: RM 0.50",
    ],
    [
      "en, labels over values",
      "Transaction ID\nFT24110001\nAmount\nMYR 1,250.00\nPayee\nTAN WEI MING\nTo account\n514012345678\nRemarks\nW2611241234567",
    ],
    [
      "en, a table",
      "Ref No\tAmount\tBeneficiary\tAccount Number\tDetails\nFT24110001\t1250.00\tTAN WEI MING\t514012345678\tw2611241234567",
    ],
    [
      "de",
      "Referenznummer: FT24110001\nBetrag: 1.250,00 MYR\nEmpfänger: Tan Wei Ming\nIBAN: 5140 1234 5678\nVerwendungszweck: W2611241234567",
    ],
    [
      "es",
      "Número de referencia: FT24110001\nImporte: 1.250,00\nBeneficiario: Tan Wei Ming\nNúmero de cuenta: 514012345678\nConcepto: W2611241234567",
    ],
    [
      "fr",
      "Référence : FT24110001\nMontant : 1 250,00\nBénéficiaire : Tan Wei Ming\nNuméro de compte : 514012345678\nMotif : W2611241234567",
    ],
    ["it", "Riferimento: FT24110001\nImporto: 1.250,00\nIntestatario: Tan Wei Ming\nNumero conto: 514012345678\nCausale: W2611241234567"],
    [
      "ru",
      "Номер операции: FT24110001\nСумма: 1 250,00\nПолучатель: Tan Wei Ming\nСчёт получателя: 514012345678\nНазначение платежа: W2611241234567",
    ],
    ["zh", "流水号：FT24110001\n金额：１，２５０．００\n收款人：Tan Wei Ming\n收款账号：514012345678\n附言：W2611241234567"],
    ["ar", "الرقم المرجعي: FT24110001\nالمبلغ: ١٬٢٥٠٫٠٠\nاسم المستفيد: Tan Wei Ming\nرقم الحساب: ٥١٤٠١٢٣٤٥٦٧٨\nالبيان: W2611241234567"],
  ])("%s", (_, text) => {
    expect(read(text)).toEqual({ reference: "FT24110001", ...equal });
  });
});

describe("what differs is told", () => {
  test("another amount", () => {
    expect(read("Ref: FT1\nAmount: 1,520.00\nNote: W2611241234567")).toMatchObject({ amountIs: "different", referenceIs: "equal" });
  });
  test("the fee is not the amount", () => {
    expect(read("Fee: RM 1,250.00\nAmount: RM 12.50")).toMatchObject({ amountIs: "different" });
  });
  test("the slip of another row names that row", () => {
    const { parts } = readSlip("Ref: FT1\nAmount: 1,250.00\nRemarks: W2611249999999", payment);
    expect(parts[0]).toEqual({ part: "reference", ours: payment.txn_no, theirs: "W2611249999999", result: "different" });
  });
  test("another's number is never taken for the bank's", () => {
    expect(read("Reference: W2611249999999").reference).toBeNull();
    expect(read("Reference: W2611241234567").reference).toBeNull();
  });
  test("a number kept before stands against the slip's", () => {
    expect(read("Ref No: FT2", { reference_no: "FT1" })).toMatchObject({ referenceIs: "different" });
    expect(read("Ref No: ft-1", { reference_no: "FT1" })).toMatchObject({ referenceIs: "equal" });
  });
  test("another name and another account", () => {
    expect(read("Beneficiary: LIM AH BENG\nTo account: 514012345679")).toMatchObject({ nameIs: "different", accountIs: "different" });
  });
  test("a slip that tells nothing: all absent", () => {
    expect(read("Thank you for banking with us")).toEqual({
      reference: null,
      referenceIs: "absent",
      amountIs: "absent",
      nameIs: "absent",
      accountIs: "absent",
    });
  });
});

describe("names and accounts as banks print them", () => {
  test.each(["MING, TAN WEI", "tan wei ming", "TAN W** M***", "TAN WEI MIN"])("%s is TAN WEI MING", (name) => {
    expect(read(`Payee: ${name}`)).toMatchObject({ nameIs: "equal" });
  });
  test.each(["TAN", "TAN WEI", "T** W** N***", "TAN WEI MING LIM"])("%s is not", (name) => {
    expect(read(`Payee: ${name}`)).toMatchObject({ nameIs: "different" });
  });
  test.each(["****5678", "5140****5678", "5140xxxx5678", "5140-1234-5678"])("%s is the account", (account) => {
    expect(read(`To account: ${account}`)).toMatchObject({ accountIs: "equal" });
  });
  test.each(["****5679", "**", "5678"])("%s is not", (account) => {
    expect(read(`To account: ${account}`)).toMatchObject({ accountIs: "different" });
  });
});

describe("amounts", () => {
  test.each([
    ["1,250.00", 2, ["1250.00"]],
    ["1.250,00", 2, ["1250.00"]],
    ["1 250,5", 2, ["1250.50"]],
    ["1'250.00", 2, ["1250.00"]],
    ["12,50,000.00", 2, ["1250000.00"]],
    ["4.850.000", 0, ["4850000.00"]],
    ["4,850,000 ₫", 0, ["4850000.00"]],
    ["4850000.00", 0, ["4850000.00"]],
    ["1.500", 2, ["1500.00"]],
    ["1.500", 3, ["1.50", "1500.00"]],
    ["0.500", 3, ["0.50"]],
    ["١٬٢٥٠٫٥٠", 2, ["1250.50"]],
    ["۴٬۸۵۰٬۰۰۰", 0, ["4850000.00"]],
    ["-1,250.00", 2, ["1250.00"]],
    ["RM1250", 2, ["1250.00"]],
    ["1,25,0.00", 2, []],
    ["one thousand", 2, []],
  ])("%s with %d decimals", (text, digits, readings) => {
    expect(amountReadings(text, digits)).toEqual(readings);
  });

  test("an amount written in any of these ways is that amount, and never another", () => {
    const ways: ((whole: string, cents: string) => string)[] = [
      (whole, cents) => `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${cents}`,
      (whole, cents) => `${whole.replace(/\B(?=(\d{3})+$)/g, ".")},${cents}`,
      (whole, cents) => `${whole.replace(/\B(?=(\d{3})+$)/g, " ")},${cents}`,
      (whole, cents) => `${whole}.${cents}`,
      (whole, cents) => `MYR ${whole},${cents}`,
    ];
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 12 }), fc.integer({ min: 0, max: 99 }), fc.constantFrom(...ways), (whole, cents, way) => {
        const text = String(cents).padStart(2, "0");
        expect(amountReadings(way(String(whole), text), 2)).toEqual([`${whole}.${text}`]);
      }),
    );
  });

  test("without a label the amount beside the currency counts", () => {
    expect(read("You sent RM1,250.00 to TAN WEI MING")).toMatchObject({ amountIs: "equal" });
    expect(read("4.850.000 ₫", { currency: "VND", minorDigits: 0, amount: "4850000.00" })).toMatchObject({ amountIs: "equal" });
  });
});

test("any text is read without a throw", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void readSlip(text, payment)));
});
