import { createHmac } from "node:crypto";
import { merchantKey } from "../secrets/merchant-key.ts";

export interface SignedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** The Idempotency-Key header as sent; empty without one. */
  readonly idempotencyKey: string;
  /** The exact bytes sent; empty when there is no body. */
  readonly body: string | Buffer;
}

const hmac = (key: string | Buffer, head: string, body: string | Buffer): string =>
  createHmac("sha256", key).update(head).update(body).digest("hex");

/** What is signed before the body. Only the body can contain a line break, so the parts are unambiguous. */
const headOf = (timestamp: string, { method, path, idempotencyKey }: SignedRequest): string =>
  `v2\n${timestamp}\n${method.toUpperCase()}\n${path}\n${idempotencyKey}\n`;

/** How a signature is made of a secret; `timestamp` in seconds, as sent. */
export type Sign = (secret: string, timestamp: string, request: SignedRequest) => string;

/**
 * Hex HMAC-SHA256, by the bytes the secret stands for, over the lines `v2`, timestamp, METHOD, path-with-query, idempotency key, and the
 * raw body.
 */
export const signatureOf: Sign = (secret, timestamp, request) => hmac(merchantKey(secret), headOf(timestamp, request), request.body);

/** The former signature: the same, by the text of the secret itself. */
export const literalSignatureOf: Sign = (secret, timestamp, request) => hmac(secret, headOf(timestamp, request), request.body);

/** The signature before that: by the text of the secret, over `timestamp.METHOD.path-with-query.rawbody`, without the idempotency key. */
export const oldSignatureOf: Sign = (secret, timestamp, { method, path, body }) =>
  hmac(secret, `${timestamp}.${method.toUpperCase()}.${path}.`, body);

/** The headers a merchant sends with a request. */
export function signRequest(credentials: { readonly apiKey: string; readonly secret: string }, request: SignedRequest, at = new Date()) {
  const timestamp = (at.getTime() / 1000).toFixed(3);
  return {
    "x-api-key": credentials.apiKey,
    "x-timestamp": timestamp,
    "x-signature": `v2=${signatureOf(credentials.secret, timestamp, request)}`,
    ...(request.idempotencyKey !== "" && { "idempotency-key": request.idempotencyKey }),
  };
}
