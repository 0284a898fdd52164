import pusherJs from "pusher-js";
import type { Config } from "../../src/contract/session.ts";
import { channelOfTenant } from "../../src/server/realtime/protocol.ts";
import { vi } from "vitest";
import { ask } from "./http.ts";
import type { Asked, Served } from "./http.ts";

/** Its types describe a default export; in Node the module itself is the class. */
const PusherClient = pusherJs as unknown as typeof pusherJs.default;

/** A console's socket: the client it uses, which connects again by itself. */
export interface LiveSocket {
  /** The uuids of each event so far, by its name. */
  heard(event: string): readonly string[];
  /** How often it has been subscribed. */
  readonly subscribed: number;
  close(): void;
}

/** Resolves when it is subscribed to the tenant's channel. */
export async function liveSocket(served: Served, who: Asked): Promise<LiveSocket> {
  const { data } = await ask(served, "readConfig", who);
  const { key } = (data as Config).realtime; // the contract's answer
  const { hostname, port } = new URL(served.url ?? "");
  const client = new PusherClient(key, {
    cluster: "",
    wsHost: hostname,
    wsPort: Number(port),
    forceTLS: false,
    enabledTransports: ["ws"],
    enableStats: false,
    channelAuthorization: {
      transport: "ajax",
      endpoint: "",
      customHandler: ({ socketId, channelName }, answer) => {
        ask(served, "authorizeChannel", { ...who, body: { socket_id: socketId, channel_name: channelName } }).then(
          ({ status, data: signed, text }) => (status === 200 ? answer(null, signed as { auth: string }) : answer(new Error(text), null)), // the contract's answer
          (error: Error) => answer(error, null),
        );
      },
    },
  });
  const heard = new Map<string, string[]>();
  let subscribed = 0;
  const channel = client.subscribe(channelOfTenant(who.tenant ?? ""));
  channel.bind("pusher:subscription_succeeded", () => subscribed++);
  channel.bind_global((event: string, payload: { uuids?: readonly string[] } | undefined) => {
    heard.set(event, [...(heard.get(event) ?? []), ...(payload?.uuids ?? [])]);
  });
  const socket: LiveSocket = {
    heard: (event) => heard.get(event) ?? [],
    get subscribed() {
      return subscribed;
    },
    close: () => client.disconnect(),
  };
  await vi.waitUntil(() => subscribed > 0, { timeout: 60_000 });
  return socket;
}
