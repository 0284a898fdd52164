import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";

export interface Called {
  readonly status: number;
  readonly text: string;
  /** ms from sending to the last byte. */
  readonly ms: number;
}

/** Calls of one signed-in user over kept connections; light, so that the server and not the caller is measured. */
export function caller(base: string, token: string, tenant: string, currency: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(base);
  const call = (method: "GET" | "POST", path: string, body?: unknown): Promise<Called> =>
    new Promise((resolve, reject) => {
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const began = performance.now();
      const sent = request(
        {
          agent,
          hostname,
          port,
          method,
          path,
          headers: {
            authorization: `Bearer ${token}`,
            "x-tenant-id": tenant,
            "x-currency": currency,
            ...(payload !== undefined && {
              "content-type": "application/json",
              "content-length": Buffer.byteLength(payload),
              "idempotency-key": randomUUID(),
            }),
          },
        },
        (answer) => {
          let text = "";
          answer.setEncoding("utf8");
          answer.on("data", (chunk: string) => (text += chunk));
          answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text, ms: performance.now() - began }));
        },
      );
      sent.on("error", reject);
      sent.end(payload);
    });
  return { call, close: () => agent.destroy() };
}

/** The value below which `share` of the times lie. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
