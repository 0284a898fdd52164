import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { moneyText } from "../../values/money.ts";

/** What goes wrong at a provider: each answers as the real ones do when they fail. */
export const providerFaults = ["slow", "down", "not-json", "wrong-currency", "redirect"] as const;
export type ProviderFault = (typeof providerFaults)[number];

export interface Provider {
  /** Where an account's credit is asked for. */
  url(account: string): string;
  readonly requests: number;
  stop(): Promise<void>;
}

export interface ProviderAccount {
  readonly currency: string;
  /** Whether the request proves that it may ask. */
  knows(headers: Readonly<Record<string, string | string[] | undefined>>): boolean;
  /** Ten-thousandths, at this moment. */
  balance(): bigint;
  fault(): ProviderFault | null;
}

/** A game provider on loopback, where the demo's master accounts and those of tests have their credit. */
export async function startProvider(accounts: ReadonlyMap<string, ProviderAccount>): Promise<Provider> {
  let requests = 0;
  const server = createServer((request, answer) => {
    requests += 1;
    request.resume();
    const account = accounts.get(decodeURIComponent(new URL(request.url ?? "/", "http://provider").pathname.split("/").at(-1) ?? ""));
    const reply = (status: number, body: object) =>
      answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (account === undefined) return reply(404, { status: "UNKNOWN_AGENT" });
    if (!account.knows(request.headers)) return reply(401, { status: "BAD_KEY" });
    const balance = account.balance();
    const whole = { status: "OK", data: { balance: moneyText(balance), currency: account.currency, credit: balance > 0n } };
    switch (account.fault()) {
      case null:
        return reply(200, whole);
      case "slow":
        return undefined; // never: the caller's time-out ends it
      case "down":
        return reply(500, { status: "MAINTENANCE" });
      case "not-json":
        return answer.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>");
      case "wrong-currency":
        return reply(200, { ...whole, data: { ...whole.data, currency: "XXX" } });
      case "redirect":
        return answer.writeHead(302, { location: "/sign-in" }).end();
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: (account) => `http://127.0.0.1:${port}/credit/${encodeURIComponent(account)}`,
    get requests() {
      return requests;
    },
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
