import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { z } from "zod";
import type { FileAnswer, LargeFileAnswer } from "../contract/downloads.ts";

/**
 * Answers a file so that a browser neither runs nor frames nor guesses it: as an attachment, of exactly its type, in a sandbox without
 * origin. Only the browser that asked may keep it, and only for the token it asked with; one that never changes (`lasting`) whoever is
 * signed in there. One that breaks off ends the connection, so that
 * it never passes for whole.
 */
export function sendFile(
  reply: FastifyReply,
  file: z.output<typeof FileAnswer> | z.output<typeof LargeFileAnswer>,
  lasting?: true,
): FastifyReply {
  const { type, name } = file;
  reply
    .header("content-type", type)
    .header("content-disposition", `attachment; filename="${plainName(name)}"; filename*=UTF-8''${encoded(name)}`)
    .header("x-content-type-options", "nosniff")
    .header("content-security-policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
    .header("cache-control", `private, ${lasting ? "max-age=31536000, immutable" : "max-age=300"}, no-transform`)
    .header("vary", lasting ? "x-tenant-id" : "authorization, x-tenant-id");
  const { bytes } = file;
  if (bytes instanceof Uint8Array) return reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return reply.header("content-length", "size" in file ? file.size : undefined).send(Readable.from(bytes, { objectMode: false }));
}

/** For clients that do not read filename*. */
const plainName = (name: string): string => name.replace(/[^\w.\- ]/g, "_");
const encoded = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
