import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import { chromium } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { hashPassword } from "../../src/server/auth/passwords.ts";
import { readConfig } from "../../src/server/config.ts";
import type { Running } from "../../src/server/start.ts";
import { startServer } from "../../src/server/start.ts";
import { findBrowser, browserArguments } from "./browser.ts";
import type { TestDatabase, TestDatabaseOptions } from "./database.ts";
import { expectInvariants, openTestDatabase } from "./database.ts";
import type { Person } from "./factories.ts";
import { makeDeps, makePerson } from "./factories.ts";
import { sessionOf } from "./http.ts";
import { notedLog, reportWhenFailed } from "./instead.ts";
import { kept } from "./kept.ts";
import { serverProcess } from "./processes.ts";
import type { Office } from "./payments.ts";
import { settingsFor } from "./settings-for.ts";
import { timed } from "./times.ts";
import { Witness } from "./witness.ts";

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
  /** A browser of its own with the console open: for `as` signed in already at `path`, else at the sign-in page, which leads on to it. */
  open(options?: OpenOptions): Promise<Page>;
}

export interface OpenOptions {
  readonly server?: number;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly path?: string;
  readonly as?: Person;
  /** What the page is prepared with before it asks for anything. */
  readonly before?: (page: Page) => Promise<unknown>;
}

export interface Employee extends Person {
  readonly email: string;
  readonly password: string;
  readonly rights: readonly string[];
}

/** Servers on a database, and the way to end both. */
interface Servers {
  readonly db: TestDatabase;
  readonly own: Running | null;
  readonly urls: readonly string[];
  end(): Promise<unknown>;
}

/** `environment`: settings of its servers beside those of every test. */
type HallOptions = { readonly processes?: number; readonly environment?: Readonly<Record<string, string>> } & TestDatabaseOptions;

async function openServers({ processes, environment: more, ...options }: HallOptions): Promise<Servers> {
  const db = await openTestDatabase(options);
  const environment = { ...settingsFor(db), ...more };
  if (processes === undefined) {
    const dataDir = mkdtempSync(join(tmpdir(), "countinghouse-hall-"));
    const config = readConfig({ ...environment, DATA_DIR: dataDir, PORT: "0", REQUESTS_PER_MINUTE: "1000000" });
    const own = await timed("server", () => startServer(config, { print: () => undefined, withConsole: true, log: notedLog() }));
    const end = async () => {
      await own.stop();
      await db.close();
      rmSync(dataDir, { recursive: true, force: true });
    };
    return { db, own, urls: [own.url], end };
  }
  // all at once: they must not hinder each other's start
  const started = await Promise.all(Array.from({ length: processes }, () => serverProcess(environment)));
  await Promise.all(started.map((server) => server.start()));
  const end = async () => {
    await Promise.all(started.map((server) => server.end()));
    await db.close();
  };
  return { db, own: null, urls: started.map((server) => server.url), end };
}

/** One server, one database, one Chromium and one password for all files that ask for nothing else: each test has a tenant of its own. */
const sharedServers = kept(async () => {
  const servers = await openServers({});
  return { value: servers, end: () => servers.end() };
});
const sharedBrowser = kept(async () => {
  const browser = await timed("browser", () => chromium.launch({ executablePath: findBrowser(), args: browserArguments }));
  const page = await browser.newPage();
  const agent = await page.evaluate(() => navigator.userAgent);
  await page.close();
  return { value: { browser, agent }, end: () => browser.close() };
});
const sharedHash = kept(async () => ({ value: await hashPassword(password), end: async () => undefined }));

/** `processes`: so many servers, each in a process of its own; left out, one in the test's. With any option the file has its own database. */
export function testHall(options: HallOptions = {}): Hall {
  const isOwn = Object.keys(options).length > 0;
  let servers: Servers | undefined;
  let chrome: { readonly browser: Browser; readonly agent: string } | undefined;
  let hash = "";
  const complaints: string[] = [];
  const witness = new Witness();
  const there = () => {
    if (!servers) throw new Error("the hall is open inside tests and hooks only");
    return servers;
  };

  beforeAll(async () => {
    servers = await (isOwn ? openServers(options) : sharedServers());
    [chrome, hash] = await Promise.all([sharedBrowser(), sharedHash()]);
    reportWhenFailed("page", witness.report);
  });
  beforeEach(() => witness.forget());
  afterEach(async (context) => {
    if (complaints.length > 0 || context.task.result?.state === "fail") await witness.look(context.task.name);
    for (const one of chrome?.browser.contexts() ?? []) await one.close();
    expect(complaints.splice(0), "what the page complained of").toEqual([]);
    if (servers && options.invariants !== false) await expectInvariants(servers.db);
  });
  afterAll(async () => {
    if (isOwn) await servers?.end();
  });

  /** As the console keeps them after a sign-in; the binding as the server sets it. */
  async function sessionCookies(person: Person, url: string, agent: string) {
    const { access_token, refresh_token, cookie } = await sessionOf(makeDeps(there().db), person.id, { browser: true, agent });
    const common = { url, sameSite: "Strict" } as const;
    return [
      { ...common, name: "access_token", value: access_token, secure: true },
      { ...common, name: "refresh_token", value: refresh_token, secure: true },
      { ...common, name: "binding", value: cookie ?? "", httpOnly: true },
    ];
  }

  return {
    get db() {
      return there().db;
    },
    url: (server = 0) => servers?.urls[server] ?? "",
    server() {
      const own = there().own;
      if (!own) throw new Error("these servers run in processes of their own");
      return own;
    },
    async employ(office, name, rights = allRights) {
      const { db } = there();
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
    async open({ server = 0, viewport = { width: 1600, height: 900 }, as, path = as ? "/" : "/login", before } = {}) {
      if (!chrome) throw new Error("the browser is open inside tests only");
      const url = there().urls[server] ?? "";
      const context = await chrome.browser.newContext({ viewport, locale: "en-US" });
      context.setDefaultTimeout(60_000);
      if (as) await context.addCookies(await sessionCookies(as, url, chrome.agent));
      const page = await context.newPage();
      catchSurely(page);
      const told = there().own !== null;
      context.on("page", (one) => witness.follow(one, told));
      witness.follow(page, told);
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        // what the server refused is the test's business, not the page's
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) complaints.push(message.text());
      });
      await before?.(page);
      await page.goto(url + path);
      return page;
    },
  };
}

/**
 * Makes `page.route` resolve only when the page's requests are caught: Chromium hands a page that is already open the catching
 * loader a moment after it has said so, and a request sent in between would go past the handler.
 */
function catchSurely(page: Page): void {
  const route = page.route.bind(page);
  const probe = "/caught-by-the-test";
  page.route = async (...handled) => {
    const disposable = await route(...handled);
    if (page.url() === "about:blank") return disposable;
    const isProbe = (url: URL) => url.pathname === probe;
    await route(isProbe, (caught) => caught.fulfill({ status: 204 }));
    await expect.poll(() => page.evaluate(async (path) => (await fetch(path)).status, probe)).toBe(204);
    await page.unroute(isProbe);
    return disposable;
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
  await timed("sign-in", async () => {
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(secret);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname !== "/login");
  });
}
