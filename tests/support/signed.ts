import { randomUUID } from "node:crypto";
import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import { signRequest } from "../../src/server/merchant-api/sign.ts";
import type { SigningMerchant } from "./merchants.ts";

export interface SignedAnswer {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string;
  // each test knows the shape of what it asked for
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
  readonly next: string | null;
  readonly headers: OutgoingHttpHeaders;
}

export interface SignedSending {
  readonly body?: object | Buffer;
  readonly type?: string;
  readonly key?: string;
  /** Replaces what signRequest sends; undefined takes a header away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Sends a merchant's signed requests to an app. Each has a millisecond of its own, because equal ones of one would be one sent twice. */
export function signedBy(app: FastifyInstance, merchant: SigningMerchant) {
  let sent = 0;
  return async (method: "GET" | "POST", path: string, { body, type, key, headers }: SignedSending = {}): Promise<SignedAnswer> => {
    const url = `/service/payment/api/merchant/v1${path}`;
    const payload = body === undefined ? undefined : Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const idempotencyKey = key ?? (method === "GET" ? "" : randomUUID());
    sent += 1;
    const all: Record<string, string | undefined> = {
      ...signRequest(merchant, { method, path: url, idempotencyKey, body: payload ?? "" }, new Date(Date.now() - (sent % 60_000))),
      ...(payload !== undefined && { "content-type": type ?? "application/json" }),
      ...headers,
    };
    const answer = await app.inject({
      method,
      url,
      headers: Object.fromEntries(Object.entries(all).filter((one): one is [string, string] => one[1] !== undefined)),
      ...(payload !== undefined && { payload }),
    });
    const read = answer.json<{ code?: string; message?: string; data?: unknown; meta?: { next: string | null } }>();
    return {
      status: answer.statusCode,
      code: read.code,
      message: read.message ?? "",
      data: read.data,
      next: read.meta?.next ?? null,
      headers: answer.headers,
    };
  };
}

/** The body of a new deposit. */
export const depositOf = (number: string, more: object = {}) => ({
  merchant_txn_no: number,
  amount: "120.00",
  currency: "MYR",
  method: "bank_transfer",
  member: "m1",
  customer_name: "Tan Wei Ming",
  ...more,
});

/** The body of a new withdrawal. */
export const withdrawalOf = (number: string, more: object = {}) => ({
  ...depositOf(number),
  bank: "Maybank",
  account_number: "1234 5678 9012",
  holder: "TAN WEI MING",
  ...more,
});
