import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { SignJWT } from "jose";
import type { JWTPayload } from "jose";
import { Refusal } from "../../contract/problems.ts";
import type { SecretBox } from "../secrets/secrets.ts";

const accessSeconds = 15 * 60;
/** Lifetime of a session; the specification's cookie lifetime. */
export const sessionSeconds = 2 * 24 * 60 * 60;
/** Within these seconds two tabs can use one refresh token and get the same successor. */
export const overlapSeconds = 10;

const audience = "countinghouse";
const protectedHeader = { alg: "HS256", typ: "at+jwt" };
/** As every token begins. */
const header = Buffer.from(JSON.stringify(protectedHeader)).toString("base64url");
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
    .setProtectedHeader(protectedHeader)
    .setSubject(user)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(`${accessSeconds}s`)
    .sign(secrets.derive("access tokens"));
}

/** The content of an access token. */
interface Access {
  readonly session: string;
  readonly user: string;
  /** Its 15 minutes have passed. */
  readonly isOld: boolean;
}

/**
 * The session of a bearer token. Refuses with session.missing any token we did not sign. By node:crypto and not by the library that signs,
 * which imports the key again for each request and verifies in another thread.
 */
export function verifyAccess(secrets: SecretBox, authorization: string | undefined): Access {
  const [, head, body, signature] = /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(authorization ?? "") ?? [];
  // our header is always the same text, so no other algorithm or type can be asked for
  if (!body || !signature || head !== header) throw new Refusal("session.missing");
  const given = Buffer.from(signature);
  // also by the keys before the newest, so that a key rotation ends no session
  const isOurs = secrets
    .derivations("access tokens")
    .some((key) => sameBytes(Buffer.from(createHmac("sha256", key).update(`${head}.${body}`).digest("base64url")), given));
  if (!isOurs) throw new Refusal("session.missing");
  const now = Math.floor(Date.now() / 1_000);
  const { sid, sub, aud, exp, nbf = now } = JSON.parse(Buffer.from(body, "base64url").toString("utf8")) as JWTPayload; // signed by us
  if (aud !== audience || typeof exp !== "number" || !(nbf <= now)) throw new Refusal("session.missing");
  if (typeof sid !== "string" || !uuid.test(sid) || typeof sub !== "string") throw new Refusal("session.missing");
  return { session: sid, user: sub, isOld: exp <= now };
}
