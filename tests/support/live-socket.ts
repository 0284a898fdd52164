import type { Config } from "../../src/contract/session.ts";
import { channelOfTenant } from "../../src/server/realtime/protocol.ts";
import { vi } from "vitest";
import { ask } from "./http.ts";
import type { Asked, Served } from "./http.ts";
import { pusherClient } from "./pusher-client.ts";

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
  const client = pusherClient(key, { host: hostname, port: Number(port) }, async ({ socketId, channelName }) => {
    const body = { socket_id: socketId, channel_name: channelName };
    const { status, data: signed, text } = await ask(served, "authorizeChannel", { ...who, body });
    if (status !== 200) throw new Error(text);
    return signed as { auth: string }; // the contract's answer
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
