import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Pusher from "pusher-js";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";
import { routes } from "../../../src/contract/index.ts";
import type { ChangeEvent } from "../../../src/contract/notifications.ts";
import { createLive } from "../../../src/console/api/live.ts";
import { createApi } from "../../../src/console/api/api.ts";
import { markRest } from "../../../src/console/kit/loading/rest.ts";
import { createFormats } from "../../../src/console/api/formats.ts";
import { accessToken, memoryJar, memoryLocks, memoryTab } from "./tab-and-server.ts";

const tenant = { id: "11111111-1111-4111-8111-111111111111", code: "MHP", name: "Mekong Harbour", colour: "#a9bd3a" };
const currency = (code: string, minor_digits = 2) => ({
  code,
  name: code,
  minor_digits,
  country: { name: code, timezone: { gmt: "+08:00" } },
});
const soon = { timeout: 30_000, interval: 5 };
const event = (pending: number, code = "MYR"): ChangeEvent => ({
  process_count: 1,
  pending_count: pending,
  critical_account_count: 0,
  currency: code,
  uuids: [],
  at: "2026-11-21T06:32:00.000Z",
});

const ending = { why: "suspended", at: "2026-11-21T06:32:00.000Z", by: null, ip: null, agent: null };

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

interface Further {
  readonly cluster?: string;
  /** What is left of the rights when the channel is being joined. */
  readonly takenAtJoin?: Record<string, string[]>;
}

/** A server with the session's calls and a Pusher-protocol endpoint on one port. */
async function fixture(permissions: Record<string, string[]>, { takenAtJoin, ...service }: Further = {}) {
  const sockets = new Set<WebSocket>();
  const joined: string[] = [];
  const authorized: unknown[] = [];
  const asked = { details: 0, contexts: 0 };
  const held = { permissions };
  let isOver = false;
  const http = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      const answers: Record<string, () => unknown> = {
        [routes.login.path]: () => ({ access_token: accessToken(Date.now() + 900_000), refresh_token: "r" }),
        [routes.readContext.path]: () => (
          asked.contexts++,
          { user_groups: [], permissions: held.permissions, current_tenant: tenant.id, available_tenants: [tenant] }
        ),
        [routes.readConfig.path]: () => ({
          currencies: [currency("MYR"), currency("THB"), currency("VND", 0)],
          realtime: { key: "k", cluster: "", host: null, port: null, tls: false, ...service },
          server_time: new Date().toISOString(),
        }),
        [routes.readProfile.path]: () => ({ user: { uuid: "u", name: "N" } }),
        [routes.readNotificationDetails.path]: () => (
          asked.details++,
          { processDepositCount: 1, pendingWithdrawalCount: 5, criticalAccountCount: 0 }
        ),
        [routes.authorizeChannel.path]: () => {
          authorized.push(JSON.parse(body));
          held.permissions = takenAtJoin ?? held.permissions;
          return { auth: "k:signature" };
        },
        [routes.authorizeRightsChannel.path]: () => (authorized.push(JSON.parse(body)), { auth: "k:rights" }),
        [routes.logout.path]: () => ({}),
      };
      if (isOver) {
        response.writeHead(401, { "content-type": "application/json" });
        return response.end(JSON.stringify({ message: "Your session was ended.", code: "session.ended", data: ending }));
      }
      const answer = answers[request.url ?? ""];
      response.writeHead(answer ? 200 : 503, { "content-type": "application/json" });
      return response.end(JSON.stringify(answer ? { data: answer() } : { message: "no", code: "server.unavailable" }));
    });
  });
  const speaker = new WebSocketServer({ noServer: true });
  let tries = 0;
  let isMute = false;
  http.on("upgrade", (request, socket, head) => {
    tries += 1;
    if (isMute) return void endings.push(() => socket.destroy());
    speaker.handleUpgrade(request, socket, head, (opened) => speaker.emit("connection", opened, request));
  });
  speaker.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.send(
      JSON.stringify({ event: "pusher:connection_established", data: JSON.stringify({ socket_id: "1.2", activity_timeout: 120 }) }),
    );
    socket.on("message", (frame) => {
      const said = JSON.parse(String(frame)) as { event: string; data: { channel: string; auth: string } };
      if (said.event !== "pusher:subscribe") return;
      joined.push(`${said.data.channel} ${said.data.auth}`);
      socket.send(JSON.stringify({ event: "pusher_internal:subscription_succeeded", channel: said.data.channel, data: "{}" }));
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo; // listening on TCP
  endings.push(() => {
    for (const socket of sockets) socket.terminate();
    http.closeAllConnections();
    return new Promise((resolve) => http.close(resolve));
  });

  let shown: () => void = () => {};
  let online: () => void = () => {};
  const nothing = () => {};
  const api = createApi(
    {
      jar: memoryJar(),
      tab: memoryTab(),
      locks: memoryLocks(),
      page: {
        address: { hostname: "127.0.0.1", port: String(port), protocol: "http:" },
        onShown: (act) => ((shown = act), nothing),
        onOnline: (act) => ((online = act), nothing),
      },
      announce: nothing,
      sound: { read: () => false, write: nothing },
      base: `http://127.0.0.1:${port}`,
    },
    {
      report: nothing,
      reportSession: nothing,
      ended: nothing,
      forbidden: nothing,
      proveAgain: () => Promise.resolve(false),
      clearStorage: nothing,
      flush: () => Promise.resolve(),
    },
  );
  endings.push(api.live.start(), () => api.counters.clear());
  await api.session.signIn("n@a.my", "right");
  return {
    api,
    joined,
    authorized,
    asked,
    held,
    sockets,
    show: () => shown(),
    online: () => online(),
    /** A request on its own connection; its answer shows that all earlier requests have been handled. */
    knock: () => fetch(`http://127.0.0.1:${port}/knock`, { headers: { connection: "close" } }),
    /** Ends the session elsewhere: the server accepts nothing of it any more, and closes its sockets. */
    endElsewhere() {
      isOver = true;
      for (const socket of sockets) socket.close(4009);
    },
    /** Number of requested upgrades. */
    tries: () => tries,
    /** While true an upgrade is neither accepted nor refused. */
    mute: (on: boolean) => void (isMute = on),
    link: () => api.live.store.getState().link,
    counts: () => api.counters.store.getState().counts,
    publish(name: string, payload: unknown, channel = "private-channel") {
      for (const socket of sockets)
        socket.send(JSON.stringify({ event: name, channel: `${channel}.${tenant.id}`, data: JSON.stringify(payload) }));
    },
  };
}

const withdrawals = { "pas.transaction.withdrawals": ["view"] };

// first of all, because another page's requests in this process would delay the mark
describe("the page is at rest", () => {
  /** At each mark: the state of the connection, and how often the counters had been requested. */
  function marks(of: Awaited<ReturnType<typeof fixture>>) {
    const set: { link: string; details: number }[] = [];
    let isMarked = false;
    markRest({
      toggleAttribute(_, force) {
        isMarked = force === true;
        if (isMarked) set.push({ link: of.link(), details: of.asked.details });
        return isMarked;
      },
    });
    endings.push(() => markRest({ toggleAttribute: () => false }));
    return { set, isMarked: () => isMarked };
  }

  test("not while the connection is being made", async () => {
    const there = await fixture(withdrawals);
    there.mute(true);
    const { isMarked } = marks(there);
    await vi.waitFor(() => expect([there.tries(), there.counts().withdraw]).toEqual([1, 5]), soon);
    expect([there.link(), isMarked()]).toEqual(["connecting", false]);
  });

  test("only after what may have been missed has been refetched", async () => {
    const there = await fixture(withdrawals);
    const { set, isMarked } = marks(there);
    await vi.waitFor(() => expect([there.asked.details, isMarked()]).toEqual([2, true]), soon);
    expect(set.filter(({ link, details }) => link === "live" && details < 2)).toEqual([]);
  });
});

test("amounts have the decimals of the selected currency", async () => {
  const { api } = await fixture(withdrawals);
  const { amount } = createFormats(null);
  expect(amount("1500.00")).toBe("1,500.00");
  await api.session.switchCurrency("VND");
  expect(amount("1500.00")).toBe("1,500");
  await api.session.switchCurrency("MYR");
  expect(amount("1500.00")).toBe("1,500.00");
});

describe("reconnection", () => {
  test("waits for 100 milliseconds without another attempt, and happens once", () => {
    vi.useFakeTimers();
    endings.push(() => vi.useRealTimers());
    const page = { online: () => {}, shown: () => {} };
    let asked = 0;
    let gaps = 0;
    const at = { context: { permissions: {} }, config: { realtime: { host: "of.others", cluster: "" } } };
    const session = {
      store: { getState: () => ((asked += 1), { at }), subscribe: () => () => {} },
    } as unknown as Parameters<typeof createLive>[1]; // all of it that an unprivileged page's channel reads
    const live = createLive(
      () => Promise.reject.bind(Promise) as never, // never called
      session,
      { onEvent: () => {}, onRights: () => {}, onGap: () => void (gaps += 1), isExpected: () => false },
      {
        address: { hostname: "", port: "", protocol: "http:" },
        onShown: (act) => ((page.shown = act), () => {}),
        onOnline: (act) => ((page.online = act), () => {}),
      },
    );
    endings.push(live.start());
    asked = 0;
    for (let n = 0; n < 5; n++) {
      page.online();
      vi.advanceTimersByTime(99);
    }
    expect(asked).toBe(0);
    vi.advanceTimersByTime(1);
    expect(asked).toBe(1);
    for (let n = 0; n < 5; n++) {
      page.shown();
      vi.advanceTimersByTime(99);
    }
    expect(gaps).toBe(0);
    vi.advanceTimersByTime(1);
    expect(gaps).toBe(1);
  });

  test("after a burst of lost and found networks a hanging attempt is repeated, once", async () => {
    const { api, link, sockets, tries, mute, online, knock } = await fixture(withdrawals);
    let gaps = 0;
    api.live.subscribe("gap", () => gaps++);
    await vi.waitFor(() => expect([link(), gaps]).toEqual(["live", 1]), soon);
    mute(true);
    for (const socket of sockets) socket.terminate();
    await vi.waitFor(() => expect(tries()).toBe(2), soon);
    Pusher.Runtime.getNetwork().emit("online"); // what the client itself hears
    await new Promise((task) => setTimeout(task));
    await knock(); // behind whatever the client began by itself
    expect(tries()).toBe(2);
    for (let n = 0; n < 5; n++) online();
    await vi.waitFor(() => expect(tries()).toBeGreaterThan(2), soon);
    mute(false);
    online();
    // the gap is published after the last attempt: an extra one would have been counted by then
    await vi.waitFor(() => expect([link(), gaps]).toEqual(["live", 2]), soon);
    expect(tries()).toBe(4);
  });
});

describe("the live channel", () => {
  test("is the tenant's own, with the signature of the server", async () => {
    const { joined, authorized, link } = await fixture(withdrawals);
    await vi.waitFor(() => expect(link()).toBe("live"), soon);
    expect(joined).toEqual([`private-channel.${tenant.id} k:signature`]);
    expect(authorized).toEqual([{ socket_id: "1.2", channel_name: `private-channel.${tenant.id}` }]);
  });

  test("is joined as soon as the session has loaded, and its gap told at once, so that what is asked for from then on misses nothing", async () => {
    const { api, link } = await fixture(withdrawals);
    expect(link()).toBe("connecting");
    const gapsWhenLive: number[] = [];
    let gaps = 0;
    api.live.subscribe("gap", () => gaps++);
    api.live.store.subscribe((now) => void (now.link === "live" && gapsWhenLive.push(gaps)));
    await vi.waitFor(() => expect(link()).toBe("live"), soon);
    expect(gapsWhenLive[0]).toBe(1);
  });

  test("without a right to any event is one on which only their own rights are told", async () => {
    const { joined, link } = await fixture({ profile: ["view"] });
    await vi.waitFor(() => expect(link()).toBe("live"), soon);
    expect(joined).toEqual([`private-rights.${tenant.id} k:rights`]);
  });

  test("of a hosted service is not joined without a right to any event", async () => {
    const { joined, link, sockets } = await fixture({ profile: ["view"] }, { cluster: "eu" });
    expect([link(), joined, sockets.size]).toEqual(["off", [], 0]);
  });

  test("once joined reads the rights again, because one taken between their loading and the join was told to nobody", async () => {
    const left = { ...withdrawals, profile: ["view"] };
    const { api, link, asked } = await fixture(withdrawals, { takenAtJoin: left });
    await vi.waitFor(() => expect(api.session.store.getState().at?.context.permissions).toEqual(left), soon);
    await vi.waitFor(() => expect([link(), asked.contexts]).toEqual(["live", 2]), soon);
  });

  test("tells that one's rights have changed: they are read again, and with the last right to an event its channel is left", async () => {
    const { api, link, asked, held, joined, publish } = await fixture(withdrawals);
    await vi.waitFor(() => expect([link(), asked.contexts]).toEqual(["live", 2]), soon);
    held.permissions = { profile: ["view"] };
    publish("rights", {});
    await vi.waitFor(() => expect(api.session.store.getState().at?.context.permissions).toEqual({ profile: ["view"] }), soon);
    await vi.waitFor(() => expect(joined.at(-1)).toBe(`private-rights.${tenant.id} k:rights`), soon);
    await vi.waitFor(() => expect([link(), asked.contexts]).toEqual(["live", 4]), soon);
    publish("rights", {}, "private-rights");
    await vi.waitFor(() => expect(asked.contexts).toBe(5), soon);
  });

  test("after a break reads the rights again, because a change of them may have been missed", async () => {
    const { api, link, sockets, held, asked } = await fixture(withdrawals);
    await vi.waitFor(() => expect([link(), asked.contexts]).toEqual(["live", 2]), soon);
    held.permissions = { ...withdrawals, profile: ["view"] };
    for (const socket of sockets) socket.close(4200);
    await vi.waitFor(() => expect(api.session.store.getState().at?.context.permissions).toEqual(held.permissions), soon);
  });

  test("delivers only events the user has a right to", async () => {
    const { api, link, publish } = await fixture(withdrawals);
    const heard: string[] = [];
    for (const name of ["deposit", "withdraw", "paymentAccount"] as const) api.live.subscribe(name, () => heard.push(name));
    await vi.waitFor(() => expect(link()).toBe("live"), soon);
    for (const name of ["deposit", "paymentAccount", "withdraw"]) publish(name, event(6));
    await vi.waitFor(() => expect(heard).toContain("withdraw"), soon);
    expect(heard).toEqual(["withdraw"]);
  });

  test("updates the counters, but not by events of another currency or unknown ones", async () => {
    const { api, link, publish, counts } = await fixture(withdrawals);
    await vi.waitFor(() => expect([link(), counts().withdraw]).toEqual(["live", 5]), soon);
    const shown = new Set<number | null>();
    api.counters.store.subscribe((state) => shown.add(state.counts.withdraw));
    publish("withdraw", event(70, "THB"));
    publish("withdraw", { pending_count: "80" });
    publish("withdraw", event(6));
    await vi.waitFor(() => expect(counts().withdraw).toBe(6), soon);
    expect([...shown].filter((count) => count === 70 || count === 80)).toEqual([]);
  });

  test("after a break publishes a gap, and the counters load again", async () => {
    const { api, link, sockets, asked, joined } = await fixture(withdrawals);
    let gaps = 0;
    api.live.subscribe("gap", () => gaps++);
    // one load at sign-in, one when the channel is connected
    await vi.waitFor(() => expect([link(), gaps, asked.details]).toEqual(["live", 1, 2]), soon);
    const before = asked.details;
    for (const socket of sockets) socket.close(4200);
    await vi.waitFor(() => expect([gaps, joined.length, asked.details]).toEqual([2, 2, before + 1]), soon);
  });

  test("a tab that becomes visible loads again, once for a burst", async () => {
    const { link, show, asked, api } = await fixture(withdrawals);
    let gaps = 0;
    api.live.subscribe("gap", () => gaps++);
    // one load at sign-in, one when the channel is connected
    await vi.waitFor(() => expect([link(), gaps, asked.details]).toEqual(["live", 1, 2]), soon);
    const before = asked.details;
    for (let n = 0; n < 5; n++) show();
    await vi.waitFor(() => expect([gaps, asked.details]).toEqual([2, before + 1]), soon);
  });

  test("closed because the session ended elsewhere, leads to the sign-in page at once, with the reason", async () => {
    const { api, link, asked, endElsewhere } = await fixture(withdrawals);
    // no other request is under way that would find out
    await expect.poll(() => [link(), asked.details], soon).toEqual(["live", 2]);
    endElsewhere();
    await expect.poll(() => api.session.store.getState(), soon).toMatchObject({ phase: "signed-out", ended: ending });
  });

  test("is left at sign-out", async () => {
    const { api, link, sockets } = await fixture(withdrawals);
    await vi.waitFor(() => expect(link()).toBe("live"), soon);
    await api.session.signOut();
    await vi.waitFor(() => expect([link(), sockets.size]).toEqual(["off", 0]), soon);
  });
});
