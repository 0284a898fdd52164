import { createHmac } from "node:crypto";

export interface SignedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** The Idempotency-Key header as sent; empty without one. */
  readonly idempotencyKey: string;
  /** The exact bytes sent; empty when there is no body. */
  readonly body: string | Buffer;
}

const hmac = (secret: string, head: string, body: string | Buffer): string =>
  createHmac("sha256", secret).update(head).update(body).digest("hex");

/**
 * Hex HMAC-SHA256 over the lines `v2`, timestamp, METHOD, path-with-query, idempotency key, and the raw body. Only the body can contain a
 * line break, so the parts are unambiguous. `timestamp` in seconds, as sent.
 */
export function signatureOf(secret: string, timestamp: string, { method, path, idempotencyKey, body }: SignedRequest): string {
  return hmac(secret, `v2\n${timestamp}\n${method.toUpperCase()}\n${path}\n${idempotencyKey}\n`, body);
}

/** The former signature: over `timestamp.METHOD.path-with-query.rawbody`, without the idempotency key. */
export function oldSignatureOf(secret: string, timestamp: string, { method, path, body }: SignedRequest): string {
  return hmac(secret, `${timestamp}.${method.toUpperCase()}.${path}.`, body);
}

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
