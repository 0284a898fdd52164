import { describe, expect, test } from "vitest";
import type { BankLayout } from "../../../../src/contract/bank-layouts.ts";
import { facts, linesIn, othersIn, readFile } from "../../../support/bank-imports.ts";

type Facts = Partial<typeof facts>;

/** A file as a bank writes it, and its lines as "time direction amount balance | reference | counterparty account | description". */
interface Case {
  readonly bank: string;
  readonly text: string;
  readonly facts?: Facts;
  readonly lines: readonly string[];
  readonly others?: readonly string[];
}

const currency = (code: string, hours: number, minorDigits = 2): Facts => ({ currency: code, zoneMinutes: hours * 60, minorDigits });

const cases: readonly Case[] = [
  {
    bank: "Malay and English headers over each other's columns, a preamble, totals at the end",
    text: `Penyata Akaun / Account Statement,,,,
No. Akaun / Account No.,5140 1234 5678,,,
Tarikh Penyata,31/03/2026,,,

Tarikh / Date,Butiran Transaksi / Transaction Details,Wang Keluar / Debit (RM),Wang Masuk / Credit (RM),Baki / Balance (RM)
,BAKI AWAL,,,"1,000.00"
15/03/2026,"DUITNOW TRANSFER FR TAN WEI MING, REF 8812",,"1,234.50","2,234.50"
16/03/2026,FI CHARGE,0.50,,"2,234.00"
,JUMLAH,0.50,"1,234.50",
`,
    lines: [
      "2026-03-15T15:59:59.000Z credit 1234.50 2234.50 | - | - - | DUITNOW TRANSFER FR TAN WEI MING, REF 8812",
      "2026-03-16T15:59:59.000Z debit 0.50 2234.00 | - | - - | FI CHARGE",
    ],
    others: ["6 balance", "9 total"],
  },
  {
    bank: "German semicolons, newest first, two-digit years, signs, own account beside the other's",
    facts: { ...currency("EUR", 1), number: "DE02120300000000202051" },
    text: `"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Kundenreferenz (End-to-End)";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"Betrag";"Waehrung"
"DE02120300000000202051";"17.03.26";"17.03.26";"LASTSCHRIFT";"Miete März";"E2E-2";"Hausverwaltung KG";"DE44500105175407324931";"-1.050,00";"EUR"
"DE02120300000000202051";"13.03.26";"13.03.26";"GUTSCHRIFT";"Rechnung 9";"E2E-1";"Jürgen Müller";"DE89370400440532013000";"1.234,56";"EUR"
`,
    lines: [
      "2026-03-13T22:59:59.000Z credit 1234.56 - | E2E-1 | Jürgen Müller DE89370400440532013000 | GUTSCHRIFT Rechnung 9",
      "2026-03-17T22:59:59.000Z debit 1050.00 - | E2E-2 | Hausverwaltung KG DE44500105175407324931 | LASTSCHRIFT Miete März",
    ],
  },
  {
    bank: "French columns for both directions, blanks between thousands",
    facts: currency("EUR", 1),
    text: "Date opération;Date de valeur;Libellé;Débit;Crédit;Solde\n13/03/2026;14/03/2026;VIR SEPA DUPONT;;1 234,56;2 000,00\n16/03/2026;16/03/2026;PRLV EDF;-65,44;;1 934,56\n",
    lines: [
      "2026-03-13T22:59:59.000Z credit 1234.56 2000.00 | - | - - | VIR SEPA DUPONT",
      "2026-03-16T22:59:59.000Z debit 65.44 1934.56 | - | - - | PRLV EDF",
    ],
  },
  {
    bank: "Spanish columns",
    facts: currency("EUR", 1),
    text: "Fecha Operación;Fecha Valor;Concepto;Importe;Saldo;Referencia\n13/03/2026;13/03/2026;TRANSFERENCIA DE GARCÍA;1.234,56;2.234,56;R1\n14/03/2026;14/03/2026;COMISIÓN;-3,00;2.231,56;R2\n",
    lines: [
      "2026-03-13T22:59:59.000Z credit 1234.56 2234.56 | R1 | - - | TRANSFERENCIA DE GARCÍA",
      "2026-03-14T22:59:59.000Z debit 3.00 2231.56 | R2 | - - | COMISIÓN",
    ],
  },
  {
    bank: "Italian columns",
    facts: currency("EUR", 1),
    text: "Data contabile;Data valuta;Dare;Avere;Descrizione;Ordinante;Beneficiario\n13/03/2026;13/03/2026;;1.234,56;BONIFICO;ROSSI MARIO;NOI\n16/03/2026;16/03/2026;10,00;;BOLLO;NOI;STATO\n",
    lines: [
      "2026-03-13T22:59:59.000Z credit 1234.56 - | - | ROSSI MARIO - | BONIFICO",
      "2026-03-16T22:59:59.000Z debit 10.00 - | - | STATO - | BOLLO",
    ],
  },
  {
    bank: "Russian months in words and money of Russia",
    facts: currency("RUB", 3),
    text: "Дата операции;Номер документа;Назначение платежа;Контрагент;Счёт контрагента;Дебет;Кредит;Остаток\n15 марта 2026 г.;118;Оплата по счёту;ООО Ромашка;40702810900000012345;;1 234,56 ₽;1 234,56\n",
    lines: ["2026-03-15T20:59:59.000Z credit 1234.56 1234.56 | 118 | ООО Ромашка 40702810900000012345 | Оплата по счёту"],
  },
  {
    bank: "Chinese columns with compact dates and a time of day beside them",
    facts: currency("CNY", 8),
    text: "交易日期,交易时间,摘要,收入金额,支出金额,账户余额,对方户名,对方账号,交易流水号\n20260315,142311,转账,1234.50,,2234.50,王伟,6222020200011112222,2026031512345\n20260316,090000,手续费,,2.00,2232.50,,,2026031612346\n",
    lines: [
      "2026-03-15T06:23:11.000Z credit 1234.50 2234.50 | 2026031512345 | 王伟 6222020200011112222 | 转账",
      "2026-03-16T01:00:00.000Z debit 2.00 2232.50 | 2026031612346 | - - | 手续费",
    ],
  },
  {
    bank: "Chinese, one amount with the direction in a word",
    facts: currency("CNY", 8),
    text: "记账日期\t借贷标志\t金额\t余额\t摘要\n2026年3月15日\t贷\t1,234.50\t2,234.50\t汇款\n2026年3月16日\t借\t2.00\t2,232.50\t手续费\n",
    lines: [
      "2026-03-15T15:59:59.000Z credit 1234.50 2234.50 | - | - - | 汇款",
      "2026-03-16T15:59:59.000Z debit 2.00 2232.50 | - | - - | 手续费",
    ],
  },
  {
    bank: "Arabic digits and separators",
    facts: currency("AED", 4),
    text: "التاريخ,البيان,مدين,دائن,الرصيد,المرجع\n١٥/٠٣/٢٠٢٦,تحويل من محمد,,١٬٢٣٤٫٥٠,٢٬٢٣٤٫٥٠,R1\n",
    lines: ["2026-03-15T19:59:59.000Z credit 1234.50 2234.50 | R1 | - - | تحويل من محمد"],
  },
  {
    bank: "Indonesian, a mutation with DB or CR behind it",
    facts: currency("IDR", 7),
    text: "Tanggal;Keterangan;Mutasi;Saldo\n15/03/2026;TRSF E-BANKING CR BUDI;1.250.000,00 CR;2.250.000,00\n16/03/2026;BIAYA ADM;15.000,00 DB;2.235.000,00\n",
    lines: [
      "2026-03-15T16:59:59.000Z credit 1250000.00 2250000.00 | - | - - | TRSF E-BANKING CR BUDI",
      "2026-03-16T16:59:59.000Z debit 15000.00 2235000.00 | - | - - | BIAYA ADM",
    ],
  },
  {
    bank: "Vietnamese, no decimals, points between thousands",
    facts: currency("VND", 7, 0),
    text: "Ngày giao dịch\tSố tham chiếu\tGhi nợ\tGhi có\tSố dư\tNội dung giao dịch\tTên đối ứng\n15/03/2026 10:22:11\tFT26\t\t1.500.000\t2.500.000\tchuyen tien\tNGUYEN VAN AN\n",
    lines: ["2026-03-15T03:22:11.000Z credit 1500000.00 2500000.00 | FT26 | NGUYEN VAN AN - | chuyen tien"],
  },
  {
    bank: "Thai digits, the Buddhist era, a time of day in its own column",
    facts: currency("THB", 7),
    text: "วันที่\tเวลา\tรายการ\tถอนเงิน\tฝากเงิน\tยอดคงเหลือ\tชื่อผู้โอน\n๑๕/๐๓/๒๕๖๙\t14:23\tโอนเงิน\t\t1,000.00\t1,500.00\tสมชาย ใจดี\n16/03/2569\t09:00\tถอน\t500.00\t\t1,000.00\t\n",
    lines: [
      "2026-03-15T07:23:00.000Z credit 1000.00 1500.00 | - | สมชาย ใจดี - | โอนเงิน",
      "2026-03-16T02:00:00.000Z debit 500.00 1000.00 | - | - - | ถอน",
    ],
  },
  {
    bank: "Thai short years and months in words",
    facts: currency("THB", 7),
    text: "วันที่ทำรายการ,รายละเอียด,ถอน,ฝาก\n15 มี.ค. 2569,รับโอน,,250.00\n",
    lines: ["2026-03-15T16:59:59.000Z credit 250.00 - | - | - - | รับโอน"],
  },
  {
    bank: "Indian groups, CR beside the balance",
    facts: currency("INR", 5.5),
    text: 'Txn Date,Value Date,Description,Ref No./Cheque No.,Debit,Credit,Balance\n15 Mar 2026,15 Mar 2026,UPI/AMIT,UPI123,,"12,34,567.89","22,34,567.89 Cr"\n16-Mar-26,16-Mar-26,NEFT,N12,"1,00,000.00",,"21,34,567.89 Cr"\n',
    lines: [
      "2026-03-15T18:29:59.000Z credit 1234567.89 2234567.89 | UPI123 | - - | UPI/AMIT",
      "2026-03-16T18:29:59.000Z debit 100000.00 2134567.89 | N12 | - - | NEFT",
    ],
  },
  {
    bank: "American order, dollars, parentheses for what went out",
    facts: currency("USD", -5),
    text: 'Date,Description,Amount,Running Balance\n03/15/2026,ACH CREDIT SMITH,"$1,234.50","$5,000.00"\n03/16/2026,CHECK 101,"($34.50)","$4,965.50"\n',
    lines: [
      "2026-03-16T04:59:59.000Z credit 1234.50 5000.00 | - | - - | ACH CREDIT SMITH",
      "2026-03-17T04:59:59.000Z debit 34.50 4965.50 | - | - - | CHECK 101",
    ],
  },
  {
    bank: "Swiss apostrophes",
    facts: currency("CHF", 1),
    text: "Datum;Buchungstext;Belastung;Gutschrift;Saldo\n15.03.2026;Zahlung;;1’234.50;2'000.00\n",
    lines: ["2026-03-15T22:59:59.000Z credit 1234.50 2000.00 | - | - - | Zahlung"],
  },
  {
    bank: "a minus behind the amount, bars between the cells",
    text: "Date|Narration|Amount\n2026-03-15|in|100.00\n2026-03-16|out|50.00-\n",
    lines: ["2026-03-15T15:59:59.000Z credit 100.00 - | - | - - | in", "2026-03-16T15:59:59.000Z debit 50.00 - | - | - - | out"],
  },
  {
    bank: "an offset of its own beside the time, and decimals of three",
    facts: currency("KWD", 3, 3),
    text: "Timestamp,Details,Credit\n2026-03-15T23:30:00+05:00,a,1234.500\n2026-03-16T10:00:00Z,b,0.125\n",
    lines: ["2026-03-15T18:30:00.000Z credit 1234.50 - | - | - - | a", "2026-03-16T10:00:00.000Z credit 0.125 - | - | - - | b"],
  },
  {
    bank: "a table copied from a page: ragged cells, a description broken over rows, times with AM and PM",
    text: "Date\tDetails\tMoney out\tMoney in\tBalance\n15 Mar 2026 2:05 PM\tFPS CREDIT\t\t1,000.00\t1,000.00\n\tTAN WEI MING\n\tREF 123\n16 Mar 2026 11:10 am\tFEE\t1.00\n\n",
    lines: [
      "2026-03-15T06:05:00.000Z credit 1000.00 1000.00 | - | - - | FPS CREDIT TAN WEI MING REF 123",
      "2026-03-16T03:10:00.000Z debit 1.00 - | - | - - | FEE",
    ],
    others: ["3 continued", "4 continued"],
  },
  {
    bank: "columns parted by blanks alone",
    text: "Date          Description           Credit\n2026-03-15    TRANSFER FROM TAN     1,200.00\n2026-03-16    TRANSFER FROM LIM     80.00\n",
    lines: [
      "2026-03-15T15:59:59.000Z credit 1200.00 - | - | - - | TRANSFER FROM TAN",
      "2026-03-16T15:59:59.000Z credit 80.00 - | - | - - | TRANSFER FROM LIM",
    ],
  },
  {
    bank: "a quoted description over three lines, headers again on the second page",
    text: 'Date,Details,Credit\n2026-03-15,"TRANSFER\nFROM TAN\nREF 9",10.00\nDate,Details,Credit\n2026-03-16,b,20.00\n',
    lines: [
      "2026-03-15T15:59:59.000Z credit 10.00 - | - | - - | TRANSFER FROM TAN REF 9",
      "2026-03-16T15:59:59.000Z credit 20.00 - | - | - - | b",
    ],
    others: ["5 header"],
  },
];

describe.each(cases)("$bank", ({ text, facts: more, lines, others = [] }) => {
  test.each([
    ["as it is", (one: string) => Buffer.from(one)],
    ["with the line ends of Windows and a byte order mark", (one: string) => Buffer.from(`\ufeff${one.replaceAll("\n", "\r\n")}`)],
    ["in UTF-16", (one: string) => Buffer.from(`\ufeff${one}`, "utf16le")],
  ])("%s: every line is read exactly, and nothing is asked", async (_, written) => {
    const statement = await readFile(written(text), more);
    expect(statement.questions).toEqual([]);
    expect(
      linesIn(statement).map((line) => {
        const { time, direction, amount, balance, reference, counterparty, counterparty_account, description } = line;
        return `${time} ${direction} ${amount} ${balance ?? "-"} | ${reference ?? "-"} | ${counterparty ?? "-"} ${counterparty_account ?? "-"} | ${description}`;
      }),
    ).toEqual(lines);
    expect(othersIn(statement).toSorted()).toEqual(others.toSorted());
  });
});

describe("what a file does not say is asked, not guessed", () => {
  const asked = async (text: string, more?: Facts) => (await readFile(text, more)).questions;

  test.each([
    ["a day that may be a month", "Date,Credit\n03/04/2026,1.00\n05/06/2026,2.00\n", ["date_order"]],
    ["a day that equals its month says nothing and needs nothing", "Date,Credit\n03/03/2026,1.00\n", []],
    ["one day above twelve decides for all", "Date,Credit\n03/04/2026,1.00\n13/04/2026,2.00\n", []],
    ["days above twelve on both sides decide nothing", "Date,Credit\n13/04/2026,2.00\n14/04/2026,2.00\n04/15/2026,3.00\n", ["date_order"]],
    ["three decimals, or thousands", "Date;Credit\n15/03/2026;1.234\n16/03/2026;2.500\n", []],
    ["three noughts, or thousands", "Date;Credit\n15/03/2026;1.000\n16/03/2026;2.500\n", ["decimal"]],
    ["one amount with two decimals decides for all", "Date;Credit\n15/03/2026;1.000\n16/03/2026;2.500,50\n", []],
    ["amounts without a sign in one column", "Date,Amount\n15/03/2026,1.00\n", ["unsigned"]],
    ["one of them with a minus decides for all", "Date,Amount\n15/03/2026,1.00\n15/03/2026,-1.00\n", []],
    ["a table without headers", "15/03/2026,1.00,x\n16/03/2026,2.00,y\n", ["columns"]],
  ])("%s", async (_, text, questions) => {
    expect(await asked(text)).toEqual(questions);
  });

  test("an answer is taken as it was given, and what does not fit it cannot be read", async () => {
    const text = "Date,Credit\n03/04/2026,1.00\n05/13/2026,2.00\n";
    const { layout } = await readFile("Date,Credit\n03/04/2026,1.00\n", {});
    const given: BankLayout = { ...layout, date_order: "dmy" };
    const statement = await readFile(text, {}, given);
    expect(linesIn(statement).map(({ time }) => time)).toEqual(["2026-04-03T15:59:59.000Z"]);
    expect(othersIn(statement)).toEqual(["3 not-a-date"]);
  });
});

describe("why a line cannot be read", () => {
  const why = async (row: string, headers = "Date,Details,Debit,Credit,Balance,Currency,Account") =>
    othersIn(await readFile(`${headers}\n2026-03-15,a,,1.00,1.00,MYR,514012345678\n${row}\n2026-03-17,z,,1.00,1.00,MYR,\n`));

  test.each([
    [",x,,1.00,,,", "no-date"],
    ["soon,x,,1.00,,,", "not-a-date"],
    ["2026-02-30,x,,1.00,,,", "not-a-date"],
    ["15/03,x,,1.00,,,", "no-year"],
    ["2026-03-16,x,,,,,", "no-amount"],
    ["2026-03-16,x,,ten,,,", "not-an-amount"],
    ['2026-03-16,x,,"1,2,3",,,', "not-an-amount"],
    ["2026-03-16,x,,1.005,,,", "too-fine"],
    ["2026-03-16,x,,123456789012345.00,,,", "too-large"],
    ["2026-03-16,x,1.00,1.00,,,", "both-sides"],
    ["2026-03-16,x,,1.00,ten,,", "not-a-balance"],
    ["2026-03-16,x,,1.00,,USD,", "other-currency"],
    ["2026-03-16,x,,USD 1.00,,,", "other-currency"],
    ["2026-03-16,x,,1.00,,,514099999999", "other-account"],
    ['2026-03-16,"x,,1.00,,,\n2026-03-16,b,,1.00,,,\n2026-03-16,c",,1.00,,,', "joined-lines"],
  ])("%s: %s", async (row, reason) => {
    expect(await why(row)).toEqual([`3 ${reason}`]);
  });

  test("a cell too long for any text, even in a column nobody asked for", async () => {
    const long = `2026-03-16,x,,1.00,,,,${"x".repeat(5_000)}`;
    expect(await why(long, "Date,Details,Debit,Credit,Balance,Currency,Account,Extra")).toEqual(["3 cell-too-long"]);
  });

  test("an account of which a bank shows the end alone is the account it ends like", async () => {
    expect(await why("2026-03-16,x,,1.00,,,****5678")).toEqual([]);
    expect(await why("2026-03-16,x,,1.00,,,****9999")).toEqual(["3 other-account"]);
  });
});
