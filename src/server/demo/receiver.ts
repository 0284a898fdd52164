import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { verifyCallback } from "../outbox/sign.ts";

/** A callback a receiver accepted. */
interface Received {
  readonly id: string;
  readonly merchant: string;
  readonly body: string;
}

export interface Receiver {
  /** The URL of a merchant's callbacks. */
  url(merchant: string): string;
  /** Accepted callbacks, one per webhook-id, in order of arrival. */
  readonly effects: readonly Received[];
  /** Number of requests with an invalid signature. */
  readonly forged: number;
  readonly requests: number;
  stop(): Promise<void>;
}

export interface ReceiverOptions {
  /** The secret of the merchant named in the URL; undefined: unknown. */
  readonly secretOf: (merchant: string) => string | undefined;
  /** The fault of this request of the merchant named in the URL: "refused" answers 503; "cut" accepts the callback but loses the answer. */
  readonly fault: (merchant: string) => "refused" | "cut" | null;
  /** Number of effects kept. */
  readonly remember?: number;
}

const largest = 64 * 1024;

/** The merchants' callback server, on loopback: checks each signature, accepts each id once, and sometimes fails. */
export async function startReceiver({ secretOf, fault, remember = 1_000 }: ReceiverOptions): Promise<Receiver> {
  const effects: Received[] = [];
  const seen = new Set<string>();
  const counts = { forged: 0, requests: 0 };
  const server = createServer((request, answer) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largest) chunks.push(chunk);
    });
    request.on("end", () => {
      counts.requests += 1;
      const merchant = decodeURIComponent(request.url?.split("/").at(-1) ?? "");
      const body = Buffer.concat(chunks).toString("utf8");
      const secret = secretOf(merchant);
      const id = String(request.headers["webhook-id"]);
      const reply = (status: number, text: string) => answer.writeHead(status, { "content-type": "application/json" }).end(text);
      if (secret === undefined || !verifyCallback(secret, request.headers, body, new Date())) {
        counts.forged += 1;
        return reply(401, '{"error":"signature"}');
      }
      const wrong = fault(merchant);
      if (wrong === "refused") return reply(503, '{"error":"try again later"}');
      if (!seen.has(id)) {
        seen.add(id);
        effects.push({ id, merchant, body });
        if (effects.length > remember) seen.delete(effects.shift()?.id ?? "");
      }
      return wrong === "cut" ? request.socket.destroy() : reply(200, '{"received":true}');
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: (merchant) => `http://127.0.0.1:${port}/callbacks/${encodeURIComponent(merchant)}`,
    effects,
    get forged() {
      return counts.forged;
    },
    get requests() {
      return counts.requests;
    },
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
