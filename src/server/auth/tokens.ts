import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import type { JWTPayload } from "jose";
import { Refusal } from "../../contract/problems.ts";
import type { SecretBox } from "../secrets/secrets.ts";

const accessSeconds = 15 * 60;
/** Lifetime of a session; the specification's cookie lifetime. */
export const sessionSeconds = 2 * 24 * 60 * 60;
/** Within these seconds two tabs can use one refresh token and get the same successor. */
export const overlapSeconds = 10;

const audience = "countinghouse";
const type = "at+jwt";
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

export const randomToken = (): string => randomBytes(32).toString("base64url");

/** The successor of a token, computed so that the overlap can answer it again without storing it. */
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

/** The payload of a token signed with the newest key or an older one, so that a key rotation ends no session. */
async function payloadOf(token: string, [key, ...older]: readonly Uint8Array[]): Promise<JWTPayload> {
  if (!key) throw new Refusal("session.missing");
  try {
    return (await jwtVerify(token, key, { algorithms: ["HS256"], typ: type, audience })).payload;
  } catch (error) {
    if (older.length === 0 || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    return payloadOf(token, older);
  }
}

/** The content of an access token. */
interface Access {
  readonly session: string;
  readonly user: string;
  /** Its 15 minutes have passed. */
  readonly isOld: boolean;
}

/** The session of a bearer token. Refuses with session.missing any token we did not sign. */
export async function verifyAccess(secrets: SecretBox, authorization: string | undefined): Promise<Access> {
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? "")?.[1];
  if (!token) throw new Refusal("session.missing");
  try {
    return accessOf(await payloadOf(token, secrets.derivations("access tokens")), false);
  } catch (error) {
    // thrown only when everything else is valid
    if (error instanceof errors.JWTExpired) return accessOf(error.payload, true);
    throw new Refusal("session.missing");
  }
}

function accessOf({ sid, sub }: JWTPayload, isOld: boolean): Access {
  if (typeof sid !== "string" || !uuid.test(sid) || typeof sub !== "string") throw new Refusal("session.missing");
  return { session: sid, user: sub, isOld };
}
