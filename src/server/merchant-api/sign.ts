import { createHmac } from "node:crypto";

interface SignedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** The exact bytes sent; empty when there is no body. */
  readonly body: string | Buffer;
}

/** Hex HMAC-SHA256 over `timestamp.METHOD.path-with-query.rawbody`. `timestamp` in seconds, as sent. */
export function signatureOf(secret: string, timestamp: string, { method, path, body }: SignedRequest): string {
  return createHmac("sha256", secret).update(`${timestamp}.${method.toUpperCase()}.${path}.`).update(body).digest("hex");
}

/** The headers a merchant sends with a request. */
export function signRequest(credentials: { readonly apiKey: string; readonly secret: string }, request: SignedRequest, at = new Date()) {
  const timestamp = (at.getTime() / 1000).toFixed(3);
  return {
    "x-api-key": credentials.apiKey,
    "x-timestamp": timestamp,
    "x-signature": signatureOf(credentials.secret, timestamp, request),
  };
}
