import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bankImportRoutes } from "../../src/contract/bank-imports.ts";
import { sessionRoutes } from "../../src/contract/session.ts";
import { testDatabase } from "../support/database.ts";
import { makePerson, makeTenant } from "../support/factories.ts";
import { giveDirectly } from "../support/people.ts";
import { serve, sessionOf } from "../support/http.ts";
import type { Served } from "../support/http.ts";

const db = testDatabase();
let served: Served;
let url: string;

beforeAll(async () => {
  served = await serve(db);
  served.app.get("/stuck", () => new Promise(() => undefined));
  url = await served.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => served.app.close());

const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status;

test("without its database a process is alive but not ready, says 503 to a call, and is ready again when the database is back", async () => {
  const { rows } = await db.owner.query<{ name: string }>("select current_database() as name");
  const name = rows[0]?.name ?? "";
  expect([await statusOf("/healthz"), await statusOf("/readyz")]).toEqual([200, 200]);
  await db.owner.query(`alter database ${name} connection limit 0`); // the superuser comes in all the same
  await db.owner.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename like 'countinghouse%'", [
    name,
  ]);
  await vi.waitFor(async () => expect(await statusOf("/readyz")).toBe(503), { timeout: 60_000 });
  expect(await statusOf("/healthz")).toBe(200);
  const login = await fetch(`${url}/service/centralize-authenticate/api/tenant/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "a@example.com", password: "whatever it is" }),
  });
  expect([login.status, login.headers.get("retry-after")]).toEqual([503, "2"]);
  await db.owner.query(`alter database ${name} connection limit -1`);
  await vi.waitFor(async () => expect(await statusOf("/readyz")).toBe(200), { timeout: 60_000 });
});

test("with a database that answers and takes no writes a process is alive but not ready", async () => {
  await db.owner.query(`create function no_room() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
    end $$;
    create trigger no_room before insert or update on throttles for each row execute function no_room()`);
  await expect.poll(() => statusOf("/readyz")).toBe(503);
  expect(await statusOf("/healthz")).toBe(200);
  await db.owner.query("drop trigger no_room on throttles");
  await expect.poll(() => statusOf("/readyz")).toBe(200);
});

describe.concurrent("patience ends", () => {
  test("half a header, a byte at a time, is closed after ten seconds", async () => {
    // Node alone looks every thirty seconds from when it listens for what is older than its limit. The plain server listens first, so that
    // it ends such a socket before ours if ours looks no oftener.
    const plain = createServer({ headersTimeout: 10_000, requestTimeout: 15_000 });
    await new Promise<void>((listening) => plain.listen(0, "127.0.0.1", listening));
    const { port: plainPort } = plain.address() as AddressInfo; // listening on TCP
    const { app, url: later } = await serve(db, { listen: true });
    const sockets = [Number(new URL(later ?? "").port), plainPort].map((port) => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined); // closed under a write
      socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ");
      return socket.resume();
    });
    const drip = setInterval(() => {
      for (const socket of sockets) socket.write("a");
    }, 500);
    const first = await Promise.race(sockets.map((socket, n) => new Promise((resolve) => socket.once("close", () => resolve(n)))));
    clearInterval(drip);
    for (const socket of sockets) socket.destroy();
    plain.close();
    await app.close();
    expect(first).toBe(0);
  });

  test("a body, a byte at a time, is cut after fifteen seconds; a file that somebody signed in sends is not", async () => {
    const tenant = await makeTenant(db);
    const person = await makePerson(db, tenant, "Nurul Aisyah");
    await giveDirectly(db, tenant, person, [bankImportRoutes.uploadBankFile.permission]);
    const { access_token } = await sessionOf(served.deps, person.id);
    const { port } = new URL(url);
    const known = `authorization: Bearer ${access_token}\r\nx-tenant-id: ${tenant.id}\r\nx-currency: ${tenant.currency}\r\n`;
    const begin = (path: string, headers: string) => {
      const socket = connect(Number(port), "127.0.0.1");
      let heard = "";
      socket.on("error", () => undefined); // closed under a write
      socket.on("data", (chunk) => (heard += chunk.toString()));
      socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${headers}content-length: 1000\r\n\r\n`);
      const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
      return { socket, closed, heard: () => heard };
    };
    const login = begin(sessionRoutes.login.path, "content-type: application/json\r\n");
    const upload = begin(
      `${bankImportRoutes.uploadBankFile.path}?account=${randomUUID()}`,
      `${known}content-type: multipart/form-data; boundary=b\r\n`,
    );
    const drip = setInterval(() => {
      for (const { socket } of [login, upload]) socket.write(" ");
    }, 500);
    await login.closed;
    clearInterval(drip);
    expect(login.heard()).toMatch(/^HTTP\/1\.1 408 /);
    expect([upload.socket.destroyed, upload.heard()]).toEqual([false, ""]);
    upload.socket.destroy();
  });

  test("with a handler that never answers, after ten seconds", async () => {
    const began = performance.now();
    const answer = await fetch(`${url}/stuck`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: "request.busy" });
    expect(performance.now() - began).toBeGreaterThan(9_000);
  });
});
