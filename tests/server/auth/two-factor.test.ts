import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sha256 } from "../../../src/server/auth/tokens.ts";
import { renewCodes, spendCode, spendRecoveryCode } from "../../../src/server/auth/two-factor.ts";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { makePerson, makeTenant, setSettings } from "../../support/factories.ts";
import type { Tenant } from "../../support/factories.ts";
import { ask, refusalOf, serve, sessionOf, setPassword } from "../../support/http.ts";
import type { Answered, Served } from "../../support/http.ts";
import { beginTwoFactor, codeOf, enableTwoFactor, putChallenge } from "../../support/sign-in.ts";

const db = testDatabase();
const password = "correct horse battery staple";
const rounds = long({ share: 20, whole: 100 });
let served: Served;
let tenant: Tenant;
let user: string;
let token: string;

beforeAll(async () => {
  served = await serve(db);
  tenant = await makeTenant(db);
});
afterAll(() => served.app.close());
afterEach(() => vi.useRealTimers());
beforeEach(async () => {
  await setSettings(db, tenant, { require_two_factor: false });
  user = (await makePerson(db, tenant)).id;
  token = (await sessionOf(served.deps, user)).access_token;
  await db.owner.query("delete from throttles");
});

const asked = (more: object = {}) => ({ token, tenant: tenant.id, ...more });
const enter = (challenge: string, body: object) => ask(served, "signInTwoFactor", { body: { challenge, ...body } });
const fieldOf = (answer: Answered, field: string): unknown => (answer.data as Record<string, unknown>)[field]; // the contract's shape
const sessions = async () => (await db.owner.query("select from sessions where user_id = $1", [user])).rowCount ?? 0;
/** No time passes for the code between making it and trying it: a step may end in between. */
const wrong = (secret: string) =>
  ["000000", "111111", "222222", "333333"].find((code) => ![-2, -1, 0, 1, 2].some((n) => codeOf(secret, n) === code)) ?? "";
const times = <T>(count: number, one: (n: number) => T) => Array.from({ length: count }, (_, n) => one(n));

describe("signing in with two-factor on", () => {
  test("the password alone gives a challenge and no token, no session and no cookie; the code gives them", async () => {
    const email = await setPassword(db, user, password);
    const secret = await enableTwoFactor(db, served.deps, user);
    const before = await sessions();
    const first = await ask(served, "login", { body: { email, password }, headers: { origin: "http://127.0.0.1" } });
    expect(first.status).toBe(200);
    expect(Object.keys(first.data as object)).toEqual(["challenge", "expires_at"]);
    expect([first.cookies, await sessions()]).toEqual([[], before]);
    const challenge = String(fieldOf(first, "challenge"));
    const second = await ask(served, "signInTwoFactor", {
      body: { challenge, code: codeOf(secret) },
      headers: { origin: "http://127.0.0.1" },
    });
    expect(Object.keys(second.data as object)).toEqual(["access_token", "refresh_token"]);
    expect(second.cookies, "bound to the browser").toHaveLength(1);
    expect(await sessions()).toBe(before + 1);
    expect(refusalOf(await enter(challenge, { code: codeOf(secret, 1) })), "a challenge is good once").toBe("challenge.over");
  });

  test("a challenge is over after five minutes, for a suspended user, and when there is none", async () => {
    const secret = await enableTwoFactor(db, served.deps, user);
    const code = () => ({ code: codeOf(secret) });
    expect(refusalOf(await enter("none", code()))).toBe("challenge.over");
    const old = await putChallenge(db, user);
    await db.owner.query("update sign_in_challenges set expires_at = now() where user_id = $1", [user]);
    expect(refusalOf(await enter(old, code()))).toBe("challenge.over");
    const challenge = await putChallenge(db, user);
    await db.owner.query("update users set status = 'suspended' where id = $1", [user]);
    expect(refusalOf(await enter(challenge, code()))).toBe("challenge.over");
    await db.owner.query("update users set status = 'active' where id = $1", [user]);
    expect((await enter(challenge, code())).status, "no code was spent on the way").toBe(200);
  });

  test(`64 submits of one code at once open exactly one session, ${rounds} times`, async () => {
    const secret = await enableTwoFactor(db, served.deps, user);
    for (let round = 0; round < rounds; round++) {
      await db.owner.query("delete from two_factor_steps");
      await db.owner.query("delete from throttles");
      const before = await sessions();
      const challenges = times(round % 2 ? 1 : 64, () => randomUUID());
      await db.owner.query(
        "insert into sign_in_challenges (hash, user_id, expires_at) select hash, $2, now() + interval '5 minutes' from unnest($1::bytea[]) hash",
        [challenges.map(sha256), user],
      );
      const code = codeOf(secret);
      const answers = await Promise.all(times(64, (n) => enter(challenges[n % challenges.length] ?? "", { code })));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await sessions()).toBe(before + 1);
    }
  }, 120_000);

  test(`64 tries at one code at once take its step once, whatever the throttle would let through, ${rounds} times`, async () => {
    const secret = await enableTwoFactor(db, served.deps, user);
    for (let round = 0; round < rounds; round++) {
      await db.owner.query("delete from two_factor_steps");
      const code = codeOf(secret);
      expect((await Promise.all(times(64, () => spendCode(served.deps, user, code)))).filter(Boolean)).toHaveLength(1);
    }
  }, 120_000);

  test("a step is taken once, at most one from now, and never an earlier one again", async () => {
    // the middle of a step: none ends meanwhile
    vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 });
    const secret = await enableTwoFactor(db, served.deps, user);
    const spend = (steps: number) => spendCode(served.deps, user, codeOf(secret, steps));
    for (const far of [-2, 2]) expect(await spend(far), `${far} steps away`).toBe(false);
    expect(await spend(-1), "the one before, just over").toBe(true);
    expect(await spend(-1)).toBe(false);
    expect(await spend(1), "the next, by a clock that is fast").toBe(true);
    expect(await spend(1)).toBe(false);
    expect(await spend(0), "older than one taken").toBe(false);
    expect(await spend(-1)).toBe(false);
  });

  test("another user's code, and a code of a secret not confirmed, open nothing", async () => {
    await enableTwoFactor(db, served.deps, user);
    const other = await enableTwoFactor(db, served.deps, (await makePerson(db, tenant)).id);
    const pending = await beginTwoFactor(db, served.deps, user);
    for (const secret of [other, pending]) {
      expect(refusalOf(await enter(await putChallenge(db, user), { code: codeOf(secret) }))).toBe("code.refused");
    }
  });

  test("five wrong codes in a quarter of an hour, and the right one does not help, but a recovery code does; successes do not count", async () => {
    const secret = await enableTwoFactor(db, served.deps, user);
    const challenge = await putChallenge(db, user);
    const right = async () => {
      await db.owner.query("delete from two_factor_steps");
      return enter(await putChallenge(db, user), { code: codeOf(secret) });
    };
    for (let n = 0; n < 6; n++) expect((await right()).status).toBe(200);
    const [recovery = ""] = await renewCodes(served.deps.database.open, user);
    for (let n = 0; n < 4; n++) expect(refusalOf(await enter(challenge, { code: wrong(secret) }))).toBe("code.refused");
    for (let n = 0; n < 6; n++) expect(refusalOf(await enter(challenge, { recovery_code: "AAAA-BBBB" }))).toBe("code.refused");
    expect((await right()).status, "wrong recovery codes close no other").toBe(200);
    expect(refusalOf(await enter(challenge, { code: wrong(secret) }))).toBe("code.refused");
    expect(refusalOf(await right())).toBe("login.throttled");
    expect((await enter(await putChallenge(db, user), { recovery_code: recovery })).status).toBe(200);
    expect(refusalOf(await ask(served, "stepUp", asked({ body: { code: codeOf(secret) } })))).toBe("login.throttled");
    const other = (await makePerson(db, tenant)).id;
    const theirs = await enableTwoFactor(db, served.deps, other);
    expect((await enter(await putChallenge(db, other), { code: codeOf(theirs) })).status, "another user").toBe(200);
    await db.owner.query("update throttles set resets_at = now() - interval '1 second'");
    expect((await right()).status, "when the quarter is over").toBe(200);
  });
});

/** Sets two-factor up through the routes. */
async function setUp(): Promise<{ secret: string; codes: string[] }> {
  const begun = await ask(served, "beginTwoFactor", asked());
  expect(begun.status, begun.text).toBe(200);
  const secret = String(fieldOf(begun, "secret"));
  const confirmed = await ask(served, "confirmTwoFactor", asked({ body: { code: codeOf(secret) } }));
  expect(confirmed.status, confirmed.text).toBe(200);
  return { secret, codes: fieldOf(confirmed, "recovery_codes") as string[] }; // the contract's shape
}
const standing = async () => {
  const { data } = await ask(served, "readProfile", asked());
  return (data as { user: { two_factor: unknown } }).user.two_factor; // likewise
};

describe("setting it up", () => {
  test("a secret for the authenticator, good for ten minutes, is on with its first code, which is spent by that", async () => {
    const email = await setPassword(db, user, password);
    expect(await standing()).toEqual({ enabled: false, required: false, recovery_left: 0 });
    const begun = await ask(served, "beginTwoFactor", asked());
    const secret = String(fieldOf(begun, "secret"));
    const uri = new URL(String(fieldOf(begun, "uri")));
    expect([uri.protocol, uri.host, uri.searchParams.get("secret"), uri.searchParams.get("issuer")]).toEqual([
      "otpauth:",
      "totp",
      secret,
      "Countinghouse",
    ]);
    expect(decodeURIComponent(uri.pathname)).toContain(email);
    const left = Date.parse(String(fieldOf(begun, "expires_at"))) - Date.now();
    expect(left).toBeGreaterThan(9 * 60_000);
    expect(left).toBeLessThanOrEqual(10 * 60_000 + 2_000);
    expect((await standing()) as object, "not yet").toMatchObject({ enabled: false });
    expect(refusalOf(await ask(served, "confirmTwoFactor", asked({ body: { code: wrong(secret) } })))).toBe("code.refused");
    const code = codeOf(secret);
    const confirmed = await ask(served, "confirmTwoFactor", asked({ body: { code } }));
    const codes = fieldOf(confirmed, "recovery_codes") as string[]; // the contract's shape
    const { rows } = await db.owner.query("select act from audit_entries where tenant_id = $1 and entity_id = $2 order by id", [
      tenant.id,
      user,
    ]);
    expect(rows, "on record").toEqual([{ act: "two-factor.begin" }, { act: "two-factor.enable" }]);
    expect([codes.length, new Set(codes).size]).toEqual([10, 10]);
    for (const one of codes) expect(one).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
    expect(await standing()).toEqual({ enabled: true, required: false, recovery_left: 10 });
    expect(await spendCode(served.deps, user, code), "the code is spent").toBe(false);
    expect(refusalOf(await ask(served, "confirmTwoFactor", asked({ body: { code } })))).toBe("two-factor.not-begun");
  });

  test("nothing of it is in a table as it is, nor under an idempotency key", async () => {
    const { secret, codes } = await setUp();
    const { rows: tables } = await db.owner.query<{ name: string }>(
      "select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    for (const { name } of tables) {
      const { rows } = await db.owner.query<{ all: string }>(`select coalesce(string_agg(t::text, ' '), '') as all from ${name} t`);
      for (const hidden of [secret, ...codes]) expect(rows[0]?.all.includes(hidden), name).toBe(false);
      const bytes = Buffer.from(secret).toString("hex");
      expect(rows[0]?.all.includes(bytes), `${name}, as bytes`).toBe(false);
    }
  });

  test("a set-up left lying for ten minutes is over, and leaves what was on as it was", async () => {
    const { secret } = await setUp();
    const begun = await ask(served, "beginTwoFactor", asked());
    await db.owner.query("update two_factor set pending_until = now() where user_id = $1", [user]);
    const late = await ask(served, "confirmTwoFactor", asked({ body: { code: codeOf(String(fieldOf(begun, "secret"))) } }));
    expect(refusalOf(late)).toBe("two-factor.not-begun");
    await db.owner.query("delete from two_factor_steps");
    expect(await spendCode(served.deps, user, codeOf(secret))).toBe(true);
  });

  test("codes sent to a set-up that is over try nothing, and do not count as failures", async () => {
    for (let n = 0; n < 6; n++)
      expect(refusalOf(await ask(served, "confirmTwoFactor", asked({ body: { code: "123456" } })))).toBe("two-factor.not-begun");
    const begun = await ask(served, "beginTwoFactor", asked());
    const code = codeOf(String(fieldOf(begun, "secret")));
    expect((await ask(served, "confirmTwoFactor", asked({ body: { code } }))).status).toBe(200);
  });

  test("a proof that is repeated, because its answer was lost, is answered as before, though its code is spent", async () => {
    const { secret } = await setUp();
    await db.owner.query("delete from two_factor_steps");
    const prove = () => ask(served, "stepUp", asked({ body: { code: codeOf(secret) }, headers: { "idempotency-key": "prove-once" } }));
    const [first, again] = [await prove(), await prove()];
    expect([first.status, again.status]).toEqual([200, 200]);
  });

  test("of 16 confirmations at once one succeeds, and its recovery codes are the ones that hold", async () => {
    const begun = await ask(served, "beginTwoFactor", asked());
    const body = { code: codeOf(String(fieldOf(begun, "secret"))) };
    const done = (await Promise.all(times(16, () => ask(served, "confirmTwoFactor", asked({ body }))))).filter(
      ({ status }) => status === 200,
    );
    expect(done).toHaveLength(1);
    const codes = done.flatMap((answer) => fieldOf(answer, "recovery_codes") as string[]); // the contract's shape
    expect(await spendRecoveryCode(served.deps, user, codes[0] ?? "")).toBe(true);
  });
});

describe("recovery codes", () => {
  test("each signs in once, of 64 at once one; case and dashes do not matter", async () => {
    const { codes } = await setUp();
    const [first = "", second = ""] = codes;
    const challenges = await Promise.all(times(64, () => putChallenge(db, user)));
    const answers = await Promise.all(challenges.map((challenge) => enter(challenge, { recovery_code: first })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await db.owner.query("delete from throttles");
    expect(refusalOf(await enter(await putChallenge(db, user), { recovery_code: first }))).toBe("code.refused");
    const loose = second.replaceAll("-", " ").toLowerCase();
    expect((await enter(await putChallenge(db, user), { recovery_code: loose })).status).toBe(200);
    expect(await standing()).toMatchObject({ recovery_left: 8 });
    expect(
      await Promise.all(times(64, () => spendRecoveryCode(served.deps, user, codes[2] ?? ""))).then((all) => all.filter(Boolean).length),
    ).toBe(1);
  });

  test("new ones ask for password or code, and void the old ones", async () => {
    await setPassword(db, user, password);
    const { codes } = await setUp();
    const renew = (body: object) => ask(served, "renewRecoveryCodes", asked({ body }));
    expect(refusalOf(await renew({ password: "wrong" }))).toBe("password.wrong");
    const renewed = fieldOf(await renew({ password }), "recovery_codes") as string[]; // the contract's shape
    expect(renewed).toHaveLength(10);
    expect(refusalOf(await enter(await putChallenge(db, user), { recovery_code: codes[0] ?? "" }))).toBe("code.refused");
    expect((await enter(await putChallenge(db, user), { recovery_code: renewed[0] ?? "" })).status).toBe(200);
  });

  test("another user's open nothing", async () => {
    const { codes } = await setUp();
    const other = (await makePerson(db, tenant)).id;
    await enableTwoFactor(db, served.deps, other);
    expect(refusalOf(await enter(await putChallenge(db, other), { recovery_code: codes[0] ?? "" }))).toBe("code.refused");
  });
});

describe("turning it off", () => {
  const disable = (body: object) => ask(served, "disableTwoFactor", asked({ body }));

  test("asks for password or code, and leaves nothing behind", async () => {
    await setPassword(db, user, password);
    expect(refusalOf(await disable({ password }))).toBe("two-factor.off");
    const { codes } = await setUp();
    expect(refusalOf(await disable({ password: "wrong" }))).toBe("password.wrong");
    expect((await disable({ password })).status).toBe(200);
    expect(await standing()).toEqual({ enabled: false, required: false, recovery_left: 0 });
    expect(await spendRecoveryCode(served.deps, user, codes[0] ?? "")).toBe(false);
  });

  test("is refused where the tenant requires it", async () => {
    await setPassword(db, user, password);
    await setUp();
    await setSettings(db, tenant, { require_two_factor: true });
    expect(refusalOf(await disable({ password }))).toBe("two-factor.required");
    expect(await standing()).toEqual({ enabled: true, required: true, recovery_left: 10 });
  });
});

test("an administrator's reset turns it off, ends the person's sessions, and is on record", async () => {
  await enableTwoFactor(db, served.deps, user);
  const admin = await makePerson(db, tenant);
  await db.owner.query("update memberships set permissions = '{cas.user.users.reset-two-factor}' where user_id = $1", [admin.id]);
  const reset = async (uuid: string) =>
    ask(served, "resetUserTwoFactor", {
      token: (await sessionOf(served.deps, admin.id)).access_token,
      tenant: tenant.id,
      params: { uuid },
    });
  expect((await reset(user)).status).toBe(200);
  expect(refusalOf(await ask(served, "readProfile", asked()))).toBe("session.ended");
  expect(refusalOf(await reset(user))).toBe("two-factor.off");
  const stranger = (await makePerson(db, await makeTenant(db))).id;
  await enableTwoFactor(db, served.deps, stranger);
  expect(refusalOf(await reset(stranger)), "of another tenant").toBe("not-found");
  const { rows } = await db.owner.query("select act, actor_id from audit_entries where entity_id = $1", [user]);
  expect(rows).toEqual([{ act: "two-factor.reset", actor_id: admin.id }]);
});

describe("an administrator's reset is refused, and changes nothing,", () => {
  const admin = async () => {
    const { id } = await makePerson(db, tenant);
    await db.owner.query("update memberships set permissions = '{cas.user.users.reset-two-factor}' where user_id = $1", [id]);
    return id;
  };
  const own = (id: string) =>
    db.owner.query(
      "insert into membership_groups (tenant_id, user_id, group_id) select tenant_id, $2, id from user_groups where tenant_id = $1 and code = 'owner'",
      [tenant.id, id],
    );
  const reset = async (by: string, uuid: string) =>
    ask(served, "resetUserTwoFactor", { token: (await sessionOf(served.deps, by)).access_token, tenant: tenant.id, params: { uuid } });
  const isOn = async (id: string) =>
    (await db.owner.query("select from two_factor where user_id = $1 and secret is not null", [id])).rowCount === 1;

  test("for a person who is active in another tenant, too; not for one who was", async () => {
    await enableTwoFactor(db, served.deps, user);
    const elsewhere = await makeTenant(db);
    await db.owner.query("insert into memberships (tenant_id, user_id) values ($1, $2)", [elsewhere.id, user]);
    expect(refusalOf(await reset(await admin(), user))).toBe("user.elsewhere");
    expect([await isOn(user), (await ask(served, "readProfile", asked())).status]).toEqual([true, 200]);
    await db.owner.query("update memberships set status = 'inactive' where tenant_id = $1 and user_id = $2", [elsewhere.id, user]);
    expect((await reset(await admin(), user)).status).toBe(200);
  });

  test("for an owner, unless by an owner", async () => {
    await enableTwoFactor(db, served.deps, user);
    await own(user);
    const by = await admin();
    expect(refusalOf(await reset(by, user))).toBe("user.owner");
    expect(await isOn(user)).toBe(true);
    await own(by);
    expect((await reset(by, user)).status).toBe(200);
  });

  test("for oneself: that is done by proof of who one is", async () => {
    const by = await admin();
    await enableTwoFactor(db, served.deps, by);
    for (const uuid of [by, by.toUpperCase()]) expect(refusalOf(await reset(by, uuid))).toBe("user.oneself");
    expect(await isOn(by)).toBe(true);
  });
});
