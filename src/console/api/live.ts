import type { Channel, default as PusherClient, Options } from "pusher-js";
import { createStore } from "zustand/vanilla";
import type { Config } from "../../contract/session.ts";
import { ChangeEvent, eventPermissions, notificationRoutes } from "../../contract/notifications.ts";
import type { ChangeEventName } from "../../contract/notifications.ts";
import { isAllowed } from "../../contract/permissions.ts";
import { loadChunk } from "../kit/loading/chunk.ts";
import { beginWork } from "../kit/loading/rest.ts";
import type { Call } from "./call.ts";
import type { Session } from "./session.ts";

export interface LiveState {
  /** off: no right to any event, or signed out. */
  readonly link: "off" | "connecting" | "live" | "down";
  /** performance.now() of the last event or of the connection; null before. */
  readonly lastEventAt: number | null;
}

/** What a screen can hear: a change of its rows, or that changes may have been missed. */
export interface LiveEvents {
  deposit: ChangeEvent;
  withdraw: ChangeEvent;
  paymentAccount: ChangeEvent;
  gap: null;
}
type Handlers = { [E in keyof LiveEvents]: Set<(event: LiveEvents[E]) => void> };

export type Live = ReturnType<typeof createLive>;

/** Reconnection waits for the last of a burst (specification, point 9). */
const debounce = 100;

/** A channel refused is asked for again after this long. */
const retry = 5_000;

/** Runs once, when nobody has asked for `debounce` milliseconds. */
function debounced(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = (): void => {};
  return () => {
    clearTimeout(timer);
    const before = over;
    over = beginWork();
    before();
    timer = setTimeout(() => {
      act();
      over();
    }, debounce);
  };
}

export interface LiveDeps {
  /** Events of another currency than the tab's are none of its business. */
  onEvent(name: ChangeEventName, event: ChangeEvent): void;
  /** Counters are to be loaded anew. */
  onGap(): void;
}

/** What of the page the channel must know; each `on…` returns the way to stop listening. */
export interface LivePage {
  readonly address: Pick<Location, "hostname" | "port" | "protocol">;
  /** The tab has become visible. */
  onShown(act: () => void): () => void;
  /** The machine is back on a network. */
  onOnline(act: () => void): () => void;
}

export function browserPage(): LivePage {
  return {
    address: location,
    onShown(act) {
      const look = () => document.visibilityState === "visible" && act();
      document.addEventListener("visibilitychange", look);
      return () => document.removeEventListener("visibilitychange", look);
    },
    onOnline(act) {
      window.addEventListener("online", act);
      return () => window.removeEventListener("online", act);
    },
  };
}

const names = Object.keys(eventPermissions) as ChangeEventName[]; // Object.keys widens

export function createLive(call: () => Call, session: Session, deps: LiveDeps, page: LivePage) {
  const store = createStore<LiveState>(() => ({ link: "off", lastEventAt: null }));
  const handlers: Handlers = { deposit: new Set(), withdraw: new Set(), paymentAccount: new Set(), gap: new Set() };
  let pusher: PusherClient | null = null;
  let channel: Channel | null = null;
  let joined = "";
  let wasLive = false;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let endWork = (): void => {};
  store.subscribe(({ link }, before) => {
    if (link === before.link) return;
    endWork();
    endWork = link === "connecting" ? beginWork() : () => {};
  });

  const publishGap = () => {
    deps.onGap();
    for (const handler of handlers.gap) handler(null);
  };
  const joinSoon = debounced(() => void join());
  const reconnectSoon = debounced(() => {
    // an attempt under way may hang on the network that was lost
    if (pusher && pusher.connection.state !== "connected") pusher.disconnect();
    void join();
  });
  const publishGapSoon = debounced(publishGap);

  function receive(name: ChangeEventName, payload: unknown) {
    const event = ChangeEvent.safeParse(payload);
    if (!event.success) return;
    store.setState({ lastEventAt: performance.now() });
    const { at } = session.store.getState();
    if (!at || (event.data.currency !== undefined && event.data.currency !== at.currency?.code)) return;
    deps.onEvent(name, event.data);
    for (const handler of handlers[name]) handler(event.data);
  }

  function drop() {
    clearTimeout(retryTimer);
    pusher?.disconnect();
    pusher = null;
    channel = null;
    joined = "";
    wasLive = false;
  }

  /** What the session allows to hear, and what tells it from another; null: nothing. */
  function subscriptionOf(at: ReturnType<typeof session.store.getState>["at"]) {
    const allowed = at ? names.filter((name) => isAllowed(at.context.permissions, eventPermissions[name])) : [];
    if (!at || allowed.length === 0) return null;
    return { at, allowed, key: JSON.stringify([at.tenant.id, at.user.uuid, at.config.realtime, allowed]) };
  }

  /** Joins what the session now allows; does nothing where that is joined already. */
  async function join(): Promise<void> {
    const found = subscriptionOf(session.store.getState().at);
    if (found === null) {
      drop();
      store.setState({ link: "off", lastEventAt: null });
      return;
    }
    const { at, allowed, key: wanted } = found;
    if (wanted === joined) {
      if (pusher && pusher.connection.state !== "connected") pusher.connect();
      return;
    }
    drop();
    joined = wanted;
    store.setState({ link: "connecting" });
    const Pusher = await loadChunk(async () => (await import("pusher-js")).default).catch(() => null);
    if (joined !== wanted) return; // switched again while the client loaded
    if (Pusher === null) {
      store.setState({ link: "down" });
      return retryLater();
    }
    const client = new Pusher(at.config.realtime.key, options(at.config.realtime, page.address, authorize));
    pusher = client;
    // the client would connect at once when the machine is back on a network, and each time: we do, after a burst
    Pusher.Runtime.getNetwork().unbind("online");
    client.connection.bind("state_change", ({ current }: { current: string }) => {
      if (pusher === client && current !== "connected")
        store.setState({ link: current === "connecting" && !wasLive ? "connecting" : "down" });
    });
    channel = client.subscribe(`private-channel.${at.tenant.id}`);
    for (const name of allowed) channel.bind(name, (payload: unknown) => receive(name, payload));
    channel.bind("pusher:subscription_succeeded", () => {
      if (pusher !== client) return;
      // what happened while the line was down, or before it first stood, was not heard: due before the line counts as joined
      publishGapSoon();
      store.setState({ link: "live", lastEventAt: performance.now() });
      wasLive = true;
    });
    channel.bind("pusher:subscription_error", () => {
      if (pusher !== client) return;
      store.setState({ link: "down" });
      // the client gives a refused channel up; the server may only have been silent
      retryLater();
    });
  }

  function retryLater(): void {
    retryTimer = setTimeout(() => {
      joined = "";
      void join();
    }, retry);
  }

  const authorize: Authorize = ({ socketId, channelName }, answer) => {
    call()(notificationRoutes.authorizeChannel, { body: { socket_id: socketId, channel_name: channelName } }, { background: true }).then(
      ({ data }) => answer(null, data),
      (error: unknown) => answer(error instanceof Error ? error : new Error(String(error)), null),
    );
  };

  return {
    store,
    /** Returns the way to stop listening. */
    subscribe<E extends keyof LiveEvents>(event: E, handler: (payload: LiveEvents[E]) => void): () => void {
      handlers[event].add(handler);
      return () => handlers[event].delete(handler);
    },
    /** Everybody who listens loads anew. */
    publishGap,
    /** Follows the session and the tab's visibility until told to stop. */
    start(): () => void {
      void join();
      let before = session.store.getState();
      const unfollow = session.store.subscribe((now) => {
        const moved =
          now.at?.context !== before.at?.context || now.at?.config !== before.at?.config || (now.at === null) !== (before.at === null);
        before = now;
        // a context that was only read anew takes no line up: one the service refuses would be asked for without end
        if (moved && subscriptionOf(now.at)?.key !== joined) joinSoon();
      });
      const unshown = page.onShown(() => {
        if (!session.store.getState().at) return;
        joinSoon();
        publishGapSoon();
      });
      const unconnect = page.onOnline(reconnectSoon);
      return () => {
        unfollow();
        unshown();
        unconnect();
        drop();
      };
    },
  };
}

type Authorize = (
  params: { socketId: string; channelName: string },
  answer: (error: Error | null, data: { auth: string } | null) => void,
) => void;

/** The client's options: our own endpoint on the page's host and port, or the configured service. */
export function options(
  realtime: Config["realtime"],
  page: Pick<Location, "hostname" | "port" | "protocol">,
  authorize: Authorize,
): Options {
  // the client would take a host before the cluster
  const isNamed = realtime.host === null && realtime.cluster !== "";
  const isOurs = realtime.host === null && !isNamed;
  const tls = isOurs ? page.protocol === "https:" : realtime.tls;
  const port = realtime.port ?? (isOurs && page.port !== "" ? Number(page.port) : tls ? 443 : 80);
  return {
    cluster: realtime.cluster,
    ...(!isNamed && { wsHost: realtime.host ?? page.hostname, wsPort: port, wssPort: port }),
    forceTLS: tls,
    enabledTransports: ["ws", "wss"],
    enableStats: false,
    channelAuthorization: { customHandler: authorize },
  };
}
