import type { Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { options } from "../../src/console/api/live.ts";
import { sessionRoutes } from "../../src/contract/session.ts";
import { makeAccount, makeGroup } from "../support/factories.ts";
import { testHall } from "../support/hall.ts";
import { ask } from "../support/http.ts";
import { makeSigningMerchant } from "../support/merchants.ts";
import { makeFloor } from "../e2e/floor.ts";
import type { Floor } from "../e2e/floor.ts";
import { atRest } from "../e2e/at-rest.ts";
import { seat } from "./desk.ts";

const hall = testHall();
let floor: Floor;
beforeAll(async () => {
  floor = await makeFloor(hall, 2);
});

/** The channel's frames from and to a page loaded anew, once it is subscribed and has caught up. */
async function onChannel(page: Page): Promise<{ heard(): { event: string; data: string }[]; sent(): string[]; addresses: string[] }> {
  const frames: string[] = [];
  const out: string[] = [];
  const addresses: string[] = [];
  // nothing of the document before can be heard any more
  const address = page.url();
  await page.goto("about:blank");
  page.on("websocket", (socket) => {
    addresses.push(socket.url());
    socket.on("framereceived", ({ payload }) => frames.push(String(payload)));
    socket.on("framesent", ({ payload }) => out.push(String(payload)));
  });
  await page.goto(address);
  await atRest(page);
  return { heard: () => frames.map((frame) => JSON.parse(frame) as { event: string; data: string }), sent: () => out, addresses };
}

describe("7 · Real-time channel: one per tenant, named channel.{tenantId}, with events .deposit, .withdraw, .paymentAccount", () => {
  test("the page subscribes its own tenant's and no other", async () => {
    const { page } = await seat(hall, floor.office);
    const { sent } = await onChannel(page);
    const channels = sent().flatMap((frame) => {
      const { event, data } = JSON.parse(frame) as { event: string; data: { channel?: string } };
      return event === "pusher:subscribe" ? [data.channel] : [];
    });
    expect(channels).toEqual([`private-channel.${floor.office.tenant.id}`]);
  });

  test("a withdrawal that comes, a deposit and an account that changes are heard by their names, each with the three counts", async () => {
    const { office, merchant } = await makeFloor(hall, 1);
    const { page } = await seat(hall, office);
    const { heard } = await onChannel(page);
    const { id } = await office.deposit(merchant);
    const asked = { merchant_txn_no: "W-live", amount: "100.00", currency: "MYR", method: "bank_transfer", member: "M1" };
    const signing = await makeSigningMerchant(hall.db, office.deps, office.tenant, { wallet: "1000" });
    const account = await makeAccount(hall.db, office.tenant);
    await makeGroup(hall.db, office.tenant, [account], [signing]);
    const served = { app: hall.server().app, deps: office.deps, published: [], url: hall.url() };
    const payee = { customer_name: "Tan Wei Ming", bank: "Maybank", account_number: "5000001", holder: "TAN WEI MING" };
    const made = await ask(served, "createWithdrawal", { body: { ...asked, ...payee }, signedBy: signing });
    expect(made.status).toBe(200);
    hall.server().deps.publisher.changed(office.tenant.id, "deposit", [id]);
    hall.server().deps.publisher.changed(office.tenant.id, "paymentAccount", [account.id]);
    for (const name of ["withdraw", "deposit", "paymentAccount"]) {
      // oxlint-disable-next-line no-await-in-loop -- all three must come, in any order
      await expect.poll(() => heard().map(({ event }) => event)).toContain(name);
      const event = heard().find((one) => one.event === name);
      expect(JSON.parse(event?.data ?? "{}"), name).toMatchObject({
        process_count: expect.any(Number),
        pending_count: expect.any(Number),
        critical_account_count: expect.any(Number),
      });
    }
  });
});

describe("7 · Events update the counters and trigger a sound alert", () => {
  test("one more withdrawal waits: its counter shows it without a call, and the tone is played once", async () => {
    const { office, merchant } = await makeFloor(hall, 1);
    const { page } = await seat(hall, office);
    await page.addInitScript(() => {
      const notes: number[] = [];
      Object.assign(window, { notes });
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (when) {
        notes.push(this.frequency.value);
        start.call(this, when);
      };
    });
    await onChannel(page);
    const played = () => page.evaluate(() => (window as unknown as { notes: number[] }).notes.length);
    const figure = page.locator(".ctr.h-pending .fig b");
    await expect.poll(() => figure.innerText()).toBe("1");
    // a browser plays nothing before the first key
    await page.keyboard.press("j");
    expect(await played()).toBe(0);
    // which of several tabs sounds is agreed on first
    await expect
      .poll(() => page.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name)))
      .toContainEqual(expect.stringContaining("countinghouse.sound."));
    await page.route("**/notification/details", () => undefined);
    const { id } = await office.withdraw(merchant);
    hall.server().deps.publisher.changed(office.tenant.id, "withdraw", [id]);
    await expect.poll(() => figure.innerText()).toBe("2");
    // an alert is two notes
    await expect.poll(played).toBe(2);
  });
});

describe("7 · The realtime service is configured with a public key, cluster and TLS", () => {
  test("the server tells the three, and the page connects with that key", async () => {
    const { page } = await seat(hall, floor.office);
    const { addresses } = await onChannel(page);
    const config = page.waitForResponse((response) => new URL(response.url()).pathname === sessionRoutes.readConfig.path);
    await page.keyboard.press("Shift+R");
    const { realtime } = ((await (await config).json()) as { data: { realtime: { key: string } } }).data;
    expect(realtime).toMatchObject({ key: expect.stringMatching(/./), cluster: expect.any(String), tls: expect.any(Boolean) });
    expect([...new Set(addresses.map((address) => new URL(address).pathname))]).toEqual([`/app/${realtime.key}`]);
  });

  test("a cluster names the service's host, TLS its protocol", () => {
    const address = { hostname: "console.example", port: "8080", protocol: "http:" };
    const named = options({ key: "k", cluster: "ap1", host: null, port: null, tls: true }, address, () => undefined);
    expect(named).toMatchObject({ cluster: "ap1", forceTLS: true });
    expect(named.wsHost).toBeUndefined();
    expect(options({ key: "k", cluster: "ap1", host: null, port: null, tls: false }, address, () => undefined).forceTLS).toBe(false);
  });
});
