import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent, createServer, request as send } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/**
 * A plain round-robin proxy as operators have one before several servers: it asks each for `/readyz`, passes requests and sockets on in
 * turns to those that are ready, keeps connections, and tries nothing a second time.
 */
export interface Balancer {
  readonly url: string;
  /** The servers in rotation, by their places in `urls`. */
  inRotation(): readonly number[];
  /** What probes of a server have found, each finding once: an HTTP status, or "gone". */
  found(server: number): readonly (number | "gone")[];
  /** How many requests each server was given. */
  readonly given: readonly number[];
  close(): Promise<void>;
}

interface Backend {
  readonly port: number;
  readonly agent: Agent;
  readonly found: (number | "gone")[];
  isReady: boolean;
}

/** Ms between two probes of a server: the servers answer twenty probes a second of one address, all of them together. */
const everyMs = 250;

export async function balancerBefore(urls: readonly string[]): Promise<Balancer> {
  const backends: Backend[] = urls.map((url) => ({
    port: Number(new URL(url).port),
    agent: new Agent({ keepAlive: true }),
    found: [],
    isReady: false,
  }));
  const given = urls.map(() => 0);
  const sockets = new Set<Socket>();
  const closing = new AbortController();
  let turn = 0;

  function next(): Backend | undefined {
    for (let tries = 0; tries < backends.length; tries++) {
      const at = turn++ % backends.length;
      const backend = backends[at];
      if (!backend?.isReady) continue;
      given[at] = (given[at] ?? 0) + 1;
      return backend;
    }
    return undefined;
  }

  function probe({ port }: Backend): Promise<number | "gone"> {
    return new Promise((answered) => {
      const probing = send({ host: "127.0.0.1", port, path: "/readyz", agent: false }, (answer) => {
        answer.resume();
        answered(answer.statusCode ?? 0);
      });
      probing.on("error", () => answered("gone"));
      probing.end();
    });
  }

  async function watch(backend: Backend): Promise<void> {
    while (!closing.signal.aborted) {
      const found = await probe(backend);
      if (backend.found.at(-1) !== found) backend.found.push(found);
      backend.isReady = found === 200;
      await delay(everyMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  const proxy = createServer((request: IncomingMessage, response: ServerResponse) => {
    const backend = next();
    if (!backend) return void response.writeHead(502).end("no server is ready");
    const { method, url, socket } = request;
    const headers = { ...request.headers, "x-forwarded-for": socket.remoteAddress ?? "" };
    const passed = send({ host: "127.0.0.1", port: backend.port, method, path: url, headers, agent: backend.agent }, (answer) => {
      // of this hop alone
      const { connection: _, "keep-alive": __, ...rest } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, rest);
      answer.pipe(response);
    });
    passed.on("error", (error) => response.headersSent || response.writeHead(502).end(String(error)));
    request.pipe(passed);
  });
  proxy.on("upgrade", (request: IncomingMessage, client: Socket, head: Buffer) => {
    const backend = next();
    if (!backend) return client.destroy();
    const upstream = connect(backend.port, "127.0.0.1");
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => undefined); // its end follows
      one.on("close", () => {
        sockets.delete(one);
        other.destroySoon();
      });
      one.pipe(other);
    }
    const lines = request.rawHeaders.flatMap((word, n, all) => (n % 2 === 0 ? [`${word}: ${all[n + 1]}`] : []));
    upstream.write(`${[`GET ${request.url} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n`);
    upstream.write(head);
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  const watching = backends.map(watch);

  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, // listening on TCP
    inRotation: () => backends.flatMap(({ isReady }, n) => (isReady ? [n] : [])),
    found: (server) => backends[server]?.found ?? [],
    given,
    async close() {
      closing.abort();
      await Promise.all(watching);
      const closed = new Promise((over) => proxy.close(over));
      proxy.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      for (const { agent } of backends) agent.destroy();
      await closed;
    },
  };
}
