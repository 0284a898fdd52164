import ExcelJS from "exceljs";
import { expect, test } from "vitest";
import { nodePacker } from "../../src/server/exports/packer.ts";
import { sheetsFor, writeWorkbook } from "../../src/values/workbook/workbook.ts";
import type { Workbook, WorkbookRow } from "../../src/values/workbook/workbook.ts";
import { zip } from "../../src/values/workbook/zip.ts";
import { plainText, readFile } from "../support/exported.ts";
import { formulaPayloads } from "../support/formula-payloads.ts";

const book = (change: Partial<Workbook> = {}): Workbook => ({
  title: "Bank lines",
  columns: [
    { title: "Reference", kind: "text", width: 120 },
    { title: "Amount", kind: "amount", width: 90 },
    { title: "Time", kind: "time", width: 120 },
  ],
  zone: 0,
  decimals: 2,
  rightToLeft: false,
  about: { title: "About", lines: (count) => [["Rows", String(count)]] },
  ...change,
});

async function made(of: Workbook, batches: AsyncIterable<WorkbookRow[]> | WorkbookRow[][], most?: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of writeWorkbook(of, batches, nodePacker, most)) pieces.push(piece);
  return Buffer.concat(pieces);
}

test("three hundred payloads stay the texts they are, in rows, titles and what is said of them: in no cell is a formula", async () => {
  expect(new Set(formulaPayloads).size).toBe(300);
  const rows = formulaPayloads.map((text): WorkbookRow => [text, text, text]);
  const said = formulaPayloads.map((text): [string, string] => [text, text]);
  const titles = formulaPayloads.map((title) => ({ title, kind: "text" as const, width: 60 }));
  for (const of of [book({ about: { title: "=About", lines: () => said } }), book({ title: "=1+1", columns: titles })]) {
    const { sheets } = await readFile(await made(of, [rows]));
    const cells = sheets.flatMap((sheet) =>
      Array.from({ length: sheet.rowCount }, (_, row) =>
        Array.from({ length: sheet.columnCount }, (_, at) => sheet.getRow(row + 1).getCell(at + 1)),
      ).flat(),
    );
    expect(cells.length).toBeGreaterThan(600);
    const kept = cells.filter(({ type }) => type !== ExcelJS.ValueType.Null);
    expect(kept.filter(({ type }) => type !== ExcelJS.ValueType.String).map(({ value }) => value)).toEqual([]);
    const written = new Set(kept.map(({ value }) => String(plainText(value))));
    expect(formulaPayloads.filter((payload) => !written.has(payload))).toEqual([]);
  }
});

test("rows past what a sheet holds go on in the next, each with its head, and all are counted", async () => {
  const batches = [4, 1, 6].map((length, at) => Array.from({ length }, (_, n): WorkbookRow => [`${at}-${n}`, `${n}.50`, null]));
  const { sheets, rows, about } = await readFile(await made(book(), batches, 5));
  expect(sheets.map(({ name, rowCount }) => [name, rowCount])).toEqual([
    ["Bank lines", 6],
    ["Bank lines 2", 6],
    ["Bank lines 3", 2],
    ["About", 1],
  ]);
  expect(sheets.slice(0, 3).map((sheet) => [sheet.getRow(1).getCell(1).value, sheet.autoFilter])).toEqual([
    ["Reference", "A1:C6"],
    ["Reference", "A1:C6"],
    ["Reference", "A1:C2"],
  ]);
  expect(rows.map((row) => row["Reference"])).toEqual(batches.flat().map(([reference]) => reference));
  expect(about).toEqual({ Rows: "11" });
  expect([0, 1, 1_048_575, 1_048_576].map((count) => sheetsFor(count))).toEqual([1, 1, 1, 2]);
});

test("no rows are a sheet with its head", async () => {
  const { sheets, titles } = await readFile(await made(book(), []));
  expect([sheets.length, sheets[0]?.rowCount, titles]).toEqual([2, 1, ["Reference", "Amount", "Time"]]);
});

test("text of every script, and characters XML has no place for, come back as they were", async () => {
  const texts = ["陈伟明", "نور الحسن", "Ærøskøbing & <sons>", "two  blanks ", "a\nb\tc", "\u0001\u001f", "_x0041_", "\ud800", "😀", '"'];
  const { rows } = await readFile(await made(book(), [texts.map((text) => [text, null, null])]));
  expect(rows.map((row) => row["Reference"])).toEqual(texts.map((text) => text.toWellFormed()));
});

test("rows are asked for only as fast as their bytes are taken, so that a slow store does not fill the memory", async () => {
  let asked = 0;
  async function* batches(): AsyncGenerator<WorkbookRow[]> {
    for (; asked < 4_000; asked++) yield Array.from({ length: 50 }, (_, n) => [crypto.randomUUID(), `${n}.00`, "2026-11-21T20:00:05.000Z"]);
  }
  const pieces = writeWorkbook(book(), batches(), nodePacker);
  let taken = 0;
  while (taken < 200_000) taken += (await pieces.next()).value?.length ?? 0;
  // as long as nobody takes more
  for (let last = -1; last !== asked; await new Promise((settled) => setImmediate(settled))) last = asked;
  expect(asked).toBeLessThan(1_000);
  await pieces.return();
});

test("an archive past what its format can say is refused, and no such file is called whole", async () => {
  const packer = {
    ...nodePacker,
    deflate: () =>
      (async function* () {
        yield { length: 0xffff_ffff } as Uint8Array<ArrayBuffer>;
      })(),
  }; // of that many bytes
  const parts = async function* () {
    yield { name: "a", texts: ["x"] };
  };
  const all = async () => {
    for await (const _ of zip(parts(), packer)) continue;
  };
  await expect(all()).rejects.toThrow("passes 4 GiB");
});
