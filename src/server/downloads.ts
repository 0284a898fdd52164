import type { FastifyReply } from "fastify";
import type { z } from "zod";
import type { FileAnswer } from "../contract/downloads.ts";

/**
 * Answers a file so that a browser neither runs nor frames nor guesses it: as an attachment, of exactly its type, in a sandbox without
 * origin. Only the browser that asked may keep it, and only for the token it asked with.
 */
export function sendFile(reply: FastifyReply, { type, name, bytes }: z.output<typeof FileAnswer>): FastifyReply {
  return reply
    .header("content-type", type)
    .header("content-disposition", `attachment; filename="${plainName(name)}"; filename*=UTF-8''${encoded(name)}`)
    .header("x-content-type-options", "nosniff")
    .header("content-security-policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
    .header("cache-control", "private, max-age=300, no-transform")
    .header("vary", "authorization, x-tenant-id")
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/** For clients that do not read filename*. */
const plainName = (name: string): string => name.replace(/[^\w.\- ]/g, "_");
const encoded = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
