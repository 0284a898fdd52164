import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import { chromium } from "playwright";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { hashPassword } from "../../src/server/auth/passwords.ts";
import { readConfig } from "../../src/server/config.ts";
import type { Running } from "../../src/server/start.ts";
import { startServer } from "../../src/server/start.ts";
import { findBrowser, browserArguments } from "./browser.ts";
import type { TestDatabase, TestDatabaseOptions } from "./database.ts";
import { testDatabase } from "./database.ts";
import type { Person } from "./factories.ts";
import { makePerson } from "./factories.ts";
import { serverProcess } from "./processes.ts";
import type { Office } from "./payments.ts";

const password = "correct horse battery";

/** The whole product for the tests of one file: real servers on one database, and a Chromium. */
export interface Hall {
  readonly db: TestDatabase;
  /** Of the n-th server. */
  url(server?: number): string;
  /** The one in the test's process. */
  server(): Running;
  /** Gives a person of the office a password and every right. */
  employ(office: Office, name: string, rights?: readonly string[]): Promise<Employee>;
  /** What the pages complained of so far; from then on it is forgiven. */
  complained(): string[];
  /** A browser of its own with the console open at the sign-in page, which leads on to `path`. */
  open(options?: { server?: number; viewport?: { width: number; height: number }; path?: string }): Promise<Page>;
}

export interface Employee extends Person {
  readonly email: string;
  readonly password: string;
  readonly rights: readonly string[];
}

/** `processes`: so many servers, each in a process of its own; left out, one server in the test's. */
export function testHall({ processes, ...options }: { processes?: number } & TestDatabaseOptions = {}): Hall {
  const db = testDatabase(options);
  let own: Running | undefined;
  const servers: { readonly url: string; stop(): Promise<void> }[] = [];
  let browser: Browser | undefined;
  let hash = "";
  let dataDir = "";
  const complaints: string[] = [];

  beforeAll(async () => {
    const connection = db.connectAs("app");
    const url = new URL(`postgresql://app@localhost/${connection.database}`);
    url.searchParams.set("host", connection.host ?? "");
    if (connection.port) url.searchParams.set("port", String(connection.port));
    dataDir = mkdtempSync(join(tmpdir(), "countinghouse-hall-"));
    const environment = { DATABASE_URL: url.href, MASTER_KEY: Buffer.alloc(32, 7).toString("base64") };
    if (processes === undefined) {
      const config = readConfig({ ...environment, DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "error", REQUESTS_PER_MINUTE: "1000000" });
      own = await startServer(config, { print: () => undefined, withConsole: true });
      servers.push(own);
    }
    // all at once: they must not hinder each other's start
    const started = await Promise.all(Array.from({ length: processes ?? 0 }, () => serverProcess(environment)));
    await Promise.all(started.map((server) => server.start()));
    for (const server of started) servers.push({ url: server.url, stop: () => server.end() });
    [browser, hash] = await Promise.all([
      chromium.launch({ executablePath: findBrowser(), args: browserArguments }),
      hashPassword(password),
    ]);
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
    expect(complaints.splice(0), "what the page complained of").toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    for (const server of servers) await server.stop();
    if (dataDir !== "") rmSync(dataDir, { recursive: true, force: true });
  });

  return {
    db,
    url: (server = 0) => servers[server]?.url ?? "",
    server() {
      if (!own) throw new Error("the test's own server runs inside tests and hooks only");
      return own;
    },
    async employ(office, name, rights = allRights) {
      const person = await makePerson(db, office.tenant, name);
      const email = `${person.id}@example.com`;
      await db.owner.query("update users set password_hash = $2 where id = $1", [person.id, hash]);
      await db.owner.query(
        `with g as (insert into user_groups (tenant_id, code, name, permissions) values ($1, $2, $3, $4) returning id)
          insert into membership_groups (tenant_id, user_id, group_id) select $1, $5, id from g`,
        [office.tenant.id, `g-${person.id.slice(0, 8)}`, name, rights, person.id],
      );
      return { ...person, email, password, rights };
    },
    complained: () => complaints.splice(0),
    async open({ server = 0, viewport = { width: 1600, height: 900 }, path = "/login" } = {}) {
      if (!browser) throw new Error("the browser is open inside tests only");
      const context = await browser.newContext({ viewport, locale: "en-US" });
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        // what the server refused is the test's business, not the page's
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) complaints.push(message.text());
      });
      await page.goto(`${servers[server]?.url}${path}`);
      return page;
    },
  };
}

const allRights = [
  "dashboard.view",
  "profile.view",
  ...["view", "create", "process", "take-over", "approve", "second-approve", "reject", "recall", "send-callback", "receipt", "export"].map(
    (action) => `pas.transaction.withdrawals.${action}`,
  ),
  "pas.transaction.deposits.view",
  "pas.account.accounts.view",
];

/** By the form, as a person does. */
export async function signIn(page: Page, { email, password: secret }: Employee): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(secret);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname !== "/login");
}
