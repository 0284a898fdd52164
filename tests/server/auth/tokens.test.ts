import { SignJWT, UnsecuredJWT } from "jose";
import { createHmac, createSecretKey, generateKeyPairSync, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { secretBox } from "../../../src/server/secrets/secrets.ts";
import { isSigned } from "../../../src/contract/route.ts";
import { testDatabase } from "../../support/database.ts";
import { makePerson, makeTenant } from "../../support/factories.ts";
import type { Tenant } from "../../support/factories.ts";
import { ask, refusalOf, routeNames, routeOf, serve, sessionOf } from "../../support/http.ts";
import type { Asked, Served, Session } from "../../support/http.ts";

const db = testDatabase({ invariants: 100 });
let served: Served;
let tenant: Tenant;
let user: string;
let session: Session;

const staff = routeNames.filter((name) => !isSigned(routeOf(name)) && routeOf(name).permission !== "public");

beforeAll(async () => {
  served = await serve(db, { listen: true });
  tenant = await makeTenant(db);
  const { rows } = await db.owner.query<{ user_id: string }>("select user_id from membership_groups where tenant_id = $1", [tenant.id]);
  user = rows[0]?.user_id ?? "";
  session = await sessionOf(served.deps, user);
});
afterAll(() => served.app.close());

const asked = (more: Asked): Asked => ({
  params: { uuid: randomUUID() },
  tenant: tenant.id,
  currency: "MYR",
  ...more,
});

describe.each(staff)("%s", (name) => {
  test("answers 401 to a browser's token without the cookie it is bound to", async () => {
    const bound = await sessionOf(served.deps, user, { browser: true });
    const other = await sessionOf(served.deps, user, { browser: true });
    expect(bound.cookie).toMatch(/^[\w-]{43}$/);
    for (const cookie of [undefined, "x", other.cookie ?? ""]) {
      expect(
        refusalOf(await ask(served, name, asked({ token: bound.access_token, cookie, ...(routeOf(name).body && { body: {} }) }))),
      ).toBe("session.unbound");
    }
    const answer = await ask(served, name, asked({ token: bound.access_token, cookie: bound.cookie ?? "" }));
    expect(answer.status, "with it, the caller is known").not.toBe(401);
  });
});

/** A session that no call is let in by, so that all can share it; made after the calls above, one of which ends the user's others. */
let unbound: { readonly token: string; readonly tenants: readonly (string | undefined)[] } | undefined;
test.each(staff)(
  "%s answers 401 to a token without its cookie whatever tenant is named: one's own, none, no uuid, a foreign one",
  async (name) => {
    unbound ??= {
      token: (await sessionOf(served.deps, user, { browser: true })).access_token,
      tenants: [tenant.id, undefined, "x", (await makeTenant(db)).id],
    };
    const { token, tenants } = unbound;
    for (const of of tenants) {
      expect(refusalOf(await ask(served, name, asked({ token, tenant: of, ...(routeOf(name).body && { body: {} }) })))).toBe(
        "session.unbound",
      );
    }
  },
);

describe("a token that is not ours, or no more", () => {
  // the routes above were all called, and one ends the user's other sessions
  beforeAll(async () => {
    session = await sessionOf(served.deps, user);
  });

  const soon = () => Math.floor(Date.now() / 1000) + 600;
  const key = () => served.deps.secrets.derive("access tokens");
  const claims = () => {
    const [, payload = ""] = session.access_token.split(".");
    return JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>; // a token we issued
  };
  const signed = (payload: Record<string, unknown>, header: { alg: string; typ?: string } = { alg: "HS256", typ: "at+jwt" }, by = key()) =>
    new SignJWT(payload).setProtectedHeader(header).sign(createSecretKey(by));
  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const handmade = (header: object, payload: object, by: Buffer | string = key()) => {
    const body = `${base64(header)}.${base64(payload)}`;
    return `${body}.${createHmac("sha256", by).update(body).digest("base64url")}`;
  };
  const parts = () => session.access_token.split(".") as [string, string, string]; // a JWT has three
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });

  const forms: Record<string, () => Promise<string> | string> = {
    "no signature algorithm": () => new UnsecuredJWT(claims()).encode(),
    "algorithm none with our signature": () => `${base64({ alg: "none", typ: "at+jwt" })}.${parts()[1]}.${parts()[2]}`,
    "an empty signature": () => `${parts()[0]}.${parts()[1]}.`,
    "another key": () => signed(claims(), undefined, Buffer.alloc(32, 1)),
    "another installation's key": () => signed(claims(), undefined, secretBox(Buffer.alloc(32, 8)).derive("access tokens")),
    "our key for another purpose": () => signed(claims(), undefined, served.deps.secrets.derive("refresh tokens")),
    "an empty key": () => handmade({ alg: "HS256", typ: "at+jwt" }, claims(), ""),
    "another algorithm of the same key": () => signed(claims(), { alg: "HS512", typ: "at+jwt" }),
    "a key pair's signature": () => new SignJWT(claims()).setProtectedHeader({ alg: "RS256", typ: "at+jwt" }).sign(rsa.privateKey),
    "a public key taken for a secret": () =>
      handmade({ alg: "HS256", typ: "at+jwt" }, claims(), rsa.publicKey.export({ type: "spki", format: "pem" })),
    "a key of its own in the header": () =>
      handmade({ alg: "HS256", typ: "at+jwt", jwk: { kty: "oct", k: base64("x") }, kid: "../../dev/null" }, claims(), "x"),
    "another type": () => signed(claims(), { alg: "HS256", typ: "JWT" }),
    "no type": () => signed(claims(), { alg: "HS256" }),
    "another audience": () => signed({ ...claims(), aud: "another" }),
    "no audience": () => signed({ ...claims(), aud: undefined }),
    "its time over": () => signed({ ...claims(), exp: Math.floor(Date.now() / 1000) - 1 }),
    "its time not yet come": () => signed({ ...claims(), nbf: soon() }),
    "no session": () => signed({ ...claims(), sid: undefined }),
    "a session that is none": () => signed({ ...claims(), sid: randomUUID() }),
    "no user": () => signed({ ...claims(), sub: undefined }),
    "another user's name, resigned with nothing": () => `${parts()[0]}.${base64({ ...claims(), sub: randomUUID() })}.${parts()[2]}`,
    "a later end written in": () => `${parts()[0]}.${base64({ ...claims(), exp: soon() * 2 })}.${parts()[2]}`,
    "a signature cut short": () => session.access_token.slice(0, -2),
    "a refresh token": () => session.refresh_token,
    "two tokens": () => `${session.access_token} ${session.access_token}`,
    "four parts": () => `${session.access_token}.x`,
    "no token at all": () => "null",
    "algorithm None, as some libraries spell it": () => `${base64({ alg: "None", typ: "at+jwt" })}.${parts()[1]}.`,
    "no algorithm": () => `${base64({ typ: "at+jwt" })}.${parts()[1]}.${parts()[2]}`,
    "another algorithm named over our signature": () => `${base64({ alg: "HS512", typ: "at+jwt" })}.${parts()[1]}.${parts()[2]}`,
    "a critical extension": () => handmade({ alg: "HS256", typ: "at+jwt", crit: ["x"], x: 1 }, claims()),
    "a key's address in the header": () => handmade({ alg: "HS256", typ: "at+jwt", jku: "http://127.0.0.1/keys" }, claims(), "x"),
    "our key as text": () => handmade({ alg: "HS256", typ: "at+jwt" }, claims(), key().toString("base64")),
    "a payload that is no object": () => handmade({ alg: "HS256", typ: "at+jwt" }, ["sid"]),
    "a session that is a list": () => signed({ ...claims(), sid: [claims()["sid"]] }),
    "a session that is SQL": () => signed({ ...claims(), sid: "' or true --" }),
    "an end that is a text": () => handmade({ alg: "HS256", typ: "at+jwt" }, { ...claims(), exp: "9999999999" }),
    "no end, with a session that is none": () => signed({ ...claims(), exp: undefined, sid: randomUUID() }),
    "an unbound copy of a bound one, signed by nobody": () =>
      `${parts()[0]}.${base64({ ...claims(), bnd: undefined, sid: randomUUID() })}.${parts()[2]}`,
    "another token's signature": async () =>
      `${parts()[0]}.${parts()[1]}.${(await sessionOf(served.deps, user)).access_token.split(".")[2]}`,
  };

  test("forty forms are tried", () => {
    expect(Object.keys(forms).length).toBeGreaterThanOrEqual(40);
  });

  test.each(Object.keys(forms))("%s: answers 401 on every route that needs sign-in", async (form) => {
    const token = await forms[form]?.();
    for (const name of staff)
      expect(["session.missing", "session.expired", "session.ended"]).toContain(refusalOf(await ask(served, name, asked({ token }))));
  });

  test("the whole token is taken, from the Authorization header alone", async () => {
    const { access_token: token } = session;
    expect((await ask(served, "readProfile", asked({ token }))).status).toBe(200);
    const elsewhere: Asked[] = [
      { headers: { authorization: token } },
      { headers: { authorization: `Basic ${token}` } },
      { headers: { authorization: `Bearer  ${token}` } },
      { headers: { authorization: "Bearer" } },
      { headers: { cookie: `access_token=${token}` } },
      { headers: { "x-access-token": token } },
      { rawQuery: `access_token=${token}` },
    ];
    for (const more of elsewhere) expect(refusalOf(await ask(served, "readProfile", asked(more)))).toBe("session.missing");
  });

  test("a token of one user's session never speaks for another user", async () => {
    const other = await makePerson(db, tenant);
    const token = await signed({ ...claims(), sub: other.id });
    expect(refusalOf(await ask(served, "readProfile", asked({ token })))).toBe("tenant.invalid");
  });

  test("an access token lives 15 minutes", () => {
    const { iat, exp } = claims();
    expect(Number(exp) - Number(iat)).toBe(900);
  });
});
