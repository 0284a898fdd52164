import type { Channel, default as PusherClient, Options } from "pusher-js";
import { createStore } from "zustand/vanilla";
import type { Config } from "../../contract/session.ts";
import { ChangeEvent, eventPermissions, notificationRoutes, rightsEvent } from "../../contract/notifications.ts";
import type { ChangeEventName } from "../../contract/notifications.ts";
import { isAllowed } from "../../contract/permissions.ts";
import { loadChunk } from "../kit/loading/chunk.ts";
import { beginWork } from "../kit/loading/rest.ts";
import type { Call } from "./call.ts";
import type { Session } from "./session.ts";

export interface LiveState {
  /** off: signed out; or no right to any event, where a service of others tells them. */
  readonly link: "off" | "connecting" | "live" | "down";
  /** performance.now() of the last event or of the connection; null before the first. */
  readonly lastEventAt: number | null;
}

/** Events a screen can subscribe to; "gap" says that changes may have been missed. */
export interface LiveEvents {
  deposit: ChangeEvent;
  withdraw: ChangeEvent;
  paymentAccount: ChangeEvent;
  bankLine: ChangeEvent;
  masterAccount: ChangeEvent;
  scoreWatcher: ChangeEvent;
  scoreAlarm: ChangeEvent;
  merchantProvider: ChangeEvent;
  providerGame: ChangeEvent;
  downtime: ChangeEvent;
  downtimeNotice: ChangeEvent;
  callback: ChangeEvent;
  gap: null;
}
type Handlers = { [E in keyof LiveEvents]: Set<(event: LiveEvents[E]) => void> };

export type Live = ReturnType<typeof createLive>;

const [eventChannels, rightsChannels] = ["private-channel.", "private-rights."];

/** ms by which attempts to connect are debounced (specification, point 9). */
const debounce = 100;

/** ms after which a refused subscription is tried again. */
const retry = 5_000;

/** Runs `act` once, when it has not been called again for `debounce` milliseconds. */
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
  /** Called for every event of the tab's currency. */
  onEvent(name: ChangeEventName, event: ChangeEvent): void;
  /** What the user may do in this tenant has changed. */
  onRights(): void;
  /** Events may have been missed. */
  onGap(): void;
  /** Whether the page was opened with a session, which will want the channel. */
  isExpected(): boolean;
}

/** What the channel needs from the page; each `on…` returns the function that stops listening. */
export interface LivePage {
  readonly address: Pick<Location, "hostname" | "port" | "protocol">;
  /** The tab has become visible. */
  onShown(act: () => void): () => void;
  /** The machine is online again. */
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

const fetchClient = () => loadChunk(async () => (await import("pusher-js")).default);

export function createLive(call: () => Call, session: Session, deps: LiveDeps, page: LivePage) {
  const store = createStore<LiveState>(() => ({ link: "off", lastEventAt: null }));
  const handlers: Handlers = {
    deposit: new Set(),
    withdraw: new Set(),
    paymentAccount: new Set(),
    bankLine: new Set(),
    masterAccount: new Set(),
    scoreWatcher: new Set(),
    scoreAlarm: new Set(),
    merchantProvider: new Set(),
    providerGame: new Set(),
    downtime: new Set(),
    downtimeNotice: new Set(),
    callback: new Set(),
    gap: new Set(),
  };
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

  /** What the session allows this tab to subscribe to, with a key that identifies it; null: nothing. */
  function subscriptionOf(at: ReturnType<typeof session.store.getState>["at"]) {
    const allowed = at ? names.filter((name) => isAllowed(at.context.permissions, eventPermissions[name])) : [];
    if (!at || (allowed.length === 0 && !isOurs(at.config.realtime))) return null;
    return { at, allowed, key: JSON.stringify([at.tenant.id, at.user.uuid, at.config.realtime, allowed]) };
  }

  /** Subscribes to what the session now allows; does nothing where that is already subscribed. */
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
    const Pusher = await fetchClient().catch(() => null);
    if (joined !== wanted) return; // switched again while the client was loading
    if (Pusher === null) {
      store.setState({ link: "down" });
      return retryLater();
    }
    const client = new Pusher(at.config.realtime.key, options(at.config.realtime, page.address, authorize));
    pusher = client;
    // pusher-js would reconnect at every "online" event; `reconnectSoon` does it once per burst instead
    Pusher.Runtime.getNetwork().unbind("online");
    client.connection.bind("state_change", ({ current }: { current: string }) => {
      if (pusher === client && current !== "connected")
        store.setState({ link: current === "connecting" && !wasLive ? "connecting" : "down" });
    });
    // without a right to any event only a change of one's own rights is listened to
    channel = client.subscribe(`${allowed.length > 0 ? eventChannels : rightsChannels}${at.tenant.id}`);
    channel.bind(rightsEvent, () => deps.onRights());
    for (const name of allowed) channel.bind(name, (payload: unknown) => receive(name, payload));
    channel.bind("pusher:subscription_succeeded", () => {
      if (pusher !== client) return;
      // events before this were missed, so the gap is due before the connection counts as live; of a first one it is told at once,
      // because a screen that asks for its rows from now on misses nothing and need not ask again
      if (wasLive) publishGapSoon();
      else publishGap();
      store.setState({ link: "live", lastEventAt: performance.now() });
      wasLive = true;
    });
    channel.bind("pusher:subscription_error", () => {
      if (pusher !== client) return;
      store.setState({ link: "down" });
      // pusher-js gives up a refused channel, but the server may only have failed to answer
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
    const route = channelName.startsWith(rightsChannels) ? notificationRoutes.authorizeRightsChannel : notificationRoutes.authorizeChannel;
    call()(route, { body: { socket_id: socketId, channel_name: channelName } }, { background: true }).then(
      ({ data }) => answer(null, data),
      (error: unknown) => answer(error instanceof Error ? error : new Error(String(error)), null),
    );
  };

  return {
    store,
    /** Returns the function that unsubscribes. */
    subscribe<E extends keyof LiveEvents>(event: E, handler: (payload: LiveEvents[E]) => void): () => void {
      handlers[event].add(handler);
      return () => handlers[event].delete(handler);
    },
    /** Makes all subscribers refetch. */
    publishGap,
    /** Follows the session and the tab's visibility; returns the function that stops it. */
    start(): () => void {
      // fetched while the session loads: the sooner the channel is joined, the less has been asked for that must be asked for again
      if (deps.isExpected()) void fetchClient().catch(() => undefined);
      void join();
      const unfollow = session.store.subscribe((now, past) => {
        const moved =
          now.at?.context !== past.at?.context || now.at?.config !== past.at?.config || (now.at === null) !== (past.at === null);
        // a reloaded context without changes does not reconnect, because a refused connection would be tried without end
        if (!moved || subscriptionOf(now.at)?.key === joined) return;
        if (past.at === null) void join();
        else joinSoon();
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

/** Whether the events come from the server itself. */
const isOurs = ({ host, cluster }: Config["realtime"]): boolean => host === null && cluster === "";

/** The client's options for our own endpoint on the page's host and port, or for the configured service. */
export function options(
  realtime: Config["realtime"],
  page: Pick<Location, "hostname" | "port" | "protocol">,
  authorize: Authorize,
): Options {
  // pusher-js would prefer a host to the cluster
  const isNamed = realtime.host === null && realtime.cluster !== "";
  const ours = isOurs(realtime);
  const tls = ours ? page.protocol === "https:" : realtime.tls;
  const port = realtime.port ?? (ours && page.port !== "" ? Number(page.port) : tls ? 443 : 80);
  return {
    cluster: realtime.cluster,
    ...(!isNamed && { wsHost: realtime.host ?? page.hostname, wsPort: port, wssPort: port }),
    forceTLS: tls,
    enabledTransports: ["ws", "wss"],
    enableStats: false,
    channelAuthorization: { customHandler: authorize },
  };
}
