import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { Refusal } from "../contract/problems.ts";
import { filePart } from "../contract/uploads.ts";
import type { UploadedFile } from "../contract/uploads.ts";

/** Most characters kept of a file's name. */
const longestName = 200;

/**
 * The one file of a multipart request, or the body that is a file itself. Refused with request.unsupported-media when it is no multipart, request.too-large above `most` bytes,
 * request.malformed when it cannot be parsed, and request.invalid when it has no file or something else beside it.
 */
export async function readUpload(request: FastifyRequest, most: number): Promise<UploadedFile> {
  if (request.rawBody) return bareUpload(request.rawBody);
  if (!request.isMultipart?.()) throw new Refusal("request.unsupported-media");
  let file: UploadedFile | null = null;
  try {
    for await (const part of request.parts({ limits: { fileSize: most } })) {
      if (part.type !== "file" || part.fieldname !== filePart)
        throw new Refusal("request.invalid", { [part.fieldname]: ["Unknown field"] });
      const bytes = await part.toBuffer();
      file = { name: plainName(part.filename), bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(isTooLarge(error) ? "request.too-large" : "request.malformed");
  }
  if (!file) throw new Refusal("request.invalid", { [filePart]: ["Must be one file"] });
  return file;
}

function bareUpload(bytes: Buffer): UploadedFile {
  if (bytes.length === 0) throw new Refusal("request.invalid", { [filePart]: ["Must be one file"] });
  return { name: "", bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** Parsers word their errors as they like, so that only the size is told apart. */
const isTooLarge = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "FST_REQ_FILE_TOO_LARGE";

/** The last step of a path without control characters, because some browsers send the whole path. */
const plainName = (name: string): string =>
  (name.toWellFormed().split(/[/\\]/).at(-1) ?? "").replace(/\p{C}/gu, "").trim().slice(0, longestName);
