import { expect, test } from "vitest";
import { decodeUnknown } from "../../../../src/server/bank-lines/reading/encodings.ts";

/** The characters of GB 2312 in these texts, by their bytes there; no encoder for it comes with the platform. */
function gb(text: string): Buffer {
  const bytes = [...text].flatMap((sign) => {
    if (sign.charCodeAt(0) < 0x80) return [sign.charCodeAt(0)];
    for (let lead = 0xa1; lead <= 0xf7; lead++)
      for (let trail = 0xa1; trail <= 0xfe; trail++)
        if (new TextDecoder("gb18030").decode(Uint8Array.of(lead, trail)) === sign) return [lead, trail];
    throw new Error(`${sign} is not of GB 2312`);
  });
  return Buffer.from(bytes);
}

const western = (text: string) => Buffer.from(text, "latin1");

test.each([
  ["plain ASCII", Buffer.from("Date,Amount\n"), "utf-8", false],
  ["UTF-8", Buffer.from("Müller, 日期, 金额"), "utf-8", false],
  ["UTF-8 with a mark", Buffer.from("\ufeffMüller"), "utf-8", false],
  ["UTF-16 with a mark", Buffer.from("\ufeff日期,金额", "utf16le"), "utf-16le", false],
  ["UTF-16, the other end first", Buffer.from("\ufeff日期,金额\n", "utf16le").swap16(), "utf-16be", false],
  ["UTF-16 without a mark", Buffer.from("日期,金额\n2026-03-15,1.00\n", "utf16le"), "utf-16le", false],
  ["UTF-16 without a mark, the other end first", Buffer.from("日期,金额\n2026-03-15,1.00\n", "utf16le").swap16(), "utf-16be", false],
  ["German in Windows-1252", western("Buchungstag;Empfänger;Betrag\n15.03.2026;Jürgen Müller;1,00\n"), "windows-1252", false],
  ["French in Windows-1252", western("Date opération;Libellé;Débit;Crédit\n15/03/2026;Règlement;;1,00\n"), "windows-1252", false],
  ["Chinese in GB 18030", gb("交易日期,摘要,金额,余额\n2026-03-15,转账,100.00,200.00\n"), "gb18030", false],
  ["a long Chinese text with Latin between", gb("对方户名,ABC公司,备注,转账REF123货款\n"), "gb18030", false],
])("%s is known", (_, bytes, encoding, isUnsure) => {
  expect(decodeUnknown(bytes)).toMatchObject({ encoding, isUnsure });
});

test("Russian in Windows-1251 is read as the best guess, and the guess is told", () => {
  const bytes = Buffer.from(
    [..."Дата операции;Сумма\n15.03.2026;Оплата"].map((sign) => {
      const code = sign.charCodeAt(0);
      return code >= 0x410 && code <= 0x44f ? code - 0x350 : code;
    }),
  );
  expect(decodeUnknown(bytes)).toMatchObject({ isUnsure: true });
});

test("a decoded text is what was written, character by character", () => {
  expect(decodeUnknown(gb("交易日期,金额")).text).toBe("交易日期,金额");
  expect(decodeUnknown(western("Jürgen")).text).toBe("Jürgen");
  expect(decodeUnknown(Buffer.from("\ufeff日期", "utf16le").swap16()).text.replace("\ufeff", "")).toBe("日期");
});
