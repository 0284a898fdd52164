import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sha256 } from "../../../src/server/auth/tokens.ts";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { makePerson, makeTenant } from "../../support/factories.ts";
import type { Tenant } from "../../support/factories.ts";
import { ask, refusalOf, serve, sessionOf, setPassword } from "../../support/http.ts";
import type { Answered, Served, Session } from "../../support/http.ts";

const rotations = long({ share: 200, whole: 10_000 });
const db = testDatabase({ patient: true });
let served: Served;
let tenant: Tenant;
let user: string;

beforeAll(async () => {
  served = await serve(db, { listen: true });
  tenant = await makeTenant(db);
});
afterAll(() => served.app.close());
beforeEach(async () => {
  user = (await makePerson(db, tenant)).id;
});

const refresh = (refresh_token: string, cookie?: string) => ask(served, "refreshToken", { body: { refresh_token }, cookie });
const profile = (token: string, cookie?: string) => ask(served, "readProfile", { token, tenant: tenant.id, cookie });
const tokens = ({ status, data, text }: Answered): Session => {
  expect(status, text).toBe(200);
  return data as Session; // the contract's shape; the cookie stays what it was
};
/** Lets the overlap of every token used so far be over. */
const later = () => db.owner.query("update refresh_tokens set used_at = used_at - interval '11 seconds'");
const alive = async () =>
  (await db.owner.query<{ ended_why: string | null }>("select ended_why from sessions where user_id = $1", [user])).rows.map(
    (row) => row.ended_why,
  );

test("a refresh token is exchanged for a new pair, and the session goes on", async () => {
  const first = await sessionOf(served.deps, user);
  const second = tokens(await refresh(first.refresh_token));
  expect(Object.keys(second).toSorted()).toEqual(["access_token", "refresh_token"]);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  const third = tokens(await refresh(second.refresh_token));
  for (const { access_token } of [first, second, third]) expect((await profile(access_token)).status).toBe(200);
  expect(await alive()).toEqual([null]);
});

test("an old token used again after the overlap ends the whole family at once", async () => {
  const first = await sessionOf(served.deps, user);
  const second = tokens(await refresh(first.refresh_token));
  const third = tokens(await refresh(second.refresh_token));
  const elsewhere = await sessionOf(served.deps, user);
  await later();
  const warned = vi.spyOn(served.deps.log, "warn");
  expect(refusalOf(await refresh(first.refresh_token))).toBe("refresh.refused");
  expect(warned).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ user }), expect.stringMatching(/used twice/));
  warned.mockRestore();
  for (const { access_token } of [first, second, third]) expect(refusalOf(await profile(access_token))).toBe("session.ended");
  for (const { refresh_token } of [first, second, third]) expect(refusalOf(await refresh(refresh_token))).toBe("refresh.refused");
  expect((await profile(elsewhere.access_token)).status, "the user's other sign-in is another family").toBe(200);
  expect(new Set(await alive())).toEqual(new Set(["token-reused", null]));
  const audit = await db.owner.query("select act, actor_kind, ip from audit_entries where tenant_id = $1 and entity_id = $2", [
    tenant.id,
    user,
  ]);
  expect(audit.rows, "on record, once").toEqual([{ act: "session.token-reused", actor_kind: "system", ip: "127.0.0.1" }]);
});

test("two tabs that refresh at once within the overlap both go on, with one successor", async () => {
  const first = await sessionOf(served.deps, user);
  const both = (await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)])).map(tokens);
  expect(new Set(both.map(({ refresh_token }) => refresh_token)).size).toBe(1);
  for (const { access_token } of both) expect((await profile(access_token)).status).toBe(200);
  expect((await refresh(both[1]?.refresh_token ?? "")).status).toBe(200);
  expect(await alive()).toEqual([null]);
});

test("fifty refreshes at once are one rotation, over two server processes", async () => {
  const sibling = await serve(db);
  try {
    const { refresh_token } = await sessionOf(served.deps, user);
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, n) => ask(n % 2 ? served : sibling, "refreshToken", { body: { refresh_token } })),
    );
    expect(new Set(all.map((answer) => tokens(answer).refresh_token)).size).toBe(1);
    const { rowCount } = await db.owner.query("select from refresh_tokens r join sessions s on s.id = r.session_id where s.user_id = $1", [
      user,
    ]);
    expect(rowCount).toBe(2);
  } finally {
    await sibling.app.close();
  }
});

test(`${rotations} rotations, most raced by two or three tabs, lock nobody out`, async () => {
  let { refresh_token } = await sessionOf(served.deps, user);
  for (let n = 0; n < rotations; n++) {
    const used = refresh_token;
    const tabs = Array.from({ length: 1 + (n % 3) }, () => refresh(used));
    const next = (await Promise.all(tabs)).map((answer) => tokens(answer).refresh_token);
    // the slowest tab comes while the fastest already goes on
    if (n % 5 === 0) next.push(tokens(await refresh(used)).refresh_token);
    expect(new Set(next).size).toBe(1);
    refresh_token = next[0] ?? "";
    await db.owner.query("update refresh_tokens set used_at = used_at - interval '11 seconds' where hash = $1", [sha256(used)]);
  }
  expect(await alive()).toEqual([null]);
  expect(tokens(await refresh(refresh_token)).access_token).toMatch(/^ey/);
}, 1_800_000);

test("refreshing does not prolong a session beyond its two days", async () => {
  const first = await sessionOf(served.deps, user);
  const { rows } = await db.owner.query<{ hours: number }>(
    "select extract(epoch from expires_at - started_at)::float8 / 3600 as hours from sessions where user_id = $1",
    [user],
  );
  expect(rows[0]?.hours).toBe(48);
  const second = tokens(await refresh(first.refresh_token));
  await db.owner.query("update sessions set expires_at = now() - interval '1 second' where user_id = $1", [user]);
  expect(refusalOf(await refresh(second.refresh_token))).toBe("refresh.refused");
  expect(refusalOf(await profile(second.access_token))).toBe("session.ended");
});

test("anything that is no refresh token of a live session gets the same refusal", async () => {
  const session = await sessionOf(served.deps, user);
  const refused = [await refresh("x"), await refresh(session.access_token.slice(0, 200)), await refresh(`${session.refresh_token}x`)];
  await db.owner.query("update users set status = 'suspended' where id = $1", [user]);
  refused.push(await refresh(session.refresh_token));
  for (const answer of refused) {
    expect(refusalOf(answer)).toBe("refresh.refused");
    expect(answer.text).toBe(refused[0]?.text);
  }
  await db.owner.query("update users set status = 'active' where id = $1", [user]);
  expect((await refresh(session.refresh_token)).status).toBe(200);
});

describe("a browser's session", () => {
  test("is bound by a cookie script cannot read and other sites cannot send", async () => {
    const body = { email: await setPassword(db, user, "pass"), password: "pass" };
    for (const [header, value] of [
      ["origin", served.url],
      ["sec-fetch-site", "same-origin"],
    ] as const) {
      const answer = await ask(served, "login", { body, headers: { [header]: value } });
      expect(answer.cookies).toHaveLength(1);
      const [set = ""] = answer.cookies;
      expect(set).toMatch(/^binding=[\w-]{43}; Max-Age=172800; Path=\/; HttpOnly; SameSite=Strict$/);
      expect(answer.text).not.toContain(/=([\w-]+)/.exec(set)?.[1]);
    }
    expect((await ask(served, "login", { body })).cookies, "no browser, no cookie").toEqual([]);
  });

  test("is not renewed without its cookie, and a thief without it cannot end it", async () => {
    const first = await sessionOf(served.deps, user, { browser: true });
    const other = await sessionOf(served.deps, user, { browser: true });
    const cookie = first.cookie ?? "";
    for (const wrong of [undefined, "x", other.cookie ?? "", `${cookie}x`])
      expect(refusalOf(await refresh(first.refresh_token, wrong))).toBe("refresh.refused");
    const second = tokens(await refresh(first.refresh_token, cookie));
    await later();
    expect(refusalOf(await refresh(first.refresh_token))).toBe("refresh.refused");
    expect((await profile(second.access_token, cookie)).status).toBe(200);
    expect(refusalOf(await profile(second.access_token))).toBe("session.unbound");
  });
});
