import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { answerRequests } from "../../../src/server/auth/reset.ts";
import { mailPlace } from "../../../src/server/mail/mails.ts";
import { testDatabase } from "../../support/database.ts";
import { makePerson, makeTenant } from "../../support/factories.ts";
import type { Tenant } from "../../support/factories.ts";
import { ask, refusalOf, serve, sessionOf, setPassword } from "../../support/http.ts";
import type { Served } from "../../support/http.ts";

const db = testDatabase();
const chosen = "a brand new password";
let served: Served;
let tenant: Tenant;
let user: string;
let email: string;

beforeAll(async () => {
  served = await serve(db);
  tenant = await makeTenant(db);
});
afterAll(() => served.app.close());
beforeEach(async () => {
  user = (await makePerson(db, tenant)).id;
  email = await setPassword(db, user, "the old password");
  for (const table of ["throttles", "mails", "password_requests"]) await db.owner.query(`delete from ${table}`);
});

const forgot = (to: string, headers: Record<string, string> = {}) => ask(served, "forgotPassword", { body: { email: to }, headers });
const reset = (body: object) => ask(served, "resetPassword", { body: { email, password: chosen, password_confirmation: chosen, ...body } });
const signIn = (password: string) => ask(served, "login", { body: { email, password } });

interface Sent {
  recipient: string;
  subject: string;
  text: string;
  language: string;
  shared: boolean;
}
async function mails(): Promise<Sent[]> {
  await answerRequests(served.deps);
  const { rows } = await db.owner.query<Sent & { tenant_id: string; id: string; body: Buffer }>("select * from mails order by id");
  return rows.map(({ tenant_id, id, body, recipient, subject, language, shared }) => {
    return { recipient, subject, language, shared, text: served.deps.secrets.open(body, mailPlace(tenant_id, id)) };
  });
}
const linkIn = (text = "") => new URL(/http\S+/.exec(text)?.[0] ?? "http://none");
async function token(): Promise<string> {
  await forgot(email);
  return linkIn((await mails()).at(-1)?.text).searchParams.get("token") ?? "";
}

test("an unknown e-mail is answered alike, for the same work in the same tables; a known one gets its link", async () => {
  const rows = async () =>
    (
      await db.owner.query<{ requests: string; mails: string; resets: string }>(
        "select (select count(*) from password_requests) as requests, (select count(*) from mails) as mails, (select count(*) from password_resets) as resets",
      )
    ).rows[0];
  const seen = [];
  for (const to of [email, "nobody@example.com"]) {
    const before = await rows();
    const { status, text, cookies } = await forgot(to);
    const after = await rows();
    seen.push({ status, text, cookies, requests: Number(after?.requests) - Number(before?.requests), rest: [after?.mails, after?.resets] });
  }
  expect(seen[0]).toEqual({ status: 200, text: '{"data":{}}', cookies: [], requests: 1, rest: ["0", "0"] });
  expect(seen[1]).toEqual(seen[0]);
  const [mail, ...more] = await mails();
  expect([mail?.recipient, more]).toEqual([email, []]);
  expect((await rows())?.requests).toBe("0");
});

test("the link leads to the configured address, not to the one the request came by", async () => {
  await forgot(email, { host: "evil.example", "x-forwarded-host": "evil.example", origin: "https://evil.example" });
  const link = linkIn((await mails())[0]?.text);
  expect([link.origin, link.pathname, link.searchParams.get("email")]).toEqual(["http://127.0.0.1:8080", "/reset-password", email]);
});

test("the mail speaks the asker's language, and English where that is none of ours", async () => {
  await forgot(email, { "accept-language": "zh-CN,zh;q=0.9,en;q=0.5" });
  await forgot(email, { "accept-language": "tlh" });
  const [chinese, english] = await mails();
  expect([chinese?.language, chinese?.subject]).toEqual(["zh", "重置您的 Countinghouse 密码"]);
  expect([english?.language, english?.subject]).toEqual(["en", "Choose a new password for Countinghouse"]);
});

test("the link sets the password once: the old one is void, and every session ends", async () => {
  const session = await sessionOf(served.deps, user);
  await db.owner.query("update users set force_reset_password = true where id = $1", [user]);
  const link = await token();
  expect((await reset({ token: link })).data).toEqual({});
  expect(refusalOf(await signIn("the old password"))).toBe("login.refused");
  expect((await signIn(chosen)).status).toBe(200);
  expect(refusalOf(await ask(served, "readProfile", { token: session.access_token, tenant: tenant.id }))).toBe("session.ended");
  expect(refusalOf(await ask(served, "refreshToken", { body: { refresh_token: session.refresh_token } }))).toBe("refresh.refused");
  expect(refusalOf(await reset({ token: link }))).toBe("reset.refused");
  const { rows } = await db.owner.query("select force_reset_password from users where id = $1", [user]);
  expect(rows).toEqual([{ force_reset_password: false }]);
  const audit = await db.owner.query("select act, actor_id from audit_entries where entity_id = $1 order by id", [user]);
  expect(audit.rows).toEqual([
    { act: "user.reset-password", actor_id: user },
    { act: "session.start", actor_id: user },
  ]);
});

test("of 16 uses of one link at once one sets the password", async () => {
  const link = await token();
  const all = await Promise.all(
    Array.from({ length: 16 }, (_, n) => {
      const password = `password number ${n}`;
      return reset({ token: link, password, password_confirmation: password });
    }),
  );
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("a link is refused after 60 minutes, with another e-mail, for a suspended user, and once a newer password is set", async () => {
  const first = await token();
  const { rows } = await db.owner.query<{ minutes: number }>(
    "select round(extract(epoch from expires_at - now()) / 60)::integer as minutes from password_resets where user_id = $1",
    [user],
  );
  expect(rows).toEqual([{ minutes: 60 }]);
  const stranger = await makePerson(db, tenant);
  const theirs = await setPassword(db, stranger.id, "somebody else's");
  expect(refusalOf(await reset({ token: first, email: theirs }))).toBe("reset.refused");
  await db.owner.query("update users set status = 'suspended' where id = $1", [user]);
  expect(refusalOf(await reset({ token: first }))).toBe("reset.refused");
  await db.owner.query("update users set status = 'active' where id = $1", [user]);
  await db.owner.query("update password_resets set expires_at = now() where user_id = $1", [user]);
  expect(refusalOf(await reset({ token: first }))).toBe("reset.refused");
  const [second, third] = [await token(), await token()];
  expect((await reset({ token: third })).status).toBe(200);
  expect(refusalOf(await reset({ token: second }))).toBe("reset.refused");
});

test.each([
  ["too short", "short pwd"],
  ["one of the commonest", "Password123"],
  ["the e-mail", null],
])("a password that is %s is refused, and does not spend the link", async (_, given) => {
  const link = await token();
  const password = given ?? email.toUpperCase();
  const answer = await reset({ token: link, password, password_confirmation: password });
  expect([refusalOf(answer), Object.keys(answer.data as object)]).toEqual(["request.invalid", ["password"]]);
  const other = await reset({ token: link, password_confirmation: `${chosen}x` });
  expect([refusalOf(other), Object.keys(other.data as object)]).toEqual(["request.invalid", ["password_confirmation"]]);
  expect((await reset({ token: link })).status).toBe(200);
});

test("five askings for one e-mail in a quarter of an hour, known or not", async () => {
  for (const to of [email, "ghost@example.com"]) {
    for (let n = 0; n < 5; n++) expect((await forgot(to)).status).toBe(200);
    expect(refusalOf(await forgot(to.toUpperCase()))).toBe("login.throttled");
  }
});

test("three mails an hour to one person, from however many addresses they were asked for", async () => {
  const from = (n: number) => ask(served, "forgotPassword", { body: { email }, ip: `198.51.100.${n}` });
  for (let n = 0; n < 35; n++) expect((await from(n)).text, "answered alike").toBe('{"data":{}}');
  expect(await mails()).toHaveLength(3);
  await db.owner.query("update password_resets set expires_at = now() where user_id = $1", [user]);
  await from(36);
  expect(await mails(), "an hour later").toHaveLength(4);
});

test("a new link ends the one before it", async () => {
  const [older, newer] = [await token(), await token()];
  expect(refusalOf(await reset({ token: older }))).toBe("reset.refused");
  expect((await reset({ token: newer })).status).toBe(200);
});

test("whoever cannot sign in is sent nothing", async () => {
  await db.owner.query("update memberships set status = 'suspended' where user_id = $1", [user]);
  await forgot(email);
  expect(await mails()).toEqual([]);
});

test("neither link nor token is in a table as it is", async () => {
  const link = await token();
  const { rows } = await db.owner.query<{ all: string }>(
    "select string_agg(t, ' ') as all from (select m::text as t from mails m union all select encode(body, 'escape') from mails union all select r::text from password_resets r) t",
  );
  expect(link).toMatch(/^[\w-]{43}$/);
  expect(rows[0]?.all).not.toContain(link);
  expect(rows[0]?.all).not.toContain(Buffer.from(link).toString("hex"));
});
