import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "../../src/server/app.ts";
import { readConfig } from "../../src/server/config.ts";
import { testDatabase } from "../support/database.ts";
import { makeDeps } from "../support/factories.ts";

const db = testDatabase();
let app: FastifyInstance;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "console-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>the console</title>");
  writeFileSync(join(folder, "assets", "part-1a2b.js"), "export {};");
  app = await buildApp({ ...makeDeps(db), config: readConfig({}) }, { logger: pino({ level: "silent" }), consoleFolder: folder });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (url: string, method: "GET" | "POST" = "GET") => app.inject({ method, url });

describe("every answer", () => {
  const answers = [
    "/",
    "/payment/withdrawals",
    "/assets/part-1a2b.js",
    "/assets/gone-0000.js",
    "/service/nothing",
    "/docs",
    "/healthz",
    "/%",
  ];
  test.each(answers)("of %s forbids code of other origins and inline, framing and guessing of types", async (url) => {
    const { headers } = await get(url);
    const policy = String(headers["content-security-policy"]);
    expect(policy).not.toMatch(/unsafe-|\*/);
    for (const part of ["default-src 'self'", "script-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy.split(";")).toContain(part);
    }
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["strict-transport-security"]).toMatch(/^max-age=\d{8,}/);
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("what may be kept", () => {
  test.each([
    ["/", "no-cache"],
    ["/payment/withdrawals", "no-cache"],
    ["/assets/part-1a2b.js", "public, max-age=31536000, immutable"],
    ["/assets/gone-0000.js", "no-store"],
    ["/service/payment/api/tenant/v1/withdrawals", "no-store"],
    ["/service/nothing", "no-store"],
  ])("%s: %s", async (url, kept) => {
    expect((await get(url)).headers["cache-control"]).toBe(kept);
  });
});

describe("a part of the console", () => {
  test.each(["br", "gzip"])("goes out as it was compressed when it was built, to whom takes %s", async (encoding) => {
    const part = join(folder, "assets", `packed-${encoding}.js`);
    writeFileSync(part, `export const much = "${"x".repeat(5_000)}";`);
    writeFileSync(`${part}.${encoding === "br" ? "br" : "gz"}`, "as it was built"); // compressed on its way, it would be something else
    const url = `/assets/packed-${encoding}.js`;
    const { headers, payload } = await app.inject({ url, headers: { "accept-encoding": encoding } });
    expect(headers).toMatchObject({
      "content-encoding": encoding,
      "content-type": "application/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
    });
    expect(headers["vary"]?.toLowerCase()).toContain("accept-encoding");
    expect(payload).toBe("as it was built");
    expect((await get(url)).payload).toContain("export const much");
  });
});

describe("a part that the build before had", () => {
  const former = () => `${folder}.former`;
  beforeAll(() => {
    mkdirSync(join(former(), "assets"), { recursive: true });
    writeFileSync(join(former(), "index.html"), "<!doctype html><title>the console before</title>");
    writeFileSync(join(former(), "assets", "part-1a2b.js"), "of before");
    writeFileSync(join(former(), "assets", "part-3c4d.js"), "of before");
    writeFileSync(join(former(), "assets", "part-3c4d.js.br"), "of before, compressed");
  });
  afterAll(() => rmSync(former(), { recursive: true, force: true }));

  test("is sent to pages that are still open, and nothing else of it", async () => {
    const part = await app.inject({ url: "/assets/part-3c4d.js", headers: { "accept-encoding": "br" } });
    expect([part.statusCode, part.payload]).toEqual([200, "of before, compressed"]);
    expect((await get("/assets/part-3c4d.js")).payload).toBe("of before");
    expect((await get("/assets/part-1a2b.js")).payload).toBe("export {};");
    expect((await get("/")).payload).toBe("<!doctype html><title>the console</title>");
  });
});

describe("an address that is none", () => {
  test("of a part of the console that is no more is not found, and is not taken for a page", async () => {
    const { statusCode, payload } = await get("/assets/gone-0000.js");
    expect(statusCode).toBe(404);
    expect(JSON.parse(payload)).toMatchObject({ code: "not-found" });
  });

  test.each(["/nowhere", "//nowhere", "/%", "/payment/%E0%A4%A", `/${"x".repeat(200)}`])(
    "%s gives a browser the console, whose router says so",
    async (url) => {
      const { statusCode, payload, headers } = await get(url);
      expect([statusCode, headers["content-type"], headers["cache-control"]]).toEqual([200, "text/html; charset=utf-8", "no-cache"]);
      expect(payload).toContain("the console");
    },
  );

  test.each(["/service/%", "/service/centralize-authenticate/%E0", "/apps/%", "/assets/%"])("%s is refused as a call is", async (url) => {
    const { statusCode, payload } = await get(url);
    expect(statusCode).toBe(404);
    expect(JSON.parse(payload)).toMatchObject({ code: "not-found" });
  });

  test("with another method than GET is refused as a call is", async () => {
    expect((await get("/%", "POST")).statusCode).toBe(404);
    expect((await get("/nowhere", "POST")).statusCode).toBe(404);
  });
});
