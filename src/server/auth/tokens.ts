import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import type { JWTPayload } from "jose";
import { Refusal } from "../../contract/problems.ts";
import type { SecretBox } from "../secrets/secrets.ts";

const accessSeconds = 15 * 60;
/** A session's absolute life; the specification's cookie lifetime. */
export const sessionSeconds = 2 * 24 * 60 * 60;
/** Two tabs may use one refresh token within it and get the same successor. */
export const overlapSeconds = 10;

const audience = "countinghouse";
const type = "at+jwt";
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

export const randomToken = (): string => randomBytes(32).toString("base64url");

/** The token that follows `token`: computed, so that the overlap can answer it again without keeping it. */
export function successorOf(secrets: SecretBox, token: string): string {
  return createHmac("sha256", secrets.derive("refresh tokens")).update(token).digest("base64url");
}

export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A 15-minute access token of one session. One algorithm, fixed `typ` and `aud`. */
export function signAccess(secrets: SecretBox, session: string, user: string, binding: Buffer | null): Promise<string> {
  return new SignJWT({ sid: session, ...(binding && { bnd: binding.toString("base64url") }) })
    .setProtectedHeader({ alg: "HS256", typ: type })
    .setSubject(user)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(`${accessSeconds}s`)
    .sign(secrets.derive("access tokens"));
}

/** What a token says that one of the keys has signed: the newest, or one before it, so that a change of keys ends no session. */
async function payloadOf(token: string, [key, ...older]: readonly Uint8Array[]): Promise<JWTPayload> {
  if (!key) throw new Refusal("session.missing");
  try {
    return (await jwtVerify(token, key, { algorithms: ["HS256"], typ: type, audience })).payload;
  } catch (error) {
    if (older.length === 0 || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    return payloadOf(token, older);
  }
}

/** The session a bearer token names. Refuses with session.missing or session.expired. */
export async function verifyAccess(secrets: SecretBox, authorization: string | undefined): Promise<{ session: string; user: string }> {
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? "")?.[1];
  if (!token) throw new Refusal("session.missing");
  try {
    const payload = await payloadOf(token, secrets.derivations("access tokens"));
    const { sid, sub } = payload;
    if (typeof sid !== "string" || !uuid.test(sid) || typeof sub !== "string") throw new Refusal("session.missing");
    return { session: sid, user: sub };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(error instanceof errors.JWTExpired ? "session.expired" : "session.missing");
  }
}
