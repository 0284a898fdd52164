import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { User } from "../../../src/contract/users.ts";
import { testDatabase } from "../../support/database.ts";
import { makePerson, makeTenant } from "../../support/factories.ts";
import type { Person, Tenant } from "../../support/factories.ts";
import { ask, refusalOf, serve } from "../../support/http.ts";
import type { Served } from "../../support/http.ts";
import { asMember, giveDirectly, heldIn, mailsTo, makeAccountOf, makeUserGroup, ownerOf, tokenFor } from "../../support/people.ts";

const db = testDatabase();
const view = "pas.transaction.withdrawals.view";
const approve = "pas.transaction.withdrawals.approve";
let served: Served;
let tenant: Tenant;
let owner: Person;
let call: Awaited<ReturnType<typeof asMember>>;

beforeAll(async () => {
  served = await serve(db);
});
afterAll(() => served.app.close());
beforeEach(async () => {
  tenant = await makeTenant(db);
  owner = await ownerOf(db, tenant);
  call = await asMember(served, tenant, owner);
});

const newEmail = () => `${randomUUID()}@example.com`;
async function holder(...rights: string[]) {
  const person = await makePerson(db, tenant, "Admin");
  await giveDirectly(db, tenant, person, rights);
  return asMember(served, tenant, person);
}
const lookUp = async (email: string, by = call) => by("lookUpUser", { body: { email } });
const create = async (body: object, by = call) =>
  by("createUser", { body: { name: "Lim Mei Ling", groups: [], delivery: "shown", ...body } });
const listed = async () => (await call("listUsers", { query: { sort: "email" } })).data as User[]; // the contract's shape

describe("the look-up", () => {
  test("tells whether an e-mail is somebody's, here or elsewhere, however it is written", async () => {
    const outsider = await makeAccountOf(db);
    const member = (await listed())[0];
    expect((await lookUp(newEmail())).data).toEqual({ found: false, member: null });
    expect((await lookUp(` ${outsider.email.toUpperCase()} `)).data).toEqual({ found: true, member: null });
    expect((await lookUp(member?.email ?? "")).data).toEqual({ found: true, member: { uuid: owner.id, status: "active" } });
  });

  test("says “Invalid email” of what is none", async () => {
    for (const wrong of ["", "siti", "siti@example", "si ti@example.com", "a@b@c.d"])
      expect((await lookUp(wrong)).data).toEqual({ email: ["Invalid email"] });
  });

  test("answers whoever may neither invite nor create alike, of known and unknown people, and records nothing", async () => {
    const nosy = await holder("cas.user.users.view", "cas.user.users.update");
    const [known, unknown] = [await lookUp((await makeAccountOf(db)).email, nosy), await lookUp(newEmail(), nosy)];
    expect(refusalOf(known)).toBe("permission.missing");
    expect(known.text).toBe(unknown.text);
    const { rows } = await db.owner.query("select from audit_entries where tenant_id = $1 and act = 'user.look-up'", [tenant.id]);
    expect(rows).toEqual([]);
  });

  test("is on record with the address, found or not, and is limited in number", async () => {
    const inviter = await holder("cas.user.users.invite");
    const emails = Array.from({ length: 61 }, newEmail);
    const codes = [];
    for (const email of emails) codes.push((await lookUp(email, inviter)).code);
    expect(codes.filter((code) => code !== undefined)).toEqual(["request.too-many"]);
    const { rows } = await db.owner.query<{ email: string }>(
      "select after ->> 'email' as email from audit_entries where tenant_id = $1 and act = 'user.look-up' order by id",
      [tenant.id],
    );
    expect(rows.map(({ email }) => email)).toEqual(emails.slice(0, 60));
  });
});

describe("whoever has an account is invited", () => {
  test("and is pending with the groups chosen, knows nothing of the tenant, and the tenant nothing of them", async () => {
    const group = await makeUserGroup(db, tenant, [view], { name: "Desk" });
    const outsider = await makeAccountOf(db, "Nobody's Business");
    await db.owner.query("update users set last_login_at = now(), last_login_ip = '203.0.113.9' where id = $1", [outsider.id]);
    const { data, status } = await call("inviteUser", { body: { email: outsider.email, groups: [group] } });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      email: outsider.email,
      name: null,
      status: "pending",
      group_names: "Desk",
      two_factor: "off",
      last_login_at: null,
      last_login_ip: null,
      sessions: 0,
    });
    expect((await listed()).find(({ uuid }) => uuid === outsider.id)).toEqual(data);
    expect((await call("listUsers", { query: { q: "nobody" } })).data).toEqual([]);
    const [mail] = await mailsTo(served, db, outsider.email);
    // its link is none of this tenant's owners', whose account it is not
    expect(mail).toMatchObject({ shared: true, subject: expect.stringContaining("You are invited to") });
    expect(await heldIn(db, tenant, outsider)).toEqual([view]);
    const theirs = await asMember(served, tenant, outsider);
    expect(refusalOf(await theirs("readProfile"))).toBe("tenant.invalid");
    // what they do elsewhere is on no record here
    const home = await makeTenant(db);
    await db.owner.query("insert into memberships (tenant_id, user_id) values ($1, $2)", [home.id, outsider.id]);
    await (
      await asMember(served, home, outsider)
    )("logout", { body: { refresh_token: "x" } });
    const seen = "select act from audit_entries where tenant_id = $1 and entity = 'user' and entity_id = $2";
    expect((await db.owner.query(seen, [home.id, outsider.id])).rows).toEqual([{ act: "session.end" }]);
    expect((await db.owner.query(seen, [tenant.id, outsider.id])).rows).toEqual([{ act: "user.invite" }]);
  });

  test("but not who has none, or is a member already, or into a group that holds more than the inviter", async () => {
    const inviter = await holder("cas.user.users.invite", view);
    const risk = await makeUserGroup(db, tenant, [view, approve]);
    const { email } = await makeAccountOf(db);
    const invite = async (to: string, groups: string[] = []) => inviter("inviteUser", { body: { email: to, groups } });
    expect(refusalOf(await invite(newEmail()))).toBe("user.not-found");
    expect((await invite(email, [risk])).data).toEqual({ groups: [`Beyond your own rights: ${approve}`] });
    expect((await invite(email)).status).toBe(200);
    expect(refusalOf(await invite(email))).toBe("user.member");
    expect(refusalOf(await invite((await listed()).find(({ uuid }) => uuid === owner.id)?.email ?? ""))).toBe("user.member");
  });
});

describe("whoever has none is created", () => {
  const login = (email: string, password: string) => ask(served, "login", { body: { email, password } });

  test("with a temporary password that is shown once, and must be replaced", async () => {
    const group = await makeUserGroup(db, tenant, [view]);
    const email = newEmail();
    const key = randomUUID();
    const made = async () =>
      (
        await call("createUser", {
          body: { email, name: "Lim Mei Ling", groups: [group], delivery: "shown" },
          headers: { "idempotency-key": key },
        })
      ).data as { row: User; password: string }; // the contract's shape
    const { row, password } = await made();
    expect(row).toMatchObject({ email, name: "Lim Mei Ling", status: "active", force_reset_password: true });
    expect(password).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
    // the same request again makes nobody else, and shows the same
    expect(await made()).toEqual({ row, password });
    const { rows: keys } = await db.owner.query<{ packed: Buffer }>("select packed from idempotency_keys where key = $1", [key]);
    expect(keys[0]?.packed.includes(password)).toBe(false);
    const answer = await login(email, password);
    expect(answer.status).toBe(200);
    const { access_token: token } = answer.data as { access_token: string }; // no two-factor yet
    expect(refusalOf(await ask(served, "listWithdrawals", { token, tenant: tenant.id, currency: "MYR" }))).toBe("password.must-change");
    expect(await mailsTo(served, db, email)).toEqual([]);
  });

  test("with one that is mailed", async () => {
    const email = newEmail();
    const { data } = await create({ email, delivery: "mailed" });
    expect(data).toMatchObject({ row: { status: "active", force_reset_password: true }, password: null });
    const [mail] = await mailsTo(served, db, email);
    const password = /Temporary password: (\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
    expect((await login(email, password)).status).toBe(200);
  });

  test("with a link by which they choose their own, until when they are pending under the name they were given", async () => {
    const email = newEmail();
    const { data } = await create({ email, delivery: "link" });
    expect(data).toMatchObject({ row: { status: "pending", name: "Lim Mei Ling", force_reset_password: false }, password: null });
    expect(await tokenFor(served, db, email)).toMatch(new RegExp(`^${tenant.id}\\.`));
    expect((await call("listUsers", { query: { q: "mei ling" } })).data).toMatchObject([{ email }]);
  });

  test("but not by an e-mail that is somebody's, however it is written, nor into a group that holds more", async () => {
    const creator = await holder("cas.user.users.create");
    const risk = await makeUserGroup(db, tenant, [approve]);
    const { email } = await makeAccountOf(db);
    expect(refusalOf(await create({ email: email.toUpperCase() }, creator))).toBe("user.known");
    expect((await create({ email: newEmail(), groups: [risk] }, creator)).data).toEqual({ groups: [`Beyond your own rights: ${approve}`] });
    const mine = newEmail();
    expect((await create({ email: mine }, creator)).status).toBe(200);
    expect(refusalOf(await create({ email: mine }, creator))).toBe("user.member");
  });

  test("once, of two who do it at the same time", async () => {
    const email = newEmail();
    const both = await Promise.all([create({ email, delivery: "link" }), create({ email, delivery: "link" })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    // in another tenant at the same time
    const other = await makeTenant(db);
    const theirs = await asMember(served, other, await ownerOf(db, other));
    const second = newEmail();
    const apart = await Promise.all([create({ email: second, delivery: "link" }), create({ email: second, delivery: "link" }, theirs)]);
    expect(apart.map(({ code }) => code).toSorted()).toEqual(["user.known", undefined]);
  });
});

describe("an invitation", () => {
  const versions = async (uuid: string) => (await listed()).find((row) => row.uuid === uuid);
  async function invited() {
    const outsider = await makeAccountOf(db);
    await call("inviteUser", { body: { email: outsider.email, groups: [] } });
    return outsider;
  }

  test("is sent five times an hour at most, each time with a new link", async () => {
    const { id, email } = await invited();
    const first = await tokenFor(served, db, email);
    const again = async () => call("resendInvitation", { params: { uuid: id }, body: { version: (await versions(id))?.version } });
    expect((await again()).status).toBe(200);
    const second = await tokenFor(served, db, email);
    const read = (token: string) => ask(served, "readInvitation", { body: { token } });
    expect([refusalOf(await read(first)), (await read(second)).status]).toEqual(["invitation.replaced", 200]);
    const codes = [];
    for (let n = 0; n < 5; n++) codes.push((await again()).code);
    expect(codes).toEqual([undefined, undefined, undefined, "request.too-many", "request.too-many"]);
  });

  test("is not sent more often by who takes it back each time", async () => {
    const { id, email } = await makeAccountOf(db);
    const codes = [];
    for (let n = 0; n < 6; n++) {
      codes.push((await call("inviteUser", { body: { email, groups: [] } })).code);
      await call("withdrawInvitation", { params: { uuid: id }, body: { version: 1 } });
    }
    expect(codes).toEqual([undefined, undefined, undefined, undefined, undefined, "request.too-many"]);
  });

  test("and a new account are no look-ups of their own, but for those that only tell whose an address is", async () => {
    const known = await makeAccountOf(db);
    await call("inviteUser", { body: { email: known.email, groups: [] } });
    await create({ email: newEmail() });
    const audited = async () =>
      (await db.owner.query("select from audit_entries where tenant_id = $1 and act = 'user.look-up'", [tenant.id])).rowCount;
    expect(await audited()).toBe(0);
    expect(refusalOf(await create({ email: (await makeAccountOf(db)).email }))).toBe("user.known");
    expect(await audited()).toBe(1);
  });

  test("to nobody is a look-up: on record, and limited in number with the others", async () => {
    const inviter = await holder("cas.user.users.invite");
    const emails = Array.from({ length: 61 }, newEmail);
    const codes = [];
    for (const email of emails) codes.push((await inviter("inviteUser", { body: { email, groups: [] } })).code);
    expect([...new Set(codes.slice(0, 60)), codes[60]]).toEqual(["user.not-found", "request.too-many"]);
    const { rows } = await db.owner.query<{ email: string }>(
      "select after ->> 'email' as email from audit_entries where tenant_id = $1 and act = 'user.look-up' order by id",
      [tenant.id],
    );
    expect(rows.map(({ email }) => email)).toEqual(emails.slice(0, 60));
  });

  test("is withdrawn, whereupon its link says so and the person may be invited anew", async () => {
    const { id, email } = await invited();
    const token = await tokenFor(served, db, email);
    const withdraw = () => call("withdrawInvitation", { params: { uuid: id }, body: { version: 1 } });
    expect((await withdraw()).status).toBe(200);
    expect(await versions(id)).toBeUndefined();
    expect(refusalOf(await ask(served, "readInvitation", { body: { token } }))).toBe("invitation.withdrawn");
    expect(refusalOf(await withdraw())).toBe("not-found");
    expect((await call("inviteUser", { body: { email, groups: [] } })).status).toBe(200);
  });

  test("that is over is shown as expired, and can still be sent again", async () => {
    const { id } = await invited();
    await db.owner.query("update invitations set expires_at = now() - interval '1 second' where user_id = $1", [id]);
    const row = await versions(id);
    expect(row?.status).toBe("expired");
    const again = await call("resendInvitation", { params: { uuid: id }, body: { version: row?.version } });
    expect(again.data).toMatchObject({ status: "pending" });
  });

  test("is not sent again to give what its sender does not hold, and not at all once it is accepted", async () => {
    const risk = await makeUserGroup(db, tenant, [approve]);
    const outsider = await makeAccountOf(db);
    await call("inviteUser", { body: { email: outsider.email, groups: [risk] } });
    const inviter = await holder("cas.user.users.invite");
    const again = (by = call) => by("resendInvitation", { params: { uuid: outsider.id }, body: { version: 1 } });
    expect(refusalOf(await again(inviter))).toBe("user.holds-more");
    await db.owner.query("update memberships set status = 'active' where user_id = $1", [outsider.id]);
    expect(refusalOf(await again())).toBe("user.not-pending");
  });

  test("a pending member's status is not set: they are no member yet", async () => {
    const { id } = await invited();
    const set = await call("changeUserStatus", { params: { uuid: id }, body: { version: 1, status: "active", reason: "" } });
    expect(refusalOf(set)).toBe("user.pending");
  });
});
