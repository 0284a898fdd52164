import { fileTypeFromBuffer } from "file-type";
import type { ReceiptType } from "../../contract/receipts.ts";
import { receiptTypes } from "../../contract/receipts.ts";
import { Refusal } from "../../contract/problems.ts";
import { damaged } from "./bounds.ts";
import { plainJpeg } from "./jpeg.ts";
import { plainPdf } from "./pdf.ts";
import { plainPng } from "./png.ts";
import { plainWebp } from "./webp.ts";

/** A file that is only what its type says. */
export interface PlainFile {
  readonly type: ReceiptType;
  readonly bytes: Buffer;
}

const plainOf: Readonly<Record<ReceiptType, (bytes: Buffer) => Buffer | Promise<Buffer>>> = {
  "image/png": plainPng,
  "image/jpeg": plainJpeg,
  "image/webp": plainWebp,
  "application/pdf": plainPdf,
};

/**
 * Decides by its content what a file is, and answers it without what a picture or a document does not need: what follows its end, where and
 * on what a photograph was taken, comments. Throws receipt.type | damaged | oversized | active | locked.
 */
export async function inspect(sent: Uint8Array): Promise<PlainFile> {
  const bytes = Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength);
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  const type = receiptTypes.find((known) => known === found?.mime);
  if (!type) throw new Refusal("receipt.type");
  try {
    return { type, bytes: await plainOf[type](bytes) };
  } catch (error) {
    // a length that leads out of the file
    throw error instanceof RangeError ? damaged() : error;
  }
}

/** Characters that steer how a line is drawn, beside those that are no characters at all. */
const unshown = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
const endings: Readonly<Record<ReceiptType, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "application/pdf": "pdf",
};

/** The name a file is shown and saved by: without folders, with the ending of what it is. */
export function cleanName(sent: string, type: ReceiptType): string {
  const last = sent.toWellFormed().split(/[/\\]/).at(-1) ?? "";
  const plain = last.replace(unshown, "").replace(/[<>:"|?*]/g, "_");
  const stem = [...plain.replace(/\.\w{1,5}$/, "")]
    .slice(0, 100)
    .join("")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  return `${stem || "receipt"}.${endings[type]}`;
}
