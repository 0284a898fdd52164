// Written only from /docs, like an integrator's: nothing of the product is imported.
import { createHmac, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

const base = "/service/payment/api/merchant/v1";

export interface Answer {
  readonly status: number;
  readonly code?: string;
  readonly data?: Record<string, unknown>;
  readonly meta?: { readonly next: string | null };
}
export interface Callback {
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

/** A client of the merchant API at `server`. */
export function docsClient(server: string, apiKey: string, secret: string) {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");

  async function send(method: string, path: string, body: string | Buffer, type: string, idempotencyKey: string): Promise<Answer> {
    const timestamp = (Date.now() / 1000).toFixed(3);
    const head = ["v2", timestamp, method, base + path, idempotencyKey, ""].join("\n");
    const answer = await fetch(server + base + path, {
      method,
      headers: {
        "x-api-key": apiKey,
        "x-timestamp": timestamp,
        "x-signature": `v2=${createHmac("sha256", key).update(head).update(body).digest("hex")}`,
        ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
        ...(body.length > 0 && { "content-type": type }),
      },
      ...(body.length > 0 && { body: typeof body === "string" ? body : new Uint8Array(body) }),
    });
    return { status: answer.status, ...((await answer.json()) as object) };
  }

  /** Sends until an answer comes, with one key and each time signed anew. */
  async function write(path: string, body: string | Buffer, type = "application/json"): Promise<Answer> {
    const idempotencyKey = randomUUID();
    for (let attempt = 1; ; attempt++) {
      const answer = await send("POST", path, body, type, idempotencyKey).catch(() => null);
      if (answer && answer.status < 500) return answer;
      if (attempt === 3) throw new Error("no answer");
    }
  }

  return {
    deposit: (fields: object) => write("/deposits", JSON.stringify(fields)),
    withdraw: (fields: object) => write("/withdrawals", JSON.stringify(fields)),
    cancel: (uuid: string) => write(`/withdrawals/${uuid}/cancel`, ""),
    paid: (uuid: string, reference_no: string) => write(`/deposits/${uuid}/paid`, JSON.stringify({ reference_no })),
    receipt: (uuid: string, file: Buffer, type: string) => write(`/deposits/${uuid}/receipt`, file, type),
    testCallback: () => write("/callbacks/test", ""),
    read: (uuid: string) => send("GET", `/transactions/${uuid}`, "", "", ""),
    changes: (cursor: string | null, since: string) =>
      send("GET", `/transactions?${cursor ? `cursor=${cursor}` : `updated_since=${since}`}`, "", "", ""),
    balance: () => send("GET", "/balance", "", "", ""),
  };
}

/** A callback URL on this machine; what is genuine is kept once by its id. */
export async function docsReceiver(secret: () => string) {
  const kept = new Map<string, Callback>();
  let forged = 0;
  const server = createServer((request, answer) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const id = String(request.headers["webhook-id"]);
      try {
        const headers = request.headers as Record<string, string>; // the library refuses what is none
        const event = new Webhook(secret()).verify(Buffer.concat(chunks).toString("utf8"), headers) as Omit<Callback, "id">;
        if (!kept.has(id)) kept.set(id, { id, ...event });
        answer.writeHead(204).end();
      } catch {
        forged += 1;
        answer.writeHead(401).end();
      }
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    callbacks: () => [...kept.values()],
    forged: () => forged,
    close: () => void server.close(),
  };
}
