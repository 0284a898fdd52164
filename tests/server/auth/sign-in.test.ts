import { hash, verify } from "@node-rs/argon2";
import type * as Argon2 from "@node-rs/argon2";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
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

test("the e-mail is taken whatever its case, and with blanks around it", async () => {
  expect((await login({ email: ` ${email.toUpperCase()} `, password })).status).toBe(200);
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
    permissions: { "gps.provider.games": ["view", "create", "update", "delete"] },
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
    const { access_token: token } = await sessionOf(served.house, user);
    const body = { current_password: password, password: newer, password_confirmation: newer };
    expect((await ask(served, "changePassword", { token, tenant: tenant.id, body })).status).toBe(200);
  };
  const count = async (what: string) => (await db.owner.query(`select from ${what} where user_id = $1`, [user])).rowCount;

  test.each([false, true])("refuses a sign-in that was verified by the old one (two-factor on: %s)", async (twoFactor) => {
    if (twoFactor) await enableTwoFactor(db, served.house, user);
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
    const secret = await enableTwoFactor(db, served.house, user);
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
  const secret = await enableTwoFactor(db, served.house, user);
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

test("signing in rightly is not counted, however often", async () => {
  for (let n = 0; n < 11; n++) expect((await login({ email, password })).status).toBe(200);
  expect((await db.owner.query("select count from throttles")).rows).toEqual([{ count: 0 }, { count: 0 }]);
});

test("an unknown account is throttled just so: the answer does not tell that there is none", async () => {
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
