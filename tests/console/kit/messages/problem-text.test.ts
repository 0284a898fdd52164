import { beforeAll, describe, expect, test } from "vitest";
import { problemText } from "../../../../src/console/kit/messages/problem-text.ts";
import { inLanguage } from "../../in-language.ts";

describe("a record that is in use", () => {
  beforeAll(() => inLanguage("en"));

  test("is named with each of its uses, counted", () => {
    const uses = { name: "Harbour Play", transactions: 3, open: 1, entries: 1000, wallet: "1234.50", groups: ["Retail", "VIP"] };
    expect(problemText("record.in-use", uses)).toBe(
      "Harbour Play cannot be deleted because it still has 3 transactions, 1 open transaction, 1,000+ ledger entries, " +
        "1,234.50 in its wallet, and 2 payment groups (Retail, VIP).",
    );
    expect(problemText("record.in-use", { name: "MBB-01", balance: "-5.00" })).toBe(
      "MBB-01 cannot be deleted because it still has a balance of −5.00.",
    );
    expect(problemText("record.in-use", { name: "Printers", items: 1, unheard_of: 2 })).toBe(
      "Printers cannot be deleted because it still has 1 item.",
    );
  });

  test("is said in the server's words where they say no more", () => expect(problemText("record.in-use", undefined)).toBeNull());

  test("is named in the user's language", async () => {
    await inLanguage("de");
    expect(problemText("record.in-use", { name: "Harbour Play", transactions: 1, groups: ["VIP"] })).toBe(
      "Harbour Play kann nicht gelöscht werden. Noch vorhanden: 1 Transaktion und 1 Zahlungsgruppe (VIP).",
    );
    expect(problemText("record.in-use", {})).toMatch(/^Dieser Datensatz ist noch in Verwendung/);
  });
});
