import { once } from "node:events";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "../../src/server/app.ts";
import { readConfig } from "../../src/server/config.ts";
import { testDatabase } from "../support/database.ts";
import { makeDeps, makePerson, makeTenant } from "../support/factories.ts";
import { sessionOf } from "../support/http.ts";

const db = testDatabase();
const logged: string[] = [];
let app: FastifyInstance;
let authorization: string;

beforeAll(async () => {
  const deps = { ...makeDeps(db), config: readConfig({ DEVELOPMENT: "true", REQUESTS_PER_MINUTE: "1000000" }) };
  app = await buildApp(deps, { logger: pino({ level: "warn" }, { write: (line: string) => logged.push(line) }), consoleFolder: null });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { id } = await makePerson(db, await makeTenant(db), "Nurul Aisyah");
  authorization = `authorization: Bearer ${(await sessionOf(deps, id)).access_token}\r\n`;
});
afterAll(() => app.close());

/** One connection, kept as browsers and most clients keep theirs. */
async function dial(): Promise<{ socket: Socket; heard(): string; isClosed(): boolean }> {
  const { port } = app.server.address() as AddressInfo; // listening on TCP
  const socket = connect({ port, host: "127.0.0.1" });
  let heard = "";
  let isClosed = false;
  socket.on("error", () => undefined); // closed under a write
  socket.on("close", () => (isClosed = true));
  socket.on("data", (chunk) => (heard += chunk.toString()));
  await once(socket, "connect");
  return { socket, heard: () => heard, isClosed: () => isClosed };
}

const path = "/service/payment/api/tenant/v1/merchants/00000000-0000-4000-8000-000000000000";
const much = "x".repeat(400_000);
const bodies: [what: string, headers: string, body: string][] = [
  ["a text", "content-type: text/plain\r\ncontent-length: 5\r\n", "hello"],
  ["a long text", `content-type: text/plain\r\ncontent-length: ${much.length}\r\n`, much],
  ["a text in pieces", "content-type: text/plain\r\ntransfer-encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n"],
  ["a body of no kind", "content-length: 5\r\n", "hello"],
  ["broken JSON", "content-type: application/json\r\ncontent-length: 5\r\n", "{oops"],
  ["JSON where none is taken", "content-type: application/json\r\ncontent-length: 7\r\n", '{"a":1}'],
  ["an empty JSON", "content-type: application/json\r\ncontent-length: 0\r\n", ""],
  ["too long a JSON", `content-type: application/json\r\ncontent-length: ${much.length}\r\n`, much],
];
const sent = ["DELETE", "POST", "PUT"].flatMap((method) =>
  bodies.flatMap((body) => (["known", "unknown"] as const).map((caller) => [method, caller, ...body] as const)),
);

test.each(sent)("after a refused %s of a caller who is %s, with %s, the connection is kept, or its end is said", async (...request) => {
  const [method, caller, , headers, body] = request;
  const { socket, heard, isClosed } = await dial();
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: x\r\n${caller === "known" ? authorization : ""}${headers}\r\n${body}`);
  await expect.poll(heard).toMatch(/^HTTP\/1\.1 4\d\d .*\r\n\r\n/s);
  const isItsLast = /\r\nconnection: close\r\n/i.test(heard());
  if (!isItsLast) socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
  const isAnswered = () => heard().includes('{"status":"ok"}');
  await expect.poll(() => isClosed() || isAnswered()).toBe(true);
  expect({ isClosed: isClosed(), isAnswered: isAnswered() }).toEqual({ isClosed: isItsLast, isAnswered: !isItsLast });
  socket.destroy();
});

test("an unauthenticated body that stalls is given up without a log entry", async () => {
  const { headersTimeout, requestTimeout } = app.server;
  app.server.headersTimeout = app.server.requestTimeout = 500;
  const { socket, heard, isClosed } = await dial();
  const login = "POST /service/centralize-authenticate/api/tenant/v1/auth/login HTTP/1.1\r\nhost: x\r\n";
  socket.write(`${login}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"email":`);
  await expect.poll(isClosed).toBe(true);
  expect(heard()).toMatch(/^(?:HTTP\/1\.1 408 .*)?$/s);
  expect(logged).toEqual([]);
  Object.assign(app.server, { headersTimeout, requestTimeout });
});
