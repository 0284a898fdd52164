import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createCall } from "../../../src/console/api/call.ts";
import type { CallHooks } from "../../../src/console/api/call.ts";
import type { CallFailure } from "../../../src/console/api/failure.ts";
import type { Jar } from "../../../src/console/api/jar.ts";
import { createLink } from "../../../src/console/api/link.ts";
import { createSelection } from "../../../src/console/api/selection.ts";
import { createSend } from "../../../src/console/api/send.ts";
import { createServerTime } from "../../../src/console/api/server-time.ts";
import { createTokens } from "../../../src/console/api/tokens.ts";
import type { Locks } from "../../../src/console/api/tokens.ts";

/** A browser's cookies in memory. */
export function memoryJar(): Jar & { days: Map<string, number> } {
  const held = new Map<string, string>();
  const days = new Map<string, number>();
  return {
    days,
    get: (name) => held.get(name) ?? null,
    set(name, value, length) {
      held.set(name, value);
      days.set(name, length);
    },
    remove: (name) => void held.delete(name),
  };
}

export function memoryTab(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  const held = new Map<string, string>();
  return {
    getItem: (name) => held.get(name) ?? null,
    setItem: (name, value) => void held.set(name, value),
    removeItem: (name) => void held.delete(name),
  };
}

/** Locks shared by the tabs of one browser. */
export function memoryLocks(): Locks {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request(_, act) {
      const mine = last.then(act);
      last = mine.catch(() => {});
      return mine;
    },
  };
}

/** An access token with that expiry (ms since the epoch); unsigned, because the console never checks. */
export function accessToken(expires: number, mark = ""): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ exp: Math.floor(expires / 1000), mark })}.`;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

type Reply = { status: number; body?: unknown; headers?: Record<string, string>; cut?: true };

/** A real HTTP server that answers with `answer`, and records what it was asked. */
export async function startServer(answer: (asked: Asked, n: number) => Reply | Promise<Reply>) {
  const asked: Asked[] = [];
  async function handle(request: IncomingMessage, response: ServerResponse) {
    let text = "";
    for await (const piece of request) text += piece;
    const one = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
    asked.push(one);
    const reply = await answer(one, asked.length);
    if (reply.cut) return response.destroy();
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(reply.body === undefined ? "" : JSON.stringify(reply.body));
  }
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    asked,
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // listening on TCP, so never a string
    to: (path: string) => asked.filter((one) => one.path.startsWith(path)),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** One tab of a browser: `jar` and `locks` are what tabs share. */
export function openTab(
  base: string,
  {
    jar = memoryJar(),
    locks = memoryLocks(),
    hooks = {},
  }: { jar?: ReturnType<typeof memoryJar>; locks?: Locks; hooks?: Partial<CallHooks> } = {},
) {
  const reported: CallFailure[] = [];
  const lost: (string | null)[] = [];
  let forbidden = 0;
  const time = createServerTime();
  const link = createLink(base);
  const send = createSend(link, time);
  const selection = createSelection(jar, memoryTab());
  const tokens = createTokens(jar, send, time, selection, locks, base);
  const call = createCall(
    send,
    tokens,
    selection,
    {
      switchEnd: () => null,
      reloadContext: () => Promise.resolve(true),
      reloadProfile: () => Promise.resolve(true),
      leaveCurrency: () => Promise.resolve(false),
      lost: (used) => void lost.push(used),
      forbidden: () => void forbidden++,
      proveAgain: () => Promise.resolve(false),
      report: (failure) => void reported.push(failure),
      ...hooks,
    },
    base,
  );
  return { call, tokens, selection, time, link, jar, reported, lost, forbidden: () => forbidden };
}
