import { afterEach, describe, expect, test } from "vitest";
import type { ChangeEvent, CounterName, NotificationDetails } from "../../../src/contract/notifications.ts";
import { createCounters } from "../../../src/console/api/counters.ts";
import { accessToken, openTab, startServer } from "./tab-and-server.ts";

const details = (pending: number): NotificationDetails => ({
  processDepositCount: 4,
  pendingWithdrawalCount: pending,
  criticalAccountCount: 1,
});
const event = (pending: number): ChangeEvent => ({
  process_count: 4,
  pending_count: pending,
  critical_account_count: 1,
  uuids: [],
  at: "2026-11-21T06:32:00.000Z",
});

const open: (() => unknown)[] = [];
afterEach(() => Promise.all(open.splice(0).map((close) => close())));

/** Counters of a user with these rights; `answer` decides when and what the server answers, null = it fails. */
async function fixture(permissions: Record<string, string[]>, answer: () => Promise<NotificationDetails | null>) {
  const rises: CounterName[] = [];
  const server = await startServer(async () => {
    const data = await answer();
    return data ? { status: 200, body: { data } } : { status: 500, body: { message: "Broken", code: "server.failed" } };
  });
  const tab = openTab(server.base);
  tab.tokens.keep({ access_token: accessToken(Date.now() + 900_000), refresh_token: "r" });
  const counters = createCounters(
    () => tab.call,
    () => permissions,
    (name) => void rises.push(name),
  );
  open.push(counters.clear, server.stop);
  return { counters, rises, asked: () => server.asked.length, counts: () => counters.store.getState().counts };
}

const withdrawals = { "pas.transaction.withdrawals": ["view"] };

describe("counters", () => {
  test("are not requested without one of the three rights", async () => {
    const { counters, asked } = await fixture({ profile: ["view"] }, () => Promise.resolve(details(9)));
    await counters.refresh();
    expect(asked()).toBe(0);
  });

  test("show only what the user may see", async () => {
    const { counters, counts } = await fixture(withdrawals, () => Promise.resolve(details(9)));
    await counters.refresh();
    expect(counts()).toEqual({ deposit: null, withdraw: 9, paymentAccount: null });
  });

  test("an event's counts are shown at once, and a rise is reported", async () => {
    const { counters, counts, rises } = await fixture(withdrawals, () => Promise.resolve(details(9)));
    await counters.refresh();
    counters.onEvent(event(10));
    expect(counts().withdraw).toBe(10);
    expect(rises).toEqual(["withdraw"]);
  });

  test("a count that falls, stays, or is loaded makes no sound", async () => {
    const { counters, rises } = await fixture(withdrawals, () => Promise.resolve(details(9)));
    await counters.refresh();
    counters.onEvent(event(9));
    counters.onEvent(event(3));
    await counters.refresh();
    expect(rises).toEqual([]);
  });

  test("an event is a rise although an answer has overtaken it and shows its count already; once only, and not after what was loaded first", async () => {
    let pending = 9;
    const { counters, rises } = await fixture(withdrawals, () => Promise.resolve(details(pending)));
    await counters.refresh();
    counters.onEvent(event(9));
    pending = 10;
    await counters.refresh();
    expect(rises).toEqual([]);
    counters.onEvent(event(10));
    counters.onEvent(event(10));
    expect(rises).toEqual(["withdraw"]);
  });

  test("a count that an answer showed lower is left behind: the next event above it is a rise", async () => {
    let pending = 9;
    const { counters, rises } = await fixture(withdrawals, () => Promise.resolve(details(pending)));
    await counters.refresh();
    pending = 4;
    await counters.refresh();
    counters.onEvent(event(5));
    expect(rises).toEqual(["withdraw"]);
  });

  test("an answer requested before an event does not overwrite it", async () => {
    const { counters, counts } = await fixture(withdrawals, () => {
      counters.onEvent(event(12));
      return Promise.resolve(details(9));
    });
    await counters.refresh();
    expect(counts().withdraw).toBe(12);
    expect(counters.store.getState().details).not.toBeNull();
  });

  test("a failed load keeps the figures and is reported", async () => {
    let fails = false;
    const { counters, counts } = await fixture(withdrawals, () => Promise.resolve(fails ? null : details(9)));
    await counters.refresh();
    fails = true;
    await counters.refresh();
    expect(counts().withdraw).toBe(9);
    expect(counters.store.getState().failed).toBe(true);
  });
});
