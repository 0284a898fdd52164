import { SMTPServer } from "smtp-server";
import type { SMTPServerOptions } from "smtp-server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Deps } from "../../../src/server/call.ts";
import { readConfig } from "../../../src/server/config.ts";
import { inTenant } from "../../../src/server/db/scope.ts";
import { removeOld } from "../../../src/server/jobs/retention.ts";
import { createMailer } from "../../../src/server/mail/mailer.ts";
import { outgoingMailHandlers, putMail } from "../../../src/server/mail/mails.ts";
import { testDatabase } from "../../support/database.ts";
import { makeDeps, makePerson, makeTenant, staffCall } from "../../support/factories.ts";
import type { Tenant } from "../../support/factories.ts";
import { ask, refusalOf, serve, sessionOf } from "../../support/http.ts";
import { answerRequests } from "../../../src/server/auth/reset.ts";

const db = testDatabase();
let tenant: Tenant;
beforeEach(async () => {
  await db.owner.query("delete from mails");
  tenant = await makeTenant(db);
});

const mail = {
  to: "lim@example.com",
  subject: "重置密码",
  text: "Open https://x.example/?token=abc\n",
  language: "zh",
  shared: false,
} as const;
const put = (deps: Deps, more: object = {}) =>
  inTenant(db.database, tenant.id, (scoped) => putMail(scoped, deps, tenant.id, { ...mail, ...more }));
const rows = async () =>
  (
    await db.owner.query<{ state: string; attempts: number; error: string | null; body: Buffer | null; next: Date | null }>(
      "select state, attempts, error, body, next_attempt_at as next from mails",
    )
  ).rows;
const due = () => db.owner.query("update mails set next_attempt_at = now()");
const clock = async () => (await db.owner.query<{ at: Date }>("select clock_timestamp() as at")).rows[0]?.at.getTime() ?? 0;
/** A round after which the mail waits `seconds` from the attempt, however long the round itself took. */
async function roundThenWaits(mailer: Pick<ReturnType<typeof createMailer>, "round">, seconds: number): Promise<void> {
  const before = await clock();
  await mailer.round();
  const tried = ((await rows())[0]?.next?.getTime() ?? 0) - seconds * 1000;
  expect(tried).toBeGreaterThanOrEqual(before);
  expect(tried).toBeLessThanOrEqual(await clock());
}

describe("over SMTP", () => {
  let smtp: SMTPServer;
  let deps: Deps;
  let got: { from: string; to: string[]; text: string }[];
  /** Refusals to give first, one a mail. */
  let refusals: number[];
  /** What it says to who connects, to whom they are, or of the sender, instead of going on. */
  let faults: { connect?: number; auth?: number; sender?: number };
  const refusing = (code: number | undefined) =>
    code === undefined ? undefined : Object.assign(new Error("not like this"), { responseCode: code });

  beforeEach(async () => {
    got = [];
    refusals = [];
    faults = {};
    const options: SMTPServerOptions = {
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onConnect(_, done) {
        done(refusing(faults.connect));
      },
      onAuth(_, __, done) {
        done(refusing(faults.auth), { user: "office" });
      },
      onMailFrom(_, __, done) {
        done(refusing(faults.sender));
      },
      onRcptTo(_, __, done) {
        done(refusing(refusals.shift()));
      },
      onData(stream, session, done) {
        const parts: Buffer[] = [];
        stream.on("data", (part: Buffer) => parts.push(part));
        stream.on("end", () => {
          const { mailFrom, rcptTo } = session.envelope;
          got.push({
            from: mailFrom ? mailFrom.address : "",
            to: rcptTo.map(({ address }) => address),
            text: Buffer.concat(parts).toString(),
          });
          done();
        });
      },
    };
    smtp = new SMTPServer(options);
    await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
    const address = smtp.server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    deps = {
      ...makeDeps(db),
      config: readConfig({
        SMTP_URL: `smtp://office:password@127.0.0.1:${port}`,
        MAIL_FROM: "Countinghouse <office@house.example>",
        PUBLIC_URL: "https://office.house.example/",
      }),
    };
  });
  afterEach(() => new Promise<void>((resolve) => smtp.close(resolve)));

  test("a mail is sent once, however many processes look for it, and its text is gone from the table", async () => {
    await put(deps);
    await Promise.all([createMailer(deps).round(), createMailer(deps).round(), createMailer(deps).round()]);
    await createMailer(deps).round();
    expect(got).toHaveLength(1);
    expect([got[0]?.from, got[0]?.to]).toEqual(["office@house.example", ["lim@example.com"]]);
    expect(got[0]?.text).toContain("From: Countinghouse <office@house.example>");
    expect(got[0]?.text).toContain("Auto-Submitted: auto-generated");
    expect(got[0]?.text).toContain("https://x.example/?token=3Dabc".replace("3D", got[0]?.text.includes("quoted-printable") ? "3D" : ""));
    expect(await rows()).toEqual([{ state: "sent", attempts: 1, error: null, body: null, next: null }]);
  });

  test("a mail refused for now is tried again later, as the same mail", async () => {
    await put(deps);
    refusals = [451, 421];
    const mailer = createMailer(deps);
    await roundThenWaits(mailer, 10);
    expect(await rows()).toMatchObject([{ state: "waiting", attempts: 1, error: "451", body: expect.any(Buffer) }]);
    // its ten seconds may be over by now
    await db.owner.query("update mails set next_attempt_at = now() + interval '10 minutes'");
    await mailer.round();
    expect((await rows())[0]?.attempts, "not before its time").toBe(1);
    await due();
    await roundThenWaits(mailer, 60);
    expect(await rows()).toMatchObject([{ state: "waiting", attempts: 2 }]);
    await due();
    await mailer.round();
    expect(got).toHaveLength(1);
    expect(await rows()).toMatchObject([{ state: "sent", attempts: 3, error: null }]);
  });

  test("a mail refused for good, or six times, is given up, and its text is gone", async () => {
    await put(deps);
    refusals = [550];
    await createMailer(deps).round();
    expect(await rows()).toMatchObject([{ state: "failed", attempts: 1, error: "550", body: null }]);
    await db.owner.query("delete from mails");
    await put(deps);
    refusals = [451, 451, 451, 451, 451, 451];
    for (let n = 0; n < 7; n++) {
      await db.owner.query("update mails set next_attempt_at = now() where state = 'waiting'");
      await createMailer(deps).round();
    }
    expect(await rows()).toMatchObject([{ state: "failed", attempts: 6, body: null }]);
    expect(got).toEqual([]);
  });

  test.each([{ connect: 554 }, { auth: 535 }, { sender: 530 }])(
    "what a server refuses before it is told whom the mail is for delays it and loses nothing: %j",
    async (fault) => {
      await put(deps);
      faults = fault;
      await roundThenWaits(createMailer(deps), 10);
      const [error] = Object.values(fault).map(String);
      expect(await rows()).toMatchObject([{ state: "waiting", attempts: 1, error, body: expect.any(Buffer) }]);
      faults = {};
      await due();
      await createMailer(deps).round();
      expect(got).toHaveLength(1);
    },
  );

  test("a server that cannot be reached delays the mail and loses nothing", async () => {
    const away = {
      ...deps,
      config: readConfig({ SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "a@b.example", PUBLIC_URL: "https://x.example" }),
    };
    await put(away);
    await createMailer(away).round();
    expect(await rows()).toMatchObject([{ state: "waiting", attempts: 1, body: expect.any(Buffer) }]);
    await due();
    await createMailer(deps).round();
    expect(got).toHaveLength(1);
  });

  test("a mail whose sender died is sent by another when its lease is over", async () => {
    await put(deps);
    await db.owner.query("update mails set leased_until = now() + interval '1 minute'");
    await createMailer(deps).round();
    expect(got).toEqual([]);
    await db.owner.query("update mails set leased_until = now() - interval '1 second'");
    await createMailer(deps).round();
    expect(got).toHaveLength(1);
  });

  test("links begin with the configured address", async () => {
    const { id } = await makePerson(db, tenant);
    await db.owner.query("insert into password_requests (email, language) select email, 'en' from users where id = $1", [id]);
    await answerRequests(deps);
    await createMailer(deps).round();
    expect(got[0]?.text.replaceAll("=\r\n", "")).toContain("https://office.house.example/reset-password?token");
  });
});

describe("without an SMTP server", () => {
  test("mails are kept for seven days, unreadable in the table", async () => {
    const deps = makeDeps(db);
    await put(deps);
    await createMailer(deps).round();
    expect(await rows()).toMatchObject([{ state: "kept", attempts: 0 }]);
    expect((await rows())[0]?.body?.includes("token=abc")).toBe(false);
    await db.owner.query("update mails set created_at = now() - interval '6 days 23 hours'");
    await removeOld(deps);
    expect(await rows()).toHaveLength(1);
    await db.owner.query("update mails set created_at = now() - interval '7 days 1 minute'");
    await removeOld(deps);
    expect(await rows()).toEqual([]);
  });

  test("an owner reads their tenant's, newest first, and that is on record; a text for who is in other tenants, too, is not shown", async () => {
    const served = await serve(db);
    try {
      for (let n = 1; n <= 3; n++) await put(served.deps, { to: `p${n}@example.com`, shared: n === 2 });
      const { rows: owners } = await db.owner.query<{ user_id: string }>("select user_id from membership_groups where tenant_id = $1", [
        tenant.id,
      ]);
      const owner = owners[0]?.user_id ?? "";
      const token = (await sessionOf(served.deps, owner)).access_token;
      const list = (query: Record<string, string>) => ask(served, "listOutgoingMails", { token, tenant: tenant.id, query });
      const first = await list({ limit: "2", with: "count" });
      const { data, meta } = JSON.parse(first.text) as {
        data: { to: string; text: string | null }[];
        meta: { next: string; count: number };
      }; // the contract's
      expect(data.map(({ to, text }) => [to, text])).toEqual([
        ["p3@example.com", mail.text],
        ["p2@example.com", null],
      ]);
      expect(meta.count).toBe(3);
      expect((await list({ cursor: meta.next })).data).toMatchObject([{ to: "p1@example.com", subject: "重置密码", language: "zh" }]);
      expect((await list({ q: "P2@" })).data).toMatchObject([{ to: "p2@example.com" }]);
      const audit = await db.owner.query("select act, actor_id from audit_entries where tenant_id = $1", [tenant.id]);
      expect(audit.rows).toEqual([
        { act: "outgoing-mail.read", actor_id: owner },
        { act: "outgoing-mail.read", actor_id: owner },
      ]);
      const other = (await makePerson(db, tenant)).id;
      await db.owner.query("update memberships set permissions = '{tenant-setting.view}' where user_id = $1", [other]);
      const theirs = { token: (await sessionOf(served.deps, other)).access_token, tenant: tenant.id };
      expect(refusalOf(await ask(served, "listOutgoingMails", theirs))).toBe("permission.missing");
    } finally {
      await served.app.close();
    }
  });

  test("a text for who has joined another tenant since is shown no more, suspended there or not", async () => {
    const { id } = await makePerson(db, tenant);
    const { rows } = await db.owner.query<{ email: string }>("select email from users where id = $1", [id]);
    await put(makeDeps(db), { to: rows[0]?.email ?? "" });
    const office = staffCall(makeDeps(db), tenant, await makePerson(db, tenant));
    const shown = async () => {
      const query = { limit: 50 } as Parameters<typeof outgoingMailHandlers.listOutgoingMails>[1]["query"]; // what it asks by default
      return (await outgoingMailHandlers.listOutgoingMails(office, { query, params: undefined, body: undefined })).data.map(
        ({ text }) => text,
      );
    };
    expect(await shown()).toEqual([mail.text]);
    const other = await makeTenant(db);
    await db.owner.query("insert into memberships (tenant_id, user_id, status) values ($1, $2, 'suspended')", [other.id, id]);
    expect(await shown()).toEqual([null]);
  });

  test("a mail to a member of several tenants is marked so when it is created", async () => {
    const { id } = await makePerson(db, tenant);
    const both = await makeTenant(db);
    await db.owner.query("insert into memberships (tenant_id, user_id) values ($1, $2)", [both.id, id]);
    await db.owner.query("insert into password_requests (email, language) select email, 'en' from users where id = $1", [id]);
    await answerRequests(makeDeps(db));
    const { rows: made } = await db.owner.query("select shared from mails");
    expect(made).toEqual([{ shared: true }]);
  });
});

test("mail settings that do not fit together stop the start, by name", () => {
  expect(() => readConfig({ SMTP_URL: "smtp://mail.example" })).toThrow(/MAIL_FROM and PUBLIC_URL/);
  expect(() => readConfig({ SMTP_URL: "http://mail.example" })).toThrow(/SMTP_URL/);
  expect(() => readConfig({ MAIL_FROM: "x\r\nBcc: y@z.example" })).toThrow(/MAIL_FROM/);
  expect(() => readConfig({ PUBLIC_URL: "javascript:alert(1)" })).toThrow(/PUBLIC_URL/);
  expect(readConfig({ HOST: "::1", PORT: "8081" }).publicUrl).toBe("http://[::1]:8081");
});
