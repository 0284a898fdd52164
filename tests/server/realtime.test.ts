import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import Pusher from "pusher";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import type { Logger } from "../../src/server/log.ts";
import { clientAddress } from "../../src/server/realtime/address.ts";
import { authorizeChannel } from "../../src/server/realtime/auth.ts";
import { createRealtimeEndpoint } from "../../src/server/realtime/endpoint.ts";
import {
  channelOfTenant,
  channelSignature,
  isSignedRequest,
  tenantOfChannel,
  tenantOfRightsChannel,
} from "../../src/server/realtime/protocol.ts";
import { createPublisher } from "../../src/server/realtime/publish.ts";
import type { Publisher } from "../../src/server/realtime/publish.ts";
import { tenantSessionKey } from "../../src/server/realtime/rooms.ts";
import type { Authorities } from "../../src/server/realtime/rooms.ts";
import { testDatabase } from "../support/database.ts";
import { pusherClient } from "../support/pusher-client.ts";
import type { PusherClient } from "../support/pusher-client.ts";

const soon = { timeout: 60_000, interval: 10 };

const service = { appId: "app", key: "public-key", secret: "a secret of the test" };
const quiet: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const everything = ["pas.transaction.deposits.view", "pas.transaction.withdrawals.view", "pas.account.accounts.view"];

const db = testDatabase();
let pool: pg.Pool;
const endings: (() => unknown)[] = [];

beforeAll(async () => {
  pool = db.owner;
  await pool.query(`
    create table standing (session_id uuid, tenant_id uuid, held text[] not null, primary key (session_id, tenant_id));
    create table counters (tenant_id uuid, currency text, process int, pending int, critical int)`);
  // Rights read 3 s ago, heartbeats, frames in 10 s: a process held up for as long must not meet these rules in the midst of another's test.
  vi.spyOn(Date, "now").mockReturnValue(Date.now());
});

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

afterAll(() => void vi.restoreAllMocks());

const authorities: Authorities = async (of) => {
  const { rows } = await pool.query<{ sessionId: string; tenantId: string; held: string[] }>(
    `select s.session_id as "sessionId", s.tenant_id as "tenantId", s.held
     from standing s join unnest($1::uuid[], $2::uuid[]) as asked(session_id, tenant_id) using (session_id, tenant_id)`,
    [of.map((one) => one.sessionId), of.map((one) => one.tenantId)],
  );
  return new Map(rows.map((row) => [tenantSessionKey(row), new Set(row.held)]));
};

interface Server {
  readonly app: FastifyInstance;
  readonly port: number;
  readonly publisher: Publisher;
  readonly rest: Pusher;
}

async function server(origins: string[] = [], socketsPerAddress?: number): Promise<Server> {
  const app = Fastify();
  const endpoint = createRealtimeEndpoint({
    service,
    pool,
    listen: () => db.connectAs("countinghouse_app"),
    authorities,
    origins,
    ...(socketsPerAddress !== undefined && { socketsPerAddress }),
    log: quiet,
  });
  await app.register(endpoint.plugin);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo; // it listens on TCP
  await endpoint.ready;
  const publisher = createPublisher({
    service: () => ({ ...service, cluster: undefined, host: "127.0.0.1", port, tls: false, embedded: true }),
    log: quiet,
    async counts(tenantId) {
      const { rows } = await pool.query<{ currency: string; process: number; pending: number; critical: number }>(
        "select currency, process, pending, critical from counters where tenant_id = $1 order by currency",
        [tenantId],
      );
      return rows.map((row) => ({
        currency: row.currency,
        processDepositCount: row.process,
        pendingWithdrawalCount: row.pending,
        criticalAccountCount: row.critical,
      }));
    },
  });
  endings.push(
    () => app.close(),
    () => publisher.close(),
  );
  return { app, port, publisher, rest: new Pusher({ ...service, host: "127.0.0.1", port: String(port) }) };
}

interface Person {
  readonly userId: string;
  readonly sessionId: string;
  readonly tenantId: string;
}

async function person(tenantId: string, held: string[] = everything): Promise<Person> {
  const one = { userId: randomUUID(), sessionId: randomUUID(), tenantId };
  await pool.query("insert into standing values ($1, $2, $3)", [one.sessionId, tenantId, held]);
  return one;
}

async function tenant(): Promise<string> {
  const id = randomUUID();
  await pool.query("insert into counters values ($1, 'THB', 3, 5, 1)", [id]);
  return id;
}

function browser(port: number, who: Person, key = service.key): PusherClient {
  const client = pusherClient(key, { host: "127.0.0.1", port }, async ({ socketId, channelName }) => {
    const signed = await authorizeChannel({ pool, service }, { socketId, channel: channelName, caller: who }, tenantOf);
    if (!signed) throw new Error("refused");
    return signed;
  });
  endings.push(() => client.disconnect());
  return client;
}

interface Listener {
  readonly client: PusherClient;
  readonly heard: { event: string; data: Record<string, unknown> }[];
  readonly outcome: Promise<"subscribed" | "refused">;
}

function listener(port: number, who: Person, channel = channelOfTenant(who.tenantId)): Listener {
  const client = browser(port, who);
  const heard: Listener["heard"] = [];
  const subscription = client.subscribe(channel);
  const outcome = new Promise<"subscribed" | "refused">((resolve) => {
    subscription.bind("pusher:subscription_succeeded", () => resolve("subscribed"));
    subscription.bind("pusher:subscription_error", () => resolve("refused"));
  });
  subscription.bind_global((event: string, data: Record<string, unknown>) => {
    if (!event.startsWith("pusher:")) heard.push({ event, data });
  });
  return { client, heard, outcome };
}

interface Raw {
  readonly ws: WebSocket;
  readonly socketId: string;
  readonly frames: { event: string; channel?: string; data: unknown }[];
  readonly closed: Promise<number>;
  /** Why, in the server's words. */
  readonly reason: Promise<string>;
}

/** A client of our own making, which can send what pusher-js never would. */
async function raw(port: number, path = `/app/${service.key}?protocol=7`, headers: Record<string, string> = {}): Promise<Raw> {
  const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  endings.push(() => ws.terminate());
  const frames: Raw["frames"] = [];
  const closed = new Promise<number>((resolve) => ws.once("close", (code) => resolve(code)));
  const reason = new Promise<string>((resolve) => ws.once("close", (_, why) => resolve(why.toString())));
  ws.on("message", (text: Buffer) => frames.push(JSON.parse(text.toString()) as Raw["frames"][number])); // our server's frames
  await new Promise<void>((resolve, reject) => {
    ws.once("error", reject);
    ws.once("message", () => resolve());
    ws.once("close", () => resolve());
  });
  const first = frames[0]?.data;
  const { socket_id: socketId = "" } = typeof first === "string" ? (JSON.parse(first) as { socket_id?: string }) : {}; // likewise
  return { ws, socketId, frames, closed, reason };
}

const subscribe = (to: Raw, channel: unknown, auth: unknown) =>
  to.ws.send(JSON.stringify({ event: "pusher:subscribe", data: { channel, auth } }));

const tenantOf = (channel: string) => tenantOfChannel(channel) ?? tenantOfRightsChannel(channel);
const rightsChannelOf = (tenantId: string) => `private-rights.${tenantId}`;

/** What the server answered to everything sent so far. */
async function settled(one: Raw): Promise<Raw["frames"]> {
  const before = one.frames.filter((frame) => frame.event === "pusher:pong").length;
  one.ws.send(JSON.stringify({ event: "pusher:ping", data: {} }));
  await vi.waitFor(() => expect(one.frames.filter((frame) => frame.event === "pusher:pong").length).toBe(before + 1), soon);
  return one.frames;
}

describe("a member of the tenant", () => {
  test("subscribes and receives counts and ids once per burst, in the ordinary client", async () => {
    const { port, publisher } = await server();
    const one = listener(port, await person(await tenant()));
    expect(await one.outcome).toBe("subscribed");
    const tenantId = [...one.client.allChannels()][0]?.name.slice("private-channel.".length) ?? "";
    const [first, second] = [randomUUID(), randomUUID()];
    publisher.changed(tenantId, "withdraw", [first]);
    publisher.changed(tenantId, "withdraw", [second, first]);
    await publisher.flush();
    await vi.waitFor(() => expect(one.heard).toHaveLength(1), soon);
    expect(one.heard[0]).toEqual({
      event: "withdraw",
      data: {
        process_count: 3,
        pending_count: 5,
        critical_account_count: 1,
        currency: "THB",
        uuids: [first, second],
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    });
  });

  test("learns that more rows changed than fit", async () => {
    const { port, publisher } = await server();
    const who = await person(await tenant());
    const one = listener(port, who);
    await one.outcome;
    publisher.changed(
      who.tenantId,
      "deposit",
      Array.from({ length: 5000 }, () => randomUUID()),
    );
    await vi.waitFor(() => expect(one.heard).toHaveLength(1), soon);
    expect(one.heard[0]?.data["more"]).toBe(true);
    expect(one.heard[0]?.data["uuids"]).toHaveLength(100);
  });

  test("receives only the events of its permissions, and no count it may not see", async () => {
    const { port, publisher } = await server();
    const tenantId = await tenant();
    const all = listener(port, await person(tenantId));
    const deposits = listener(port, await person(tenantId, ["pas.transaction.deposits.view"]));
    const accounts = listener(port, await person(tenantId, ["pas.account.accounts.view", "profile.view"]));
    await Promise.all([all.outcome, deposits.outcome, accounts.outcome]);
    for (const event of ["deposit", "withdraw", "paymentAccount"] as const) {
      publisher.changed(tenantId, event, [randomUUID()]);
      await publisher.flush();
    }
    publisher.changed(tenantId, "deposit", [randomUUID()]);
    publisher.changed(tenantId, "paymentAccount", [randomUUID()]);
    await vi.waitFor(
      () => expect(all.heard.map(({ event }) => event)).toEqual(["deposit", "withdraw", "paymentAccount", "deposit", "paymentAccount"]),
      soon,
    );
    await vi.waitFor(() => expect(deposits.heard.map(({ event }) => event)).toEqual(["deposit", "deposit"]), soon);
    await vi.waitFor(() => expect(accounts.heard.map(({ event }) => event)).toEqual(["paymentAccount", "paymentAccount"]), soon);
    expect(deposits.heard[0]?.data).toMatchObject({ process_count: 3, pending_count: 0, critical_account_count: 0 });
    expect(accounts.heard[0]?.data).toMatchObject({ process_count: 0, pending_count: 0, critical_account_count: 1 });
  });

  test("without any of the three permissions cannot subscribe, and loses its subscription with the last of them", async () => {
    const { port, publisher } = await server();
    const tenantId = await tenant();
    const without = listener(port, await person(tenantId, ["profile.view"]));
    expect(await without.outcome).toBe("refused");
    const who = await person(tenantId);
    const one = listener(port, who);
    await one.outcome;
    const putOut = new Promise((resolve) => one.client.channel(channelOfTenant(tenantId)).bind("pusher:subscription_error", resolve));
    await pool.query("update standing set held = '{profile.view}' where session_id = $1", [who.sessionId]);
    await putOut;
    const witness = listener(port, await person(tenantId));
    await witness.outcome;
    publisher.changed(tenantId, "deposit", [randomUUID()]);
    await vi.waitFor(() => expect(witness.heard).toHaveLength(1), soon);
    // that they are gone, and nothing more
    expect(one.heard.map(({ event }) => event)).toEqual(["rights"]);
  });

  test("is told when its own rights have changed, and only then, and nobody else is", async () => {
    const { port, publisher } = await server();
    const tenantId = await tenant();
    const [who, other] = [await person(tenantId), await person(tenantId)];
    const [one, two] = [listener(port, who), listener(port, other)];
    await Promise.all([one.outcome, two.outcome]);
    await pool.query("update standing set held = array_append(held, 'profile.view') where session_id = $1", [who.sessionId]);
    await vi.waitFor(() => expect(one.heard).toEqual([{ event: "rights", data: {} }]), soon);
    await pool.query("update standing set held = '{pas.transaction.withdrawals.view}' where session_id = $1", [who.sessionId]);
    await vi.waitFor(() => expect(one.heard.map(({ event }) => event)).toEqual(["rights", "rights"]), soon);
    publisher.changed(tenantId, "withdraw", [randomUUID()]);
    await vi.waitFor(() => expect(one.heard.map(({ event }) => event)).toEqual(["rights", "rights", "withdraw"]), soon);
    await vi.waitFor(() => expect(two.heard.map(({ event }) => event)).toEqual(["withdraw"]), soon);
  });

  test("without any of the three hears of its own rights on a channel where nothing else is told", async () => {
    const { port, publisher } = await server();
    const tenantId = await tenant();
    const who = await person(tenantId, ["profile.view"]);
    const [one, foreign] = [listener(port, who, rightsChannelOf(tenantId)), listener(port, who, rightsChannelOf(await tenant()))];
    expect(await Promise.all([one.outcome, foreign.outcome])).toEqual(["subscribed", "refused"]);
    const witness = listener(port, await person(tenantId));
    await witness.outcome;
    publisher.changed(tenantId, "deposit", [randomUUID()]);
    await vi.waitFor(() => expect(witness.heard).toHaveLength(1), soon);
    await pool.query("update standing set held = '{dashboard.view}' where session_id = $1", [who.sessionId]);
    await vi.waitFor(() => expect(one.heard).toEqual([{ event: "rights", data: {} }]), soon);
  });

  test("is cut off by its session's end, not by a heartbeat", async () => {
    const { port } = await server();
    const who = await person(await tenant());
    const one = await raw(port);
    const signed = await authorizeChannel(
      { pool, service },
      { socketId: one.socketId, channel: channelOfTenant(who.tenantId), caller: who },
    );
    subscribe(one, channelOfTenant(who.tenantId), signed?.auth);
    await vi.waitFor(() => expect(one.frames.at(-1)?.event).toBe("pusher_internal:subscription_succeeded"), soon);
    await pool.query("delete from standing where session_id = $1", [who.sessionId]);
    // the clock stands still: no heartbeat comes, and none could say this
    expect([await one.closed, await one.reason]).toEqual([4009, "the session has ended"]);
  });
});

describe("nobody else", () => {
  test("gets another tenant's channel signed, or a channel of another form", async () => {
    const { port } = await server();
    const [own, foreign] = [await tenant(), await tenant()];
    const who = await person(own);
    expect(await listener(port, who, channelOfTenant(foreign)).outcome).toBe("refused");
    const sign = (channel: string, socketId = "1.2") => authorizeChannel({ pool, service }, { socketId, channel, caller: who });
    const wrong = [
      `channel.${own}`,
      `presence-channel.${own}`,
      `private-channel.${own.toUpperCase()}`,
      `private-channel.${own}\n`,
      `private-channel.${own}x`,
    ];
    for (const channel of [...wrong, "private-channel.*", ""]) expect(await sign(channel)).toBeNull();
    for (const id of ["1", "1.2.3", "a.b", "1.2\n", "", "1.2:private-channel.x", "-1.2"])
      expect(await sign(channelOfTenant(own), id)).toBeNull();
    expect(await sign(channelOfTenant(own))).not.toBeNull();
  });

  test("takes over a socket that was signed for another user", async () => {
    const tenantId = await tenant();
    const [one, other] = [await person(tenantId), await person(tenantId)];
    const ask = { socketId: "77.1", channel: channelOfTenant(tenantId) };
    expect(await authorizeChannel({ pool, service }, { ...ask, caller: one })).not.toBeNull();
    expect(await authorizeChannel({ pool, service }, { ...ask, caller: other })).toBeNull();
    expect(await authorizeChannel({ pool, service }, { ...ask, caller: one })).not.toBeNull();
  });

  test("subscribes with any of 60 forged subscriptions", async () => {
    const { port, publisher } = await server();
    const [own, foreign] = [await tenant(), await tenant()];
    const who = await person(own);
    const one = await raw(port);
    const other = await raw(port);
    const channels = [own, foreign].map(channelOfTenant);
    const recorded = async () => {
      await pool.query("insert into realtime_sockets values ($1, $2, $3, $4) on conflict do nothing", [
        one.socketId,
        who.userId,
        own,
        who.sessionId,
      ]);
    };
    await recorded(); // so that only the signature stands between the forger and the channel
    const { key, secret } = service;
    const forged: { channel: unknown; auth: unknown }[] = channels.flatMap((channel) => {
      const right = channelSignature(key, secret, one.socketId, channel);
      const hash = right.slice(key.length + 1);
      return [
        channelSignature(key, "another secret", one.socketId, channel),
        channelSignature(key, "", one.socketId, channel) + "0",
        channelSignature(key, secret, other.socketId, channel),
        channelSignature(key, secret, one.socketId, `${channel}:{"user_id":"1"}`),
        channelSignature(key, secret, one.socketId, `private-channel.${randomUUID()}`),
        channelSignature(key, secret, `${one.socketId} `, channel),
        channelSignature("another-key", secret, one.socketId, channel),
        `${key}:${hash.toUpperCase()}`,
        `${key}:${hash.slice(0, -1)}`,
        `${key}:${hash}0`,
        `${key}:${"0".repeat(64)}`,
        `${key}:`,
        `:${hash}`,
        hash,
        `${key} ${hash}`,
        ` ${right}`,
        `${right}\n`,
        `${key}:${Buffer.from(hash, "hex").toString("base64")}`,
        "",
        null,
        undefined,
        0,
        true,
        [right],
        { key, signature: hash },
      ].map((auth) => ({ channel, auth }));
    });
    const named = [
      `channel.${own}`,
      `presence-channel.${own}`,
      `private-encrypted-channel.${own}`,
      channelOfTenant(own).toUpperCase(),
      `private-channel.${own} `,
    ];
    for (const channel of [...named, `private-channel.${own}.deposit`, "private-channel.*", "private-channel.", "", "#server-to-user-1"]) {
      forged.push({ channel, auth: channelSignature(key, secret, one.socketId, channel) }); // rightly signed, not a tenant's channel
    }
    expect(forged).toHaveLength(60);
    for (const { channel, auth } of forged) {
      const before = one.frames.length;
      subscribe(one, channel, auth);
      await vi.waitFor(() => expect(one.frames.length).toBe(before + 1), soon);
      expect({ channel, auth, answer: one.frames.at(-1)?.event }).toEqual({ channel, auth, answer: "pusher:subscription_error" });
    }
    const witness = listener(port, who);
    await witness.outcome;
    publisher.changed(own, "deposit", [randomUUID()]);
    await vi.waitFor(() => expect(witness.heard).toHaveLength(1), soon);
    expect((await settled(one)).filter(({ event }) => event === "deposit")).toEqual([]);
    const [mine] = channels;
    subscribe(one, mine, channelSignature(key, secret, one.socketId, mine ?? ""));
    await vi.waitFor(() => expect(one.frames.at(-1)?.event).toBe("pusher_internal:subscription_succeeded"), soon);
  });

  test("uses a signature twice, or one that was never asked of us", async () => {
    const { port } = await server();
    const who = await person(await tenant());
    const channel = channelOfTenant(who.tenantId);
    const one = await raw(port);
    const auth = channelSignature(service.key, service.secret, one.socketId, channel);
    subscribe(one, channel, auth);
    await vi.waitFor(() => expect(one.frames.at(-1)?.event).toBe("pusher:subscription_error"), soon);
    await authorizeChannel({ pool, service }, { socketId: one.socketId, channel, caller: who });
    subscribe(one, channel, auth);
    await vi.waitFor(() => expect(one.frames.at(-1)?.event).toBe("pusher_internal:subscription_succeeded"), soon);
    subscribe(one, channel, auth);
    await vi.waitFor(() => expect(one.frames.at(-1)?.event).toBe("pusher:subscription_error"), soon);
  });

  test("publishes from a browser: client events go nowhere", async () => {
    const { port, publisher } = await server();
    const tenantId = await tenant();
    const [one, other] = [listener(port, await person(tenantId)), listener(port, await person(tenantId))];
    await Promise.all([one.outcome, other.outcome]);
    const refused = new Promise<unknown>((resolve) => one.client.connection.bind("error", resolve));
    one.client.channel(channelOfTenant(tenantId)).trigger("client-deposit", { process_count: 99 });
    expect(await refused).toMatchObject({ data: { code: 4301 } });
    publisher.changed(tenantId, "withdraw", [randomUUID()]);
    await vi.waitFor(() => expect(other.heard.map(({ event }) => event)).toEqual(["withdraw"]), soon);
  });
});

describe("a connection", () => {
  test("with a wrong key is refused and does not retry", async () => {
    const { port } = await server();
    const who = await person(await tenant());
    const client = browser(port, who, "wrong-key");
    const failed = new Promise<unknown>((resolve) => client.connection.bind("error", resolve));
    expect(await failed).toMatchObject({ error: { data: { code: 4001 } } });
    await vi.waitFor(() => expect(client.connection.state).toBe("disconnected"), soon);
    expect(await (await raw(port, "/app/wrong-key?protocol=7")).closed).toBe(4001);
  });

  test("with another protocol, path or origin is refused", async () => {
    const { port } = await server(["https://desk.example"]);
    const path = `/app/${service.key}?protocol=7`;
    for (const protocol of ["4", "8", "", "seven"])
      expect(await (await raw(port, `/app/${service.key}?protocol=${protocol}`)).closed).toBe(4007);
    await expect(raw(port, "/apps")).rejects.toThrow("404");
    for (const origin of ["https://evil.example", "null", "https://desk.example.evil.example", `https://127.0.0.1:${port + 1}`]) {
      await expect(raw(port, path, { origin })).rejects.toThrow("403");
    }
    for (const origin of ["https://desk.example", `http://127.0.0.1:${port}`])
      expect((await raw(port, path, { origin })).socketId).not.toBe("");
  });

  test("refused for its origin is logged, once of each origin, and of no more than a hundred", async () => {
    const warn = vi.spyOn(quiet, "warn");
    endings.push(() => warn.mockRestore());
    const { port } = await server();
    const refused = async (origin: string) => {
      await expect(raw(port, `/app/${service.key}?protocol=7`, { origin })).rejects.toThrow("403");
    };
    for (const origin of ["https://desk.example", "https://desk.example"]) await refused(origin);
    const said = () => warn.mock.calls.map(([fields]) => fields).filter((fields) => "origin" in fields);
    expect(said()).toEqual([{ origin: "https://desk.example", host: `127.0.0.1:${port}` }]);
    for (let n = 0; n < 101; n++) await refused(`https://desk${n}.example`);
    expect(said()).toHaveLength(100);
  });

  test("that sends invalid frames is answered, and one that sends too many is closed", async () => {
    const { port } = await server();
    const one = await raw(port);
    for (const frame of [
      "",
      "{",
      "[]",
      "null",
      "1",
      '{"event":1}',
      '{"event":"pusher:subscribe"}',
      '{"event":"pusher:subscribe","data":"{"}',
    ])
      one.ws.send(frame);
    one.ws.send(Buffer.from([1, 2, 3]));
    expect((await settled(one)).slice(1).map(({ event }) => event)).not.toContain("pusher_internal:subscription_succeeded");
    one.ws.send("x".repeat(9000));
    expect(await one.closed).toBe(1009);
    const flood = await raw(port);
    for (let n = 0; n < 300; n++) flood.ws.send('{"event":"pusher:ping"}');
    expect(await flood.closed).toBe(4100);
  });

  test("is sent to reconnect at once when the server goes down", async () => {
    const { app, port } = await server();
    const one = await raw(port);
    await app.close();
    expect(await one.closed).toBe(4200);
  });
});

describe("a request to open a socket that no URL can be made of", () => {
  test("is refused, and the server goes on", async () => {
    const { port } = await server();
    for (const target of ["//", "///", "http://", "//[", "/\\\\"]) {
      const socket = connect(port, "127.0.0.1");
      endings.push(() => socket.destroy());
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
      const answer = await new Promise<string>((resolve) => socket.once("data", (data) => resolve(data.toString())));
      expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    }
    const one = listener(port, await person(await tenant()));
    expect(await one.outcome).toBe("subscribed");
  });
});

describe("one address", () => {
  const from = (proxies: string[], remoteAddress: string, forwarded?: string) =>
    clientAddress(proxies)({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } } as unknown as IncomingMessage); // all it reads

  test("is what the nearest trusted proxy says, and nobody else", () => {
    expect(from([], "203.0.113.9", "198.51.100.1")).toBe("203.0.113.9");
    expect(from(["10.0.0.0/8"], "10.1.2.3", "198.51.100.1")).toBe("198.51.100.1");
    expect(from(["10.0.0.0/8"], "::ffff:10.1.2.3", "6.6.6.6, 198.51.100.1, 10.9.9.9")).toBe("198.51.100.1");
    expect(from(["10.0.0.0/8"], "10.1.2.3")).toBe("10.1.2.3");
    expect(from(["::1"], "::1", "2001:db8::7")).toBe("2001:db8::7");
  });

  test("cannot take every place", async () => {
    const { port } = await server([], 3);
    const held = [await raw(port), await raw(port), await raw(port)];
    expect(held.map(({ socketId }) => socketId !== "")).toEqual([true, true, true]);
    expect(await (await raw(port)).closed).toBe(4100);
    held[0]?.ws.terminate();
    await vi.waitFor(async () => expect((await raw(port)).socketId).not.toBe(""), soon);
  });
});

describe("several servers on one database", () => {
  test("receive each other's events", async () => {
    const [here, there] = [await server(), await server()];
    const tenantId = await tenant();
    const listeners = [listener(here.port, await person(tenantId)), listener(there.port, await person(tenantId))];
    await Promise.all(listeners.map(({ outcome }) => outcome));
    here.publisher.changed(tenantId, "deposit", [randomUUID()]);
    await here.publisher.flush();
    there.publisher.changed(tenantId, "withdraw", [randomUUID()]);
    for (const { heard } of listeners)
      await vi.waitFor(() => expect(heard.map(({ event }) => event)).toEqual(["deposit", "withdraw"]), soon);
  });

  test("never reach another tenant", async () => {
    const { port, publisher } = await server();
    const [one, other] = [await tenant(), await tenant()];
    const [mine, theirs] = [listener(port, await person(one)), listener(port, await person(other))];
    await Promise.all([mine.outcome, theirs.outcome]);
    publisher.changed(one, "deposit", [randomUUID()]);
    await publisher.flush();
    publisher.changed(other, "withdraw", [randomUUID()]);
    await vi.waitFor(() => expect(theirs.heard.map(({ event }) => event)).toEqual(["withdraw"]), soon);
    await vi.waitFor(() => expect(mine.heard.map(({ event }) => event)).toEqual(["deposit"]), soon);
  });

  test("make all clients reconnect when they were cut off from each other for a while, and then receive events again", async () => {
    const { port, publisher } = await server();
    const who = await person(await tenant());
    const one = listener(port, who);
    await one.outcome;
    const again = new Promise<void>((resolve) =>
      one.client.channel(channelOfTenant(who.tenantId)).bind("pusher:subscription_succeeded", resolve),
    );
    await pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'countinghouse-realtime'",
    );
    await again;
    publisher.changed(who.tenantId, "deposit", [randomUUID()]);
    await vi.waitFor(() => expect(one.heard).toHaveLength(1), soon);
  });
});

describe("the publishing API", () => {
  const event = { name: "deposit", channels: [channelOfTenant("00000000-0000-4000-8000-000000000000")], data: "{}" };

  test("takes events and batches of the official client", async () => {
    const { rest } = await server();
    expect((await rest.trigger(event.channels, "deposit", {})).status).toBe(200);
    expect((await rest.triggerBatch([{ channel: event.channels[0] ?? "", name: "withdraw", data: {} }])).status).toBe(200);
  });

  test("refuses what is not signed by the app, over these bytes, now", async () => {
    const { port, rest } = await server();
    const path = `/apps/${service.appId}/events`;
    const body = JSON.stringify(event);
    const query = rest.createSignedQueryString({ method: "POST", path, body });
    const post = async (search: string, sent = body, to = path) =>
      (
        await fetch(`http://127.0.0.1:${port}${to}?${search}`, {
          method: "POST",
          body: sent,
          headers: { "content-type": "application/json" },
        })
      ).status;
    expect(await post(query)).toBe(200);
    expect(await post("")).toBe(401);
    expect(await post(query, `${body} `)).toBe(401);
    expect(await post(query, body, `/apps/${service.appId}/batch_events`)).toBe(401);
    expect(await post(query.replace(/auth_signature=./, "auth_signature=x"))).toBe(401);
    expect(await post(`${query}&auth_key=${service.key}`)).toBe(401);
    expect(await post(`${query}&extra=1`)).toBe(401);
    const stranger = new Pusher({ ...service, secret: "another", host: "127.0.0.1", port: String(port) });
    await expect(stranger.trigger(event.channels, "deposit", {})).rejects.toMatchObject({ status: 401 });
    const elsewhere = new Pusher({ ...service, appId: "other", host: "127.0.0.1", port: String(port) });
    await expect(elsewhere.trigger(event.channels, "deposit", {})).rejects.toMatchObject({ status: 401 });
    const request = { method: "POST", url: `${path}?${query}`, body: Buffer.from(body) };
    const now = Number(new URLSearchParams(query).get("auth_timestamp"));
    expect(
      [now, now + 600, now - 600, now + 601, now - 601].map((at) => isSignedRequest(request, service.key, service.secret, at)),
    ).toEqual([true, true, true, false, false]);
  });

  test("refuses events and channels that are not ours, and data that is too long", async () => {
    const { rest } = await server();
    await expect(rest.trigger(event.channels, "anything", {})).rejects.toMatchObject({ status: 400 });
    await expect(rest.trigger(["public"], "deposit", {})).rejects.toMatchObject({ status: 400 });
    await expect(rest.post({ path: "/events", body: "[" })).rejects.toMatchObject({ status: 400 });
    await expect(rest.trigger(event.channels, "deposit", { long: "x".repeat(9000) })).rejects.toMatchObject({ status: 413 });
  });

  test("a publisher whose service is down keeps trying, and the event still arrives", async () => {
    const { port } = await server();
    const who = await person(await tenant());
    const one = listener(port, who);
    await one.outcome;
    let reachable = false;
    const warned: string[] = [];
    const publisher = createPublisher({
      service: () => ({ ...service, cluster: undefined, host: "127.0.0.1", port, tls: false, embedded: true }),
      log: { ...quiet, warn: (_fields, message) => warned.push(message) },
      counts: async () => {
        if (!reachable) throw new Error("the database is away");
        return [{ processDepositCount: 1, pendingWithdrawalCount: 2, criticalAccountCount: 3 }];
      },
    });
    endings.push(() => publisher.close());
    expect(publisher.changed(who.tenantId, "deposit", [])).toBeUndefined();
    await vi.waitFor(() => expect(warned).not.toEqual([]), soon);
    reachable = true;
    await vi.waitFor(() => expect(one.heard).toHaveLength(1), soon);
  });
});
