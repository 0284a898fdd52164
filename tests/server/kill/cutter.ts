import type { AddressInfo, Socket } from "node:net";
import { connect, createServer } from "node:net";

/** A proxy to a server that can cut off requests under way. */
export interface Cutter {
  readonly url: string;
  /** From now on: an answer at its first byte, so after its commit; a request once it is sent; or nothing. */
  cut(what: "answer" | "request" | "nothing"): void;
  close(): Promise<void>;
}

export async function cutterBefore(server: string): Promise<Cutter> {
  let cutting: Parameters<Cutter["cut"]>[0] = "nothing";
  const clients = new Set<Socket>();
  const proxy = createServer((client) => {
    clients.add(client);
    const upstream = connect(Number(new URL(server).port), "127.0.0.1");
    for (const socket of [client, upstream]) socket.on("error", () => undefined); // cut
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    client.on("close", () => {
      clients.delete(client);
      upstream.end();
    });
    upstream.on("close", end);
    client.on("data", (chunk) => upstream.write(chunk, () => cutting === "request" && client.destroy()));
    upstream.on("data", (chunk) => (cutting === "answer" ? end() : client.write(chunk)));
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  const { port } = proxy.address() as AddressInfo; // listening on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    cut: (what) => void (cutting = what),
    async close() {
      const closed = new Promise((over) => proxy.close(over));
      for (const client of clients) client.destroy(); // one that is kept for the next request would be waited for
      await closed;
    },
  };
}
