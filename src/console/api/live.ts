import type { Channel, default as PusherClient, Options } from "pusher-js";
import { createStore } from "zustand/vanilla";
import type { Config } from "../../contract/session.ts";
import { ChangeEvent, eventPermissions, notificationRoutes } from "../../contract/notifications.ts";
import type { ChangeEventName } from "../../contract/notifications.ts";
import { isAllowed } from "../../contract/permissions.ts";
import type { Call } from "./call.ts";
import type { Session } from "./session.ts";

export interface LiveState {
  /** off: no right to any event, or signed out. */
  readonly link: "off" | "connecting" | "live" | "down";
  /** performance.now() of the last event or of the connection; null before. */
  readonly heardAt: number | null;
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

export interface LiveDoors {
  /** Events of another currency than the tab's are none of its business. */
  heard(name: ChangeEventName, event: ChangeEvent): void;
  /** Counters are to be loaded anew. */
  gap(): void;
}

const names = Object.keys(eventPermissions) as ChangeEventName[]; // Object.keys widens

export function createLive(call: () => Call, session: Session, doors: LiveDoors, page: Pick<Location, "hostname" | "port" | "protocol">) {
  const store = createStore<LiveState>(() => ({ link: "off", heardAt: null }));
  const handlers: Handlers = { deposit: new Set(), withdraw: new Set(), paymentAccount: new Set(), gap: new Set() };
  let pusher: PusherClient | null = null;
  let channel: Channel | null = null;
  let joined = "";
  let wasLive = false;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const gap = () => {
    doors.gap();
    for (const handler of handlers.gap) handler(null);
  };

  function receive(name: ChangeEventName, payload: unknown) {
    const event = ChangeEvent.safeParse(payload);
    if (!event.success) return;
    store.setState({ heardAt: performance.now() });
    const { at } = session.store.getState();
    if (!at || (event.data.currency !== undefined && event.data.currency !== at.currency?.code)) return;
    doors.heard(name, event.data);
    for (const handler of handlers[name]) handler(event.data);
  }

  function drop() {
    pusher?.disconnect();
    pusher = null;
    channel = null;
    joined = "";
    wasLive = false;
  }

  /** Joins what the session now allows; does nothing where that is joined already. */
  async function join(): Promise<void> {
    const { at } = session.store.getState();
    const allowed = at ? names.filter((name) => isAllowed(at.context.permissions, eventPermissions[name])) : [];
    if (!at || allowed.length === 0) {
      drop();
      store.setState({ link: "off", heardAt: null });
      return;
    }
    const wanted = JSON.stringify([at.tenant.id, at.user.uuid, at.config.realtime, allowed]);
    if (wanted === joined) {
      if (pusher && pusher.connection.state !== "connected") pusher.connect();
      return;
    }
    drop();
    joined = wanted;
    store.setState({ link: "connecting" });
    const { default: Pusher } = await import("pusher-js");
    if (joined !== wanted) return; // switched again while the client loaded
    const client = new Pusher(at.config.realtime.key, options(at.config.realtime, page, authorize));
    pusher = client;
    client.connection.bind("state_change", ({ current }: { current: string }) => {
      if (pusher !== client) return;
      if (current === "connected") {
        store.setState({ link: "live", heardAt: performance.now() });
        // what happened while the line was down was not heard
        if (wasLive) later(gap);
        wasLive = true;
      } else {
        store.setState({ link: current === "connecting" && !wasLive ? "connecting" : "down" });
      }
    });
    channel = client.subscribe(`private-channel.${at.tenant.id}`);
    for (const name of allowed) channel.bind(name, (payload: unknown) => receive(name, payload));
    channel.bind("pusher:subscription_error", () => {
      if (pusher === client) store.setState({ link: "down" });
    });
  }

  const authorize: Authorize = ({ socketId, channelName }, answer) => {
    call()(notificationRoutes.authorizeChannel, { body: { socket_id: socketId, channel_name: channelName } }, { background: true }).then(
      ({ data }) => answer(null, data),
      (error: unknown) => answer(error instanceof Error ? error : new Error(String(error)), null),
    );
  };

  function later(act: () => void) {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      act();
    }, debounce);
  }

  return {
    store,
    /** Returns the way to stop listening. */
    subscribe<E extends keyof LiveEvents>(event: E, handler: (payload: LiveEvents[E]) => void): () => void {
      handlers[event].add(handler);
      return () => handlers[event].delete(handler);
    },
    /** Everybody who listens loads anew. */
    miss: gap,
    /** Follows the session and the tab's visibility until told to stop. */
    start(): () => void {
      void join();
      let before = session.store.getState();
      const unfollow = session.store.subscribe((now) => {
        const moved = now.at?.context !== before.at?.context || now.at?.config !== before.at?.config || (now.at === null) !== (before.at === null);
        before = now;
        if (moved) later(() => void join());
      });
      const shown = () => {
        if (document.visibilityState === "visible" && session.store.getState().at) later(() => (void join(), gap()));
      };
      const online = () => later(() => void join());
      document.addEventListener("visibilitychange", shown);
      window.addEventListener("online", online);
      return () => {
        unfollow();
        document.removeEventListener("visibilitychange", shown);
        window.removeEventListener("online", online);
        if (timer !== null) clearTimeout(timer);
        drop();
      };
    },
  };
}

type Authorize = (params: { socketId: string; channelName: string }, answer: (error: Error | null, data: { auth: string } | null) => void) => void;

/** The client's options: our own endpoint on the page's host and port, or the configured service. */
export function options(
  realtime: Config["realtime"],
  page: Pick<Location, "hostname" | "port" | "protocol">,
  authorize: Authorize,
): Options {
  const tls = realtime.host === null ? page.protocol === "https:" : realtime.tls;
  const port = realtime.port ?? (realtime.host === null && page.port !== "" ? Number(page.port) : tls ? 443 : 80);
  return {
    cluster: realtime.cluster,
    wsHost: realtime.host ?? page.hostname,
    wsPort: port,
    wssPort: port,
    forceTLS: tls,
    enabledTransports: ["ws", "wss"],
    enableStats: false,
    channelAuthorization: { customHandler: authorize },
  };
}
