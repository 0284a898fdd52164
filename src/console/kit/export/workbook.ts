import { writeWorkbook } from "../../../values/workbook/workbook.ts";
import type { Sheet } from "../commands/sheet.ts";
import { browserPacker } from "./browser-packer.ts";

/** Makes an .xlsx workbook with a sheet of the rows and a sheet about them. */
export async function makeWorkbook({ rows, about, ...book }: Sheet): Promise<ArrayBuffer> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of writeWorkbook({ ...book, about: { ...about, lines: () => about.lines } }, [rows], browserPacker)) {
    pieces.push(piece);
  }
  return new Blob(pieces).arrayBuffer();
}
