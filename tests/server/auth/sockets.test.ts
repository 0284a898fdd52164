import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import WebSocket from "ws";
import { buildApp } from "../../../src/server/app.ts";
import { authoritiesOf } from "../../../src/server/auth/authority.ts";
import { createRealtimeEndpoint } from "../../../src/server/realtime/endpoint.ts";
import { testDatabase } from "../../support/database.ts";
import { makeDeps, makePerson, makeTenant } from "../../support/factories.ts";
import type { Tenant } from "../../support/factories.ts";
import { ask, refusalOf, sessionOf, setPassword } from "../../support/http.ts";
import type { Served, Session } from "../../support/http.ts";
import { linkFor } from "../../support/sign-in.ts";

// What ends a session, or takes the rights, ends what its sockets hear; how soon, `npm run bench` says.
const db = testDatabase();
const soon = { timeout: 60_000, interval: 10 };
const password = "the old password";
const chosen = { password: "a brand new password", password_confirmation: "a brand new password" };
let served: Served;
let port: number;
let tenant: Tenant;
let user: string;
let session: Session;

beforeAll(async () => {
  const deps = makeDeps(db);
  const app = await buildApp(deps, { logger: pino({ level: "silent" }), consoleFolder: null });
  const endpoint = createRealtimeEndpoint({
    service: deps.realtime,
    pool: db.database.pool,
    listen: () => db.connectAs("countinghouse_app"),
    authorities: (holders) => authoritiesOf(db.database, holders),
    origins: [],
    log: deps.log,
  });
  await app.register(endpoint.plugin);
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  await endpoint.ready;
  port = Number(new URL(url).port);
  served = { app, deps, published: [], url };
  tenant = await makeTenant(db);
});
afterAll(() => served.app.close());
beforeEach(async () => {
  user = (await makePerson(db, tenant)).id;
  await setPassword(db, user, password);
  await db.owner.query("update memberships set permissions = '{pas.transaction.deposits.view}' where user_id = $1", [user]);
  session = await sessionOf(served.deps, user);
});

interface Socket {
  readonly frames: { event: string; data: unknown }[];
  /** With which code, and why. */
  readonly closed: Promise<[number, string]>;
}

/** A socket subscribed to the tenant's channel by this session. */
async function listen(by: Session): Promise<Socket> {
  const ws = new WebSocket(`ws://127.0.0.1:${port}/app/${served.deps.realtime.key}?protocol=7`);
  const frames: Socket["frames"] = [];
  const closed = new Promise<[number, string]>((resolve) => ws.once("close", (code, why) => resolve([code, why.toString()])));
  ws.on("message", (text: Buffer) => frames.push(JSON.parse(text.toString()) as Socket["frames"][number])); // our server's frames
  await vi.waitFor(() => expect(frames).toHaveLength(1), soon);
  const { socket_id } = JSON.parse(String(frames[0]?.data)) as { socket_id: string }; // likewise
  const channel = `private-channel.${tenant.id}`;
  const { data } = await ask(served, "authorizeChannel", {
    token: by.access_token,
    tenant: tenant.id,
    currency: tenant.currency,
    body: { socket_id, channel_name: channel },
  });
  ws.send(JSON.stringify({ event: "pusher:subscribe", data: { channel, ...(data as object) } }));
  await vi.waitFor(() => expect(frames.at(-1)?.event).toBe("pusher_internal:subscription_succeeded"), soon);
  return { frames, closed };
}

const own = (name: Parameters<typeof ask>[1], by: Session, more: object = {}) =>
  ask(served, name, { token: by.access_token, tenant: tenant.id, ...more });

/** What ends the session; `elsewhere` is another of the user's, which does it where they do it themselves. */
const ends: Record<string, (elsewhere: Session) => Promise<unknown>> = {
  "the user is suspended": () => db.owner.query("update users set status = 'suspended' where id = $1", [user]),
  "the membership is suspended": () => db.owner.query("update memberships set status = 'suspended' where user_id = $1", [user]),
  "the password is changed elsewhere": (elsewhere) => own("changePassword", elsewhere, { body: { current_password: password, ...chosen } }),
  "the password is reset by a link": async () => ask(served, "resetPassword", { body: { ...(await linkFor(db, user)), ...chosen } }),
  "an old refresh token is used again": async () => {
    const { refresh_token } = session;
    await ask(served, "refreshToken", { body: { refresh_token } });
    await db.owner.query("update refresh_tokens set used_at = used_at - interval '11 seconds'");
    return ask(served, "refreshToken", { body: { refresh_token } });
  },
  "it is ended from another session": (elsewhere) => own("endOtherSessions", elsewhere),
  "it signs out": () => own("logout", session, { body: { refresh_token: session.refresh_token } }),
  "a new password is demanded": () => db.owner.query("update users set force_reset_password = true where id = $1", [user]),
};

test.each(Object.keys(ends))("%s: the session's sockets are closed, its tokens dead at once", async (why) => {
  const elsewhere = await sessionOf(served.deps, user);
  const one = await listen(session);
  await ends[why]?.(elsewhere);
  const answer = await own("listOwnSessions", session);
  expect(["session.ended", "tenant.invalid", "password.must-change"]).toContain(refusalOf(answer));
  // no heartbeat says so
  expect(await one.closed).toEqual([4009, "the session has ended"]);
});

test("with the last permission removed the socket gets no more events of the channel, and the route refuses at once", async () => {
  const one = await listen(session);
  await db.owner.query("update memberships set permissions = '{}' where user_id = $1", [user]);
  expect(refusalOf(await own("listDeposits", session, { currency: tenant.currency }))).toBe("permission.missing");
  await vi.waitFor(() => expect(one.frames.at(-1)?.event).toBe("pusher:subscription_error"), soon);
});
