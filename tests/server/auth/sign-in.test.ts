import { hash, verify } from "@node-rs/argon2";
import type * as Argon2 from "@node-rs/argon2";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { delayAfter, slowedGuesses } from "../../../src/server/auth/guesses.ts";
import { passwordGate } from "../../../src/server/auth/passwords.ts";
import { testDatabase } from "../../support/database.ts";
import { makePerson, makeTenant } from "../../support/factories.ts";
import type { Tenant } from "../../support/factories.ts";
import { ask, refusalOf, faultsOf, serve, sessionOf, setPassword } from "../../support/http.ts";
import type { Served } from "../../support/http.ts";
import { codeOf, enableTwoFactor } from "../../support/sign-in.ts";

// the library runs as it is; its calls are counted, since time proves nothing on a busy machine
vi.mock("@node-rs/argon2", async (load) => {
  const real = await load<typeof Argon2>();
  return { ...real, hash: vi.fn<typeof real.hash>(real.hash), verify: vi.fn<typeof real.verify>(real.verify) };
});

const db = testDatabase();
const password = "correct horse battery staple";
let served: Served;
let tenant: Tenant;
let user: string;
let email: string;

beforeAll(async () => {
  served = await serve(db, { listen: true });
  tenant = await makeTenant(db, { currencies: ["THB"] });
});
afterAll(() => served.app.close());
beforeEach(async () => {
  user = (await makePerson(db, tenant)).id;
  email = await setPassword(db, user, password);
  await db.owner.query("delete from throttles");
});

const login = (body: unknown, more: Parameters<typeof ask>[2] = {}) => ask(served, "login", { body, ...more });

test("signing in answers access_token and refresh_token and nothing else", async () => {
  const answer = await login({ email, password });
  expect(answer.status).toBe(200);
  expect(faultsOf(answer)).toEqual([]);
  expect(JSON.parse(answer.text)).toEqual({ data: { access_token: expect.any(String), refresh_token: expect.any(String) } });
});

test("the e-mail is taken whatever its case; with a blank around it it is none", async () => {
  expect((await login({ email: email.toUpperCase(), password })).status).toBe(200);
  for (const blank of [` ${email}`, `${email} `, `${email}\t`, email.replace("@", "\t@")]) {
    const answer = await login({ email: blank, password });
    expect([refusalOf(answer), answer.data]).toEqual(["request.invalid", { email: ["Invalid Email"] }]);
  }
});

test("context, profile and config carry the fields of the specification", async () => {
  const { data } = await login({ email, password });
  const { access_token: token } = data as { access_token: string };
  await db.owner.query(
    "update memberships set permissions = '{pas.transaction.deposits.view,pas.transaction.deposits.approve}' where user_id = $1",
    [user],
  );
  const [context, profile, config, counts] = await Promise.all([
    ask(served, "readContext", { token }),
    ask(served, "readProfile", { token, tenant: tenant.id }),
    ask(served, "readConfig", { token, tenant: tenant.id }),
    ask(served, "readNotificationDetails", { token, tenant: tenant.id, currency: "MYR" }),
  ]);
  expect(context.data).toEqual({
    user_groups: [],
    permissions: { "pas.transaction.deposits": expect.toSatisfy((actions: string[]) => actions.toSorted().join() === "approve,view") },
    current_tenant: tenant.id,
    available_tenants: [expect.objectContaining({ id: tenant.id })],
  });
  expect(profile.data).toEqual({
    user: expect.objectContaining({ tenant_id: tenant.id, email, abilities: expect.any(Array), last_login_ip: "127.0.0.1" }),
  });
  expect(profile.text).not.toContain("password_hash");
  const { currencies } = config.data as { currencies: { code: string; country: { timezone: { gmt: string } } }[] };
  expect(currencies.map(({ code, country }) => [code, country.timezone.gmt])).toEqual([
    ["MYR", "+08:00"],
    ["THB", "+08:00"],
  ]);
  expect(counts.data).toMatchObject({ processDepositCount: 0, pendingWithdrawalCount: 0, criticalAccountCount: 0 });
});

test("an owner's context holds every area of the permission list", async () => {
  const { rows } = await db.owner.query<{ user_id: string }>("select user_id from membership_groups where tenant_id = $1", [tenant.id]);
  const owner = rows[0]?.user_id ?? "";
  const { data } = await login({ email: await setPassword(db, owner, password), password });
  const context = await ask(served, "readContext", { token: (data as { access_token: string }).access_token });
  expect(context.data).toMatchObject({
    user_groups: ["owner"],
    permissions: { "gps.provider.games": ["view", "create", "update", "delete", "change-status", "export"] },
  });
});

test("whoever cannot sign in is answered alike, for the same hashing work, whatever the reason", async () => {
  const made = async (change?: string) => {
    const { id } = await makePerson(db, tenant);
    const address = await setPassword(db, id, password);
    if (change) await db.owner.query(change, [id]);
    return address;
  };
  const tries = {
    "wrong password": { email, password: "wrong" },
    "unknown user": { email: "nobody@example.com", password },
    "no password yet": { email: await made("update users set password_hash = null where id = $1"), password },
    "suspended user": { email: await made("update users set status = 'suspended' where id = $1"), password },
    "no tenant left": { email: await made("update memberships set status = 'suspended' where user_id = $1"), password },
  };
  const [hashed, counted] = [vi.mocked(hash), vi.mocked(verify)];
  hashed.mockClear();
  const seen = [];
  for (const [why, body] of Object.entries(tries)) {
    counted.mockClear();
    const answer = await login(body);
    expect(refusalOf(answer)).toBe("login.refused");
    const cost = counted.mock.calls.map(([hash]) => String(hash).split("$").slice(0, 4).join("$"));
    seen.push({ why, answer: [answer.status, answer.text, answer.cookies], cost });
  }
  for (const one of seen) expect(one).toEqual({ why: one.why, answer: seen[0]?.answer, cost: ["$argon2id$v=19$m=19456,t=2,p=1"] });
  expect(hashed.mock.calls, "the stranger's hash was made at the start").toEqual([]);
});

describe("a password changed meanwhile", () => {
  const newer = "another horse altogether";
  const change = async () => {
    const { access_token: token } = await sessionOf(served.deps, user);
    const body = { current_password: password, password: newer, password_confirmation: newer };
    expect((await ask(served, "changePassword", { token, tenant: tenant.id, body })).status).toBe(200);
  };
  const count = async (what: string) => (await db.owner.query(`select from ${what} where user_id = $1`, [user])).rowCount;

  test.each([false, true])("refuses a sign-in that was verified by the old one (two-factor on: %s)", async (twoFactor) => {
    if (twoFactor) await enableTwoFactor(db, served.deps, user);
    const [verified, changed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const real = vi.mocked(verify).getMockImplementation();
    vi.mocked(verify).mockImplementationOnce(async (...given) => {
      const matches = await real?.(...given);
      verified.resolve();
      await changed.promise;
      return matches === true;
    });
    const late = login({ email, password });
    await verified.promise;
    await change();
    changed.resolve();
    expect(refusalOf(await late)).toBe("login.refused");
    expect([await count("sessions"), await count("sign_in_challenges")], "the one that changed it").toEqual([1, 0]);
  });

  test("ends a sign-in that awaits its code", async () => {
    const secret = await enableTwoFactor(db, served.deps, user);
    const { data } = await login({ email, password });
    await change();
    const { challenge } = data as { challenge: string }; // the contract's shape
    expect(refusalOf(await ask(served, "signInTwoFactor", { body: { challenge, code: codeOf(secret) } }))).toBe("challenge.over");
    expect(await count("sessions")).toBe(1);
  });
});

test("signing in and out is on record in each of one's tenants, a proof in the one it was given in", async () => {
  const elsewhere = await makeTenant(db);
  await db.owner.query("insert into memberships (tenant_id, user_id) values ($1, $2)", [elsewhere.id, user]);
  const { access_token: token, refresh_token } = (await login({ email, password })).data as { access_token: string; refresh_token: string };
  expect((await ask(served, "stepUp", { token, tenant: tenant.id, body: { password } })).status).toBe(200);
  expect((await ask(served, "logout", { token, body: { refresh_token } })).status).toBe(200);
  const secret = await enableTwoFactor(db, served.deps, user);
  const { challenge } = (await login({ email, password })).data as { challenge: string };
  expect((await ask(served, "signInTwoFactor", { body: { challenge, code: codeOf(secret) } })).status).toBe(200);
  const actsIn = async ({ id }: Tenant) => {
    const { rows } = await db.owner.query<{ act: string }>(
      "select act from audit_entries where tenant_id = $1 and actor_id = $2 and entity_id = $2 and ip = '127.0.0.1' order by id",
      [id, user],
    );
    return rows.map(({ act }) => act);
  };
  expect(await actsIn(tenant)).toEqual(["session.start", "session.prove", "session.end", "session.start"]);
  expect(await actsIn(elsewhere)).toEqual(["session.start", "session.end", "session.start"]);
});

test("a refused sign-in leaves no session and no cookie", async () => {
  const answer = await login({ email, password: "wrong" }, { headers: { origin: served.url } });
  expect(refusalOf(answer)).toBe("login.refused");
  expect(answer.cookies).toEqual([]);
  expect((await db.owner.query("select from sessions where user_id = $1", [user])).rowCount).toBe(0);
});

test("passwords and tokens are in no table as they are", async () => {
  const { data } = await login({ email, password });
  const tokens = data as { access_token: string; refresh_token: string };
  const { rows } = await db.owner.query<{ text: string }>(
    `select string_agg(t, ' ') as text from (select u::text as t from users u union all select s::text from sessions s
      union all select encode(hash, 'escape') from refresh_tokens) all_rows`,
  );
  for (const secret of [password, tokens.access_token, tokens.refresh_token]) expect(rows[0]?.text).not.toContain(secret);
});

test("the eleventh try at one account within a quarter of an hour is throttled, and the right password does not help", async () => {
  for (let n = 0; n < 10; n++) expect(refusalOf(await login({ email, password: "wrong" }))).toBe("login.refused");
  expect(refusalOf(await login({ email, password }))).toBe("login.throttled");
  expect(refusalOf(await login({ email: email.toUpperCase(), password }))).toBe("login.throttled");
  const other = await makePerson(db, tenant);
  expect((await login({ email: await setPassword(db, other.id, password), password })).status, "another account").toBe(200);
  expect((await login({ email, password }, { ip: "203.0.113.9" })).status, "from another address").toBe(200);
  await db.owner.query("update throttles set resets_at = now() - interval '1 second'");
  expect((await login({ email, password })).status, "when the window is over").toBe(200);
});

test("signing in rightly is not counted, however often, and however many of one user come at once", async () => {
  for (let n = 0; n < 11; n++) expect((await login({ email, password })).status).toBe(200);
  const answers = await Promise.all(Array.from({ length: 30 }, () => login({ email, password })));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect((await db.owner.query("select count from throttles")).rows).toEqual([]);
});

test("of concurrent wrong passwords no more are tried than may fail, apart from one already running", async () => {
  const counted = vi.mocked(verify);
  counted.mockClear();
  const answers = await Promise.all(Array.from({ length: 30 }, () => login({ email, password: "wrong" })));
  expect(new Set(answers.map(refusalOf))).toEqual(new Set(["login.refused", "login.throttled"]));
  expect(counted.mock.calls.length).toBeLessThanOrEqual(11);
});

test("the addresses of one IPv6 network are one, and so are the two ways of writing an IPv4 address", async () => {
  const spread = (n: number) => `2001:db8:7:9:${n.toString(16)}::${n}`;
  for (let n = 0; n < 10; n++) expect(refusalOf(await login({ email, password: "wrong" }, { ip: spread(n) }))).toBe("login.refused");
  expect(refusalOf(await login({ email, password }, { ip: spread(77) }))).toBe("login.throttled");
  expect((await login({ email, password }, { ip: "2001:db8:7:a::1" })).status, "the network beside it").toBe(200);
  await db.owner.query("delete from throttles");
  for (let n = 0; n < 10; n++) {
    const ip = n % 2 ? "203.0.113.8" : "::ffff:203.0.113.8";
    expect(refusalOf(await login({ email, password: "wrong" }, { ip }))).toBe("login.refused");
  }
  expect(refusalOf(await login({ email, password }, { ip: "203.0.113.8" }))).toBe("login.throttled");
});

describe("guesses at one account from ever another address", () => {
  const wrongFrom = (n: number, address = email) => login({ email: address, password: "wrong" }, { ip: `198.51.100.${n}` });
  afterEach(() => vi.useRealTimers());
  /** Until the clock is moved it waits. */
  async function slowed(asked: () => ReturnType<typeof login>): Promise<{ answer: ReturnType<typeof login> }> {
    const before = slowedGuesses();
    const answer = asked();
    while (slowedGuesses() === before) await new Promise((later) => setImmediate(later));
    return { answer };
  }

  test.each([
    ["there is", 200, () => email],
    ["there is not", 401, () => "ghost@example.com"],
  ])("wait before they are tried; the right password gets in after its wait (an account %s)", async (_, status, of) => {
    const address = of();
    const other = await setPassword(db, (await makePerson(db, tenant)).id, password);
    for (let n = 0; n < 10; n++) expect(refusalOf(await wrongFrom(n, address))).toBe("login.refused");
    vi.mocked(verify).mockClear();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const guess = await slowed(() => wrongFrom(20, address));
    expect((await login({ email: other, password }, { ip: "198.51.100.78" })).status, "others sign in meanwhile").toBe(200);
    expect(vi.mocked(verify), "the other's alone").toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(delayAfter(10));
    expect(refusalOf(await guess.answer)).toBe("login.refused");
    const right = await slowed(() => login({ email: address, password }, { ip: "198.51.100.77" }));
    vi.advanceTimersByTime(delayAfter(11));
    expect((await right.answer).status).toBe(status);
  });
});

test("the wait grows with the failures, from none to four seconds, and no further", () => {
  expect([0, 9, 10, 11, 12, 13, 14, 15, 1_000].map(delayAfter)).toEqual([0, 0, 250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
});

test("for a client that disconnected before its turn nothing is hashed and no failure is counted", async () => {
  const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const counted = vi.mocked(verify);
  counted.mockClear();
  for (const last of [false, true]) {
    counted.mockImplementationOnce(async () => {
      if (last) begun.resolve();
      await release.promise;
      return true;
    });
  }
  const held = [login({ email, password }), login({ email, password })];
  await begun.promise;
  const { outcomes } = passwordGate.counts();
  const going = new AbortController();
  const gone = Array.from({ length: 20 }, () => login({ email, password: "wrong" }, { signal: going.signal }).catch(() => "cut"));
  await vi.waitFor(() => expect(passwordGate.counts().waiting.stranger).toBe(20));
  going.abort();
  await vi.waitFor(() => expect(passwordGate.counts().waiting.stranger).toBe(0));
  expect(await Promise.all(gone)).toEqual(gone.map(() => "cut"));
  release.resolve();
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
  expect(counted).toHaveBeenCalledTimes(2);
  expect(passwordGate.counts().outcomes).toMatchObject({ gone: outcomes.gone + 20, refused: outcomes.refused });
  expect((await db.owner.query("select from throttles")).rowCount).toBe(0);
});

test("an unknown account is throttled in the same way: the answer does not reveal that it does not exist", async () => {
  for (let n = 0; n < 10; n++) expect(refusalOf(await login({ email: "ghost@example.com", password: "wrong" }))).toBe("login.refused");
  expect(refusalOf(await login({ email: "ghost@example.com", password }))).toBe("login.throttled");
});

test("tries are counted over all server processes", async () => {
  const sibling = await serve(db, { listen: true });
  try {
    for (let n = 0; n < 10; n++) await ask(n % 2 ? served : sibling, "login", { body: { email, password: "wrong" } });
    expect(refusalOf(await ask(sibling, "login", { body: { email, password } }))).toBe("login.throttled");
    expect(refusalOf(await login({ email, password }))).toBe("login.throttled");
  } finally {
    await sibling.app.close();
  }
});

test("one address that tries many accounts is throttled after 200", async () => {
  for (const name of ["a", "b"]) await login({ email: `${name}@example.com`, password });
  await db.owner.query("update throttles set count = 199 where count = 2"); // the address's own row
  expect(refusalOf(await login({ email, password: "wrong" }))).toBe("login.refused");
  expect(refusalOf(await login({ email, password }))).toBe("login.throttled");
});

test("too many requests from one address are refused before anything is read", async () => {
  // the minute stands still: in the next one they would be let in again
  vi.useFakeTimers({ toFake: ["Date"] });
  const small = await serve(db, { requestsPerMinute: 3 });
  try {
    for (let n = 0; n < 3; n++) expect((await ask(small, "readContext", {})).status).toBe(401);
    expect(refusalOf(await ask(small, "readContext", {}))).toBe("request.too-many");
  } finally {
    vi.useRealTimers();
    await small.app.close();
  }
});
