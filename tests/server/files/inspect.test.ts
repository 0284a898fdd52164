import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { cleanName, inspect } from "../../../src/server/files/inspect.ts";
import { exifNote, makeJpeg, makePdf, makePng, makeWebp, packedObject, pngChunk } from "../../support/receipts.ts";

const verdict = (bytes: Buffer): Promise<string> =>
  inspect(bytes).then(
    ({ type }) => type,
    (error: unknown) => (error as { code?: string }).code ?? String(error), // a Refusal, or a bug
  );
const kept = async (bytes: Buffer): Promise<string> => (await inspect(bytes)).bytes.toString("latin1");

describe("what a receipt is", () => {
  test.each([
    ["a PNG", makePng(), "image/png"],
    ["a JPEG", makeJpeg(), "image/jpeg"],
    ["a WebP", makeWebp(), "image/webp"],
    ["a PDF", makePdf(), "application/pdf"],
    ["nothing", Buffer.alloc(0), "receipt.type"],
    ["a text", Buffer.from("paid, honestly"), "receipt.type"],
    ["a page", Buffer.from("<!doctype html><script>alert(1)</script>"), "receipt.type"],
    ["an SVG", Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), "receipt.type"],
    ["a GIF", Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1"), "receipt.type"],
    ["a ZIP", Buffer.from("PK\x03\x04\x14\0\0\0\0\0", "latin1"), "receipt.type"],
    ["a script that a PDF follows", Buffer.concat([Buffer.from("alert(1)/*\n"), makePdf(), Buffer.from("*/")]), "receipt.type"],
    ["a moving PNG", makePng({ extra: [pngChunk("acTL", Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))] }), "receipt.type"],
  ])("is decided by its content: %s", async (_, bytes, expected) => {
    expect(await verdict(bytes)).toBe(expected);
  });

  test("is refused when it is broken off, or other than its sums say", async () => {
    const png = makePng();
    const spoilt = Buffer.from(png);
    spoilt.writeUInt8(9, 20); // a width its check sum does not know
    for (const bytes of [png.subarray(0, -6), spoilt, makeJpeg().subarray(0, -2), makeWebp().subarray(0, -4), makePdf().subarray(0, -20)]) {
      expect(await verdict(bytes)).toBe("receipt.damaged");
    }
  });
});

describe("a picture's size", () => {
  const bombs = {
    "a PNG of 10 gigapixels": makePng({ told: { width: 100_000, height: 100_000 } }),
    "a PNG of one row too wide to draw": makePng({ told: { width: 20_000, height: 1 } }),
    "a JPEG of 41 megapixels": makeJpeg({ width: 8_200, height: 5_000 }),
    "a WebP of 60 megapixels": makeWebp({ width: 10_000, height: 6_000 }),
  };
  test.each(Object.entries(bombs))("is read off its header: %s is refused", async (_, bytes) => {
    expect(await verdict(bytes)).toBe("receipt.oversized");
  });

  test("may be 40 megapixels", async () => {
    expect(await verdict(makeJpeg({ width: 8_000, height: 5_000 }))).toBe("image/jpeg");
  });
});

describe("what a picture does not need is left out", () => {
  const payload = "<script>alert(document.domain)</script>";

  test.each([
    ["PNG", makePng()],
    ["JPEG", makeJpeg()],
    ["WebP", makeWebp()],
  ])("what follows the end of a %s", async (_, bytes) => {
    const clean = await kept(bytes);
    expect(await kept(Buffer.concat([bytes, Buffer.from(payload)]))).toBe(clean);
    expect(await kept(Buffer.concat([bytes, Buffer.from("PK\x03\x04"), Buffer.alloc(4_000, 7)]))).toBe(clean);
  });

  test("notes of a PNG and a WebP", async () => {
    const png = makePng({ extra: [pngChunk("tEXt", Buffer.from(`Comment\0${payload}`)), pngChunk("eXIf", Buffer.from("GPS"))] });
    expect(await kept(png)).toBe(await kept(makePng()));
    const webp = await kept(
      makeWebp({
        notes: [
          ["EXIF", Buffer.from("GPS 3.1390")],
          ["XMP ", Buffer.from(payload)],
        ],
      }),
    );
    expect([webp.includes("GPS"), webp.includes("alert"), webp.includes("VP8L")]).toEqual([false, false, true]);
  });

  test("where a photograph was taken, but not which side is up", async () => {
    const clean = await inspect(makeJpeg({ notes: [exifNote] }));
    expect(clean.bytes.includes("GPS")).toBe(false);
    const note = clean.bytes.indexOf("Exif");
    expect(clean.bytes.readUInt16BE(note + 24), "turned to the right").toBe(6);
  });
});

describe("a PDF", () => {
  const script = "<< /S /JavaScript /JS (app.alert(1)) >>";
  test.each([
    ["with a script", makePdf({ objects: [script], catalog: "/OpenAction 4 0 R" }), "receipt.active"],
    ["with a script under an escaped name", makePdf({ objects: ["<< /S /J#61v#61Script /JS (1) >>"] }), "receipt.active"],
    [
      "with a script in a packed list",
      makePdf({ objects: [packedObject("/Type /ObjStm /N 1 /First 4", `1 0 ${script}`)] }),
      "receipt.active",
    ],
    [
      "with a script in a packed list that says it is a picture",
      makePdf({ objects: [packedObject("/Subtype /Image /N 1 /First 4", `1 0 ${script}`)] }),
      "receipt.active",
    ],
    [
      "with a packed list only a viewer unpacks",
      makePdf({ objects: [packedObject("/Type /ObjStm /N 1 /First 4", `1 0 ${script}`, "[/ASCIIHexDecode]")] }),
      "receipt.damaged",
    ],
    ["with a file within", makePdf({ objects: ["<< /Type /EmbeddedFile /Length 0 >>\nstream\n\nendstream"] }), "receipt.active"],
    ["that starts a program", makePdf({ objects: ["<< /S /Launch /F (cmd.exe) >>"] }), "receipt.active"],
    ["with a password", makePdf({ catalog: "/Encrypt 9 0 R" }), "receipt.locked"],
    ["of 101 pages", makePdf({ pages: 101 }), "receipt.oversized"],
    ["of 100 pages", makePdf({ pages: 100 }), "application/pdf"],
    ["that unpacks to 60 MB", makePdf({ objects: [packedObject("", Buffer.alloc(60_000_000))] }), "receipt.oversized"],
    [
      "that is packed twice",
      makePdf({ objects: [packedObject("", deflateSync(Buffer.alloc(60_000_000)), "[/FlateDecode /FlateDecode]")] }),
      "receipt.oversized",
    ],
    [
      "with a picture of 10 gigapixels",
      makePdf({ objects: [packedObject("/Subtype /Image /Width 100000 /Height 100000", "x")] }),
      "receipt.oversized",
    ],
    ["of 30,000 objects", makePdf({ objects: Array.from({ length: 30_000 }, () => "null") }), "receipt.oversized"],
  ])("%s", async (_, bytes, expected) => {
    expect(await verdict(bytes)).toBe(expected);
  });

  test("ends with its last end mark", async () => {
    const pdf = makePdf();
    expect(await kept(Buffer.concat([pdf, Buffer.from("PK\x03\x04 and a whole archive")]))).toBe(pdf.toString("latin1"));
  });
});

test("a name is shown without folders and without characters that steer, with the ending of what the file is", () => {
  expect(
    [
      "slip.png",
      "C:\\fakepath\\slip.jpeg",
      "../../etc/passwd",
      "invoice\u202efdp.exe",
      "a\u0000b\r\nSet-Cookie: x.png",
      "",
      ".png",
      "…",
      "回单 2026.pdf",
      "x".repeat(400),
      "\ud800.png",
    ].map((name) => cleanName(name, "image/png")),
  ).toEqual([
    "slip.png",
    "slip.png",
    "passwd.png",
    "invoicefdp.png",
    "abSet-Cookie_ x.png",
    "receipt.png",
    "receipt.png",
    "….png",
    "回单 2026.png",
    `${"x".repeat(100)}.png`,
    "\ufffd.png",
  ]);
});
