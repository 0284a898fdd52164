import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { permissions } from "../../../src/contract/permissions.ts";
import { pinRoutes } from "../../../src/contract/pins.ts";
import type { Pin, SavedView } from "../../../src/contract/preferences.ts";
import type { Answer, Received, Route } from "../../../src/contract/route.ts";
import { screens } from "../../../src/contract/screens.ts";
import type { ScreenName } from "../../../src/contract/screens.ts";
import type { Api } from "../../../src/console/api/api.ts";
import { createPins } from "../../../src/console/frame/pins.ts";
import { isExact, noPins, pins } from "../../../src/console/frame/pinned.ts";
import { screenModules } from "../../../src/console/screens/index.ts";
import { inLanguage } from "../in-language.ts";

type Figures = Answer<typeof pinRoutes.readPinFigures>["data"][number];
type Asked = Received<typeof pinRoutes.readPinFigures>["body"]["lists"];

const now = Date.parse("2026-11-28T06:00:00.000Z");
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const view = (screen: string, pin: Pin | null, more: Partial<SavedView> = {}): SavedView => ({
  uuid: uuid(1),
  version: 1,
  screen,
  name: "Large ones",
  shared: false,
  mine: true,
  digit: null,
  default: false,
  pin,
  tenant_pin: null,
  state: { search: {}, columns: {}, density: "normal" },
  ...more,
});
const told = (count: number, sum = "0.00", oldest: string | null = null): Figures => ({
  known: true,
  count,
  sums: { amount: sum },
  oldest_at: oldest,
  as_of: new Date(now).toISOString(),
});

/** Pinned views over a server that has these, and answers these figures. */
function pinned(views: readonly SavedView[], answer: () => Figures, link: "down" | "live" = "down") {
  const hearers: { event: string; hear(heard: { at: string }): void }[] = [];
  const held: Record<string, string[]> = {};
  for (const right of permissions) (held[right.slice(0, right.lastIndexOf("."))] ??= []).push(right.slice(right.lastIndexOf(".") + 1));
  const at = { context: { permissions: held }, currency: { code: "MYR", country: { timezone: { gmt: "+08:00" } } } };
  const heard = { alerts: 0, toasts: [] as string[], said: [] as string[] };
  const sent: { asked: Asked[]; pins: unknown[] } = { asked: [], pins: [] };
  const clock = { now };
  const api = {
    session: { store: createStore(() => ({ at, epoch: 0 })) },
    live: {
      store: createStore(() => ({ link })),
      subscribe(event: string, hear: (heard: { at: string }) => void) {
        hearers.push({ event, hear });
        return () => undefined;
      },
    },
    time: { now: () => clock.now },
    queries: { invalidateQueries: async () => undefined },
    sound: { alert: () => void (heard.alerts += 1) },
    call: async (route: Route, { body }: { body?: unknown }) => {
      if (route === pinRoutes.listPinnedViews) return { data: views };
      if (route === pinRoutes.pinView) return { data: void sent.pins.push(body) };
      const { lists } = body as { lists: Asked }; // of the figures' route
      sent.asked.push(lists);
      return { data: lists.map(answer) };
    },
  } as unknown as Api; // what pins take of it
  const answers: (string | null)[] = [];
  const desk = createPins(api, {
    toast: ({ title }) => void heard.toasts.push(title),
    say: (key) => void heard.said.push(key),
    ask: (async () => answers.shift() ?? null) as never, // a choice and a text both answer a text
    text: (key) => key,
  });
  /** An event arrives, that many seconds from now. */
  const tell = (event: string, seconds = 0): void => {
    for (const one of hearers) if (one.event === event) one.hear({ at: new Date(now + seconds * 1_000).toISOString() });
  };
  return { desk, heard, sent, clock, answers, tell };
}

beforeAll(() => inLanguage("en"));
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
  pins.setState(noPins);
});
afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
});

const shown = () => pins.getState().pinned[0];

describe("a threshold", () => {
  const over = (threshold: Pin["threshold"]) => view("withdrawals", { threshold });
  /** Reads the figures until they are these. */
  const reads = async (figures: Figures & { known: true }) => {
    const isRead = () => shown()?.figures?.count === figures.count && shown()?.figures?.sum === figures.sums["amount"];
    while (!isRead()) await vi.advanceTimersByTimeAsync(500);
  };

  test("sounds once when the figure goes past it, not again while it is past, and again after it has been below", async () => {
    let figures = told(3) as Figures & { known: true }; // as told makes them
    const { heard } = pinned([over({ of: "count", over: 3 })], () => figures);
    const past: [number, number, boolean | undefined][] = [];
    for (const count of [3, 4, 9, 4, 3, 2, 5, 6]) {
      figures = told(count) as typeof figures; // as above
      await reads(figures);
      past.push([count, heard.alerts, shown()?.isPast]);
    }
    expect(past).toEqual([
      [3, 0, false],
      [4, 1, true],
      [9, 1, true],
      [4, 1, true],
      [3, 1, false],
      [2, 1, false],
      [5, 2, true],
      [6, 2, true],
    ]);
    expect(heard.toasts).toEqual(["Large ones: past its threshold", "Large ones: past its threshold"]);
  });

  test("that is past already when the page opens is shown, and does not sound", async () => {
    const { heard } = pinned([over({ of: "count", over: 3 })], () => told(7));
    await reads(told(7) as Figures & { known: true }); // as above
    expect([shown()?.isPast, heard.alerts]).toEqual([true, 0]);
  });

  test("of a sum sounds as well, and one of age goes past by time alone", async () => {
    let figures = told(1, "100.00") as Figures & { known: true }; // as above
    const ofSum = pinned([over({ of: "sum", over: "100.00", currency: "MYR" })], () => figures);
    await reads(figures);
    figures = told(1, "100.01") as typeof figures; // as above
    await reads(figures);
    expect(ofSum.heard.alerts).toBe(1);

    vi.clearAllTimers();
    pins.setState(noPins);
    const oldest = told(2, "0.00", new Date(now - 9 * 60_000).toISOString()) as Figures & { known: true }; // as above
    const ofAge = pinned([over({ of: "age", over: 10 })], () => oldest);
    await reads(oldest);
    expect(ofAge.heard.alerts).toBe(0);
    ofAge.clock.now = now + 61_000;
    while (shown()?.isPast !== true) await vi.advanceTimersByTimeAsync(500);
    expect(ofAge.heard.alerts).toBe(1);
  });

  test("is set on the pin there is, and on a new one where there is none", async () => {
    const { desk, sent, answers } = pinned([], () => told(0));
    const params = { merchantUuid: uuid(7) };
    answers.push("count", "5");
    await desk.setThreshold(view("merchant-providers", null), { threshold: null, params });
    answers.push("count", "6");
    await desk.setThreshold(view("merchant-providers", { threshold: null, params: { merchantUuid: uuid(8) } }), {
      threshold: null,
      params,
    });
    expect(sent.pins).toEqual([
      { for: "me", pin: { threshold: { of: "count", over: 5 }, params } },
      { for: "me", pin: { threshold: { of: "count", over: 6 }, params: { merchantUuid: uuid(8) } } },
    ]);
  });
});

describe("a view that is pinned", () => {
  test("is read again after a reading that failed, because what an event told is not read yet", async () => {
    let figures: Figures | null = told(1);
    const answer = (): Figures => {
      if (figures === null) throw new Error("nothing answers");
      return figures;
    };
    const { tell } = pinned([view("withdrawals", { threshold: null })], answer, "live");
    const readsTo = async (count: number) => {
      for (let n = 0; n < 20 && shown()?.figures?.count !== count; n++) await vi.advanceTimersByTimeAsync(500);
    };
    await readsTo(1);
    figures = null;
    tell("withdraw");
    while (!pins.getState().failed) await vi.advanceTimersByTimeAsync(500);
    figures = told(2);
    await readsTo(2);
    expect([shown()?.figures?.count, pins.getState().failed]).toEqual([2, false]);
  });

  const showing = (screen: string, search: Record<string, string>, n = 1) =>
    view(screen, { threshold: null }, { uuid: uuid(n), state: { search, columns: {}, density: "normal" } });
  /** Lets half a second pass; how many readings of a screen were asked for by then. */
  const readings = async (sent: { asked: Asked[] }, screen: string): Promise<number> => {
    await vi.advanceTimersByTimeAsync(500);
    return sent.asked.flat().filter((one) => one.screen === screen).length;
  };

  test("of late deposits is read again when a bank's line came, because that is what makes one late", async () => {
    const { sent, tell } = pinned([showing("deposits", { view: "late" })], () => told(1), "live");
    await expect.poll(() => readings(sent, "deposits")).toBeGreaterThanOrEqual(1);
    tell("bankLine");
    await expect.poll(() => readings(sent, "deposits")).toBeGreaterThanOrEqual(2);
  });

  test("of today is read again without an event, because midnight tells of none", async () => {
    const { sent } = pinned([showing("withdrawals", { view: "today" })], () => told(1), "live");
    await expect.poll(() => readings(sent, "withdrawals")).toBeGreaterThanOrEqual(3);
  });

  test("is exact as long as nothing was heard of its own screen", async () => {
    const { sent, tell } = pinned([showing("deposits", {}), showing("withdrawals", {}, 2)], () => told(1), "live");
    await expect.poll(() => readings(sent, "withdrawals")).toBe(1);
    await expect.poll(() => pins.getState().pinned.every(({ figures }) => figures !== null)).toBe(true);
    const exact = () => pins.getState().pinned.map((one) => isExact(one, pins.getState()));
    expect(exact()).toEqual([true, true]);
    tell("deposit", 60);
    expect(exact()).toEqual([false, true]);
  });

  test("of a list beneath a record asks for that record's rows", async () => {
    const params = { merchantProviderUuid: uuid(9) };
    const { sent } = pinned(
      [view("provider-games", { threshold: null, params }, { state: { search: { status: "active" }, columns: {}, density: "normal" } })],
      () => told(4),
    );
    while (shown()?.figures?.count !== 4) await vi.advanceTimersByTimeAsync(500);
    expect(sent.asked[0]).toEqual([{ screen: "provider-games", query: { "filter[status]": "active", sort: "created_at" }, params }]);
    expect(shown()?.params).toEqual(params);
  });

  /** Drawn screens with rows: the pages of one record have no views of their own, and their lists' views are pinned. */
  const withRows = (Object.keys(screenModules) as ScreenName[]).filter((name) => screens[name].subject !== null); // Object.keys widens
  const uncounted: readonly ScreenName[] = ["master-account", "merchant-provider"];

  test("may be of every list, but not of the page of one record", async () => {
    const { desk, heard, sent } = pinned([], () => told(0));
    const refused: ScreenName[] = [];
    for (const name of withRows) {
      heard.said.length = 0;
      await desk.pin(view(name, null), "me", { threshold: null });
      if (heard.said.includes("view.refuse.not-counted")) refused.push(name);
    }
    expect(refused).toEqual(uncounted);
    expect(sent.pins).toHaveLength(withRows.length - uncounted.length);
  });
});
