import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { RouteName } from "../../src/contract/index.ts";
import { signRequest } from "../../src/server/merchant-api/sign.ts";
import { pathOf, routeOf } from "../support/http.ts";
import { freePort } from "../support/free-port.ts";
import { ownCluster } from "../support/own-cluster.ts";
import type { OwnCluster } from "../support/own-cluster.ts";

// README.md's "Running it for real", word by word: its own commands, on a PostgreSQL over TCP, by a role that is no superuser.
const project = resolve(import.meta.dirname, "../..");
const section = /## Running it for real\n(.*?)\n## /s.exec(readFileSync(join(project, "README.md"), "utf8"))?.[1] ?? "";
const blocks = [...section.matchAll(/```(sql|sh)\n(.*?)```/gs)].map(([, language = "", text = ""]) => ({
  language,
  lines: text.trim().split("\n"),
}));

let cluster: OwnCluster;
let environment: Record<string, string | undefined>;
let dataDir: string;
let url: string;
let server: ChildProcess | undefined;

beforeAll(async () => {
  cluster = await ownCluster();
  dataDir = mkdtempSync(join(tmpdir(), "countinghouse-production-"));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  environment = { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "error" };
});

afterEach(() => stop());
afterAll(async () => {
  await cluster.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const shell = (script: string) => promisify(execFile)("sh", ["-c", script], { cwd: project, env: environment, maxBuffer: 1 << 26 });

/** Runs a block's lines as a person would in one shell: what they export holds from then on. Answers what its commands printed. */
async function follow(lines: readonly string[]): Promise<string> {
  let said = "";
  for (const line of lines.map((one) => one.replace("127.0.0.1:5432", `127.0.0.1:${cluster.port}`))) {
    if (line === "npm start") await start();
    else if (line.startsWith("export ")) {
      const { stdout } = await shell(`${line}; env -0`);
      environment = Object.fromEntries(stdout.split("\0").map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]));
    } else said += (await shell(line)).stdout;
  }
  return said;
}

/** Waits until it is ready and has said `last`; answers all it said. */
async function start(last = "ready in"): Promise<string> {
  const started = spawn("npm", ["start"], { cwd: project, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  server = started;
  let said = "";
  await new Promise<void>((ready, failed) => {
    for (const stream of [started.stdout, started.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes("ready in") && said.includes(last)) ready();
      });
    }
    started.once("exit", (code) => failed(new Error(`npm start ended with ${code}:\n${said}`)));
  });
  return said;
}

async function stop(): Promise<void> {
  if (!server || server.exitCode !== null) return;
  const gone = new Promise((over) => server?.once("exit", over));
  server.kill("SIGTERM");
  await gone;
}

interface Asked {
  readonly token?: string;
  readonly tenant?: string;
  readonly body?: unknown;
  readonly signedBy?: { readonly apiKey: string; readonly secret: string };
  readonly query?: Readonly<Record<string, string>>;
}

async function ask<T>(name: RouteName, { token, tenant, body, signedBy, query }: Asked): Promise<T> {
  const route = routeOf(name);
  const path = pathOf(route, query ? { query } : {});
  const text = body === undefined ? "" : JSON.stringify(body);
  const idempotencyKey = route.method === "GET" ? "" : randomUUID();
  const answer = await fetch(`${url}${path}`, {
    method: route.method,
    headers: {
      ...(text !== "" && { "content-type": "application/json" }),
      ...(idempotencyKey !== "" && { "idempotency-key": idempotencyKey }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(tenant !== undefined && { "x-tenant-id": tenant, "x-currency": "MYR" }),
      ...(signedBy && signRequest(signedBy, { method: route.method, path, idempotencyKey, body: text })),
    },
    ...(text !== "" && { body: text }),
  });
  const said = await answer.text();
  expect([name, answer.status, said]).toEqual([name, answer.ok ? answer.status : 200, said]);
  return (JSON.parse(said) as { data: T }).data;
}

const word = (said: string, pattern: RegExp) => pattern.exec(said)?.[1] ?? `no ${pattern} in: ${said}`;

test("what the README says starts the product, and money moves through the signed API", { timeout: 300_000 }, async () => {
  const [sql, first, second, change] = blocks;
  expect(blocks.map(({ language }) => language)).toEqual(["sql", "sh", "sh", "sh"]);
  await cluster.asSuperuser(sql?.lines ?? []);
  const created = await follow(first?.lines ?? []);

  const email = word(created, /owner (\S+@\S+),/);
  const temporary = word(created, /temporary password (\S+)/);
  const login = async (password: string) => (await ask<{ access_token: string }>("login", { body: { email, password } })).access_token;
  const early = await login(temporary);
  const [tenant] = (await ask<{ available_tenants: { id: string }[] }>("readContext", { token: early })).available_tenants;
  const id = tenant?.id ?? "";
  const password = "seven blue lanterns";
  await ask("changePassword", {
    token: early,
    tenant: id,
    body: { current_password: temporary, password, password_confirmation: password },
  });
  const staff = { token: await login(password), tenant: id };
  const none = Object.fromEntries(
    ["deposit", "withdrawal"].flatMap((kind) =>
      ["minimum", "maximum", "daily_limit", "monthly_limit"].map((limit) => [`${kind}_${limit}`, ""]),
    ),
  );
  await ask("createPaymentAccount", {
    ...staff,
    body: {
      ...none,
      code: "MBB-1",
      bank: "Maybank",
      account_number: "512345678901",
      holder: "House Sdn Bhd",
      type: "normal",
      purpose: "both",
      method: "bank_transfer",
      reserve_amount: "0",
      threshold: "0",
      charges_type: "fixed",
      charges_value: "0",
    },
  });

  const merchant = await follow(second?.lines ?? []);
  const signedBy = { apiKey: word(merchant, /api key (\S+)/), secret: word(merchant, /secret (\S+)/) };
  const asked = { amount: "250.00", currency: "MYR", method: "bank_transfer", member: "M1", customer_name: "Tan Wei Ming" };
  const deposit = await ask<{ pay_into: object }>("createDeposit", { signedBy, body: { ...asked, merchant_txn_no: "D1" } });
  expect(deposit.pay_into).toMatchObject({ bank: "Maybank", account_number: "512345678901" });
  const payee = { bank: "CIMB", account_number: "70012345", holder: "TAN WEI MING" };
  await ask("createWithdrawal", { signedBy, body: { ...asked, ...payee, merchant_txn_no: "W1" } });
  expect(await ask<unknown[]>("listWithdrawals", { ...staff, query: {} })).toMatchObject([{ amount: "250.00", status: "pending" }]);

  await stop();
  await expect(shell("npm run audit")).resolves.toMatchObject({ stdout: expect.stringMatching(/all \d+ invariants hold/) });
  const kept = environment["MASTER_KEY"];
  environment["MASTER_KEY"] = Buffer.alloc(32, 1).toString("base64");
  await expect(start(), "with another key").rejects.toThrow(/MASTER_KEY: not the key this database's secrets are sealed with/);
  environment["MASTER_KEY"] = kept;

  expect(await follow(change?.lines ?? [])).toMatch(/[1-9]\d* secrets sealed anew/);
  await start();
  await ask("createDeposit", { signedBy, body: { ...asked, merchant_txn_no: "D2" } });
  expect(await ask<unknown[]>("listWithdrawals", { ...staff, query: {} }), "a token of the former key").toHaveLength(1);
  await stop();
});

test(
  "a demo's logins are told by the mark of its database, and not by a data folder where another's were",
  { timeout: 300_000 },
  async () => {
    writeFileSync(join(dataDir, "demo.json"), JSON.stringify({ logins: ["logins of another database"] }));
    const database = new URL(environment["DATABASE_URL"] ?? "").pathname.slice(1);
    await cluster.ask(`update installation set demo = '{"logins": ["logins of this database"]}' returning demo`, database);
    environment["DEMO"] = "true";
    const said = await start("logins of ");
    expect(said).toContain("logins of this database");
    expect(said).not.toContain("logins of another database");
  },
);
