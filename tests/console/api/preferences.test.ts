import { afterEach, describe, expect, test, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { preferenceRoutes, Preferences } from "../../../src/contract/preferences.ts";
import { createPreferences } from "../../../src/console/api/preferences.ts";
import type { SessionState, SignedIn } from "../../../src/console/api/session.ts";
import { accessToken, memoryTab, openTab, startServer } from "./tab-and-server.ts";
import type { Asked } from "./tab-and-server.ts";

const path = preferenceRoutes.readPreferences.path;
const defaults = Preferences.parse({});
const soon = { timeout: 30_000, interval: 5 };
const broken = { status: 500, body: { message: "Broken", code: "server.failed" } };
const ann = "11111111-1111-4111-8111-111111111111";
const ben = "22222222-2222-4222-8222-222222222222";

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

type Reply = { status: number; body?: unknown; cut?: true };
/** A server that keeps all users' preferences, and pages of one tab; `breaks` answers otherwise, and may delay it. */
async function fixture({
  held = {},
  breaks = () => null,
}: { held?: object; breaks?: (asked: Asked) => Reply | null | Promise<Reply | null> } = {}) {
  let preferences: Preferences = Preferences.parse(held);
  const server = await startServer(async (asked) => {
    if (asked.path !== path) return { status: 200, body: {} };
    // the server's preferences when it was asked
    const then = preferences;
    const otherwise = await breaks(asked);
    if (otherwise) return otherwise;
    if (asked.method === "GET") return { status: 200, body: { data: then } };
    preferences = { ...preferences, ...(asked.body as Partial<Preferences>) }; // sent by the contract
    return { status: 200, body: { data: preferences } };
  });
  const storage = memoryTab();
  const line = openTab(server.base);
  line.tokens.keep({ access_token: accessToken(Date.now() + 900_000), refresh_token: "r" });
  endings.push(server.stop);
  const signedIn = (uuid: string) => ({ phase: "signed-in", at: { user: { uuid } } as SignedIn }) as const; // the rest is not read
  function openPage(who: string | null = ann) {
    const session = {
      store: createStore<SessionState>(() => ({ phase: "signed-out", at: null, ended: null, switching: false, epoch: 0 })),
    };
    const hides: (() => void)[] = [];
    const onHide = (act: () => void) => {
      hides.push(act);
      return () => undefined;
    };
    const keeper = createPreferences(() => line.call, session, line.link, storage, { onHide });
    endings.push(keeper.stop);
    const enter = (uuid: string) => session.store.setState(signedIn(uuid));
    if (who !== null) enter(who);
    return {
      ...keeper,
      enter,
      leave: () => session.store.setState({ phase: "signed-out", at: null }),
      hide: () => hides.forEach((act) => act()),
      state: keeper.store.getState,
      loaded: () => vi.waitFor(() => expect(keeper.store.getState().loaded).toBe(true), soon),
      keeps: (saveState: string) => vi.waitFor(() => expect(keeper.store.getState().saveState).toBe(saveState), soon),
    };
  }
  return {
    openPage,
    line,
    sent: () => server.asked.filter(({ method }) => method === "PUT").map(({ body }) => body),
    asked: server.asked,
    there: () => preferences,
  };
}

describe("loading", () => {
  test("a signed-out page has the defaults, and requests nothing", async () => {
    const { openPage, asked } = await fixture({ held: { density: "roomy" } });
    const page = openPage(null);
    page.set({ density: "compact" });
    await page.flush();
    expect(page.state()).toEqual({ preferences: defaults, loaded: false, saveState: "saved" });
    expect(asked).toHaveLength(0);
  });

  test("a user who signs in has their own, and they are gone after the sign-out", async () => {
    const { openPage } = await fixture({ held: { density: "roomy" } });
    const page = openPage(null);
    page.enter(ann);
    await page.loaded();
    expect(page.state().preferences).toEqual({ ...defaults, density: "roomy" });
    page.leave();
    expect(page.state()).toEqual({ preferences: defaults, loaded: false, saveState: "saved" });
  });

  test("preferences that fail to load leave the defaults, and are loaded when the server answers again", async () => {
    let fails = true;
    const { openPage, line, asked } = await fixture({
      held: { density: "roomy" },
      breaks: () => (fails ? { status: 200, cut: true } : null),
    });
    const page = openPage();
    await vi.waitFor(() => expect([line.link.store.getState().online, asked.length]).toEqual([false, 3]), soon);
    expect(page.state()).toMatchObject({ preferences: defaults, loaded: false });
    expect(line.reported).toEqual([]);
    fails = false;
    await line.link.probe();
    await page.loaded();
    expect(page.state().preferences.density).toBe("roomy");
  });
});

describe("setting", () => {
  test("holds at once; changes of half a second are sent in one request, with only the changed parts", async () => {
    const { openPage, sent } = await fixture();
    const page = openPage();
    await page.loaded();
    page.set({ density: "compact" });
    page.set({ keys: { "shell.help": ["F1"] } });
    page.set({ density: "roomy" });
    expect(page.state()).toMatchObject({ preferences: { density: "roomy", keys: { "shell.help": ["F1"] } }, saveState: "waiting" });
    expect(sent()).toEqual([]);
    await page.keeps("saved");
    expect(sent()).toEqual([{ density: "roomy", keys: { "shell.help": ["F1"] } }]);
  });

  test("a change from another tab is taken over, but never over an unsent change", async () => {
    const hold: { page?: { set(parts: Partial<Preferences>): void } } = {};
    const { openPage, there, sent } = await fixture({
      breaks: ({ method }) => {
        if (method === "PUT" && sent().length === 1) hold.page?.set({ density: "roomy" }); // while its answer is on the way
        return null;
      },
    });
    const [page, other] = [openPage(), openPage()];
    await Promise.all([page.loaded(), other.loaded()]);
    hold.page = page;
    other.set({ practised: true, density: "compact" });
    await other.flush();
    expect(page.state().preferences).toMatchObject({ practised: false, density: "roomy" });
    page.set({ letters_off: true });
    await page.flush();
    expect(page.state().preferences).toMatchObject({ practised: true, letters_off: true, density: "roomy" });
    await page.keeps("saved");
    expect(there()).toMatchObject({ practised: true, letters_off: true, density: "roomy" });
  });

  test("a part set again while it is being sent is sent again, and its old value never comes back", async () => {
    const seen: string[] = [];
    const hold: { page?: { set(parts: Partial<Preferences>): void } } = {};
    const { openPage, sent, there } = await fixture({
      breaks: ({ method }) => {
        if (method === "PUT" && sent().length === 1) hold.page?.set({ density: "roomy" });
        return null;
      },
    });
    const page = openPage();
    await page.loaded();
    hold.page = page;
    page.store.subscribe(({ preferences }) => void seen.push(preferences.density));
    page.set({ density: "compact" });
    await page.flush();
    expect(page.state().saveState).toBe("waiting");
    await page.keeps("saved");
    expect(sent()).toEqual([{ density: "compact" }, { density: "roomy" }]);
    expect(there().density).toBe("roomy");
    expect(seen.slice(seen.indexOf("roomy"))).not.toContain("compact");
  });

  test("a change made while another is being saved follows it", async () => {
    let answer = () => {};
    const waited = new Promise<void>((resolve) => (answer = resolve));
    const { openPage, sent } = await fixture({
      breaks: ({ method }) => (method === "PUT" && sent().length === 1 ? waited.then(() => null) : null),
    });
    const page = openPage();
    await page.loaded();
    page.set({ density: "compact" });
    void page.flush();
    await vi.waitFor(() => expect(sent()).toHaveLength(1), soon);
    page.set({ practised: true });
    const all = page.flush();
    answer();
    await all;
    expect([sent(), page.state().saveState]).toEqual([[{ density: "compact" }, { practised: true }], "saved"]);
  });

  test("a change made before the preferences are loaded is added to them instead of replacing them", async () => {
    let answer = () => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const { openPage, there } = await fixture({
      held: { panes: { detail: 400 }, coach: { on: true, learnt: ["a"] }, density: "roomy", keys: { x: ["y"] } },
      breaks: ({ method }) => (method === "GET" ? asked.then(() => null) : null),
    });
    const page = openPage();
    page.set({ panes: { counters: 200 }, coach: { on: false, learnt: ["b"] }, letters_off: true });
    expect(page.state().preferences).toMatchObject({ panes: { counters: 200 }, letters_off: true });
    answer();
    await page.keeps("saved");
    const expected = {
      ...defaults,
      panes: { detail: 400, counters: 200 },
      coach: { on: false, learnt: ["a", "b"] },
      density: "roomy",
      keys: { x: ["y"] },
      letters_off: true,
    };
    expect([page.state().preferences, there()]).toEqual([expected, expected]);
  });

  test("once they are loaded, a part replaces the server's", async () => {
    const { openPage, there } = await fixture({ held: { keys: { a: ["x"], b: ["y"] } } });
    const page = openPage();
    await page.loaded();
    page.set({ keys: { a: ["x"] } });
    await page.flush();
    expect(there().keys).toEqual({ a: ["x"] });
  });
});

describe("when it cannot be sent", () => {
  test("the change holds, and is sent with the next one", async () => {
    let fails = true;
    const { openPage, sent, there, line } = await fixture({ breaks: ({ method }) => (fails && method === "PUT" ? broken : null) });
    const page = openPage();
    await page.loaded();
    page.set({ density: "compact" });
    await page.flush();
    expect(page.state()).toMatchObject({ preferences: { density: "compact" }, saveState: "failed" });
    expect(line.reported).toEqual([]);
    fails = false;
    page.set({ practised: true });
    await page.keeps("saved");
    expect(sent().at(-1)).toEqual({ density: "compact", practised: true });
    expect(there()).toMatchObject({ density: "compact", practised: true });
  });

  test("it is sent when the server answers again", async () => {
    let down = false;
    const { openPage, there, line } = await fixture({ breaks: () => (down ? { status: 200, cut: true } : null) });
    const page = openPage();
    await page.loaded();
    down = true;
    page.set({ density: "compact" });
    await page.flush();
    expect(page.state().saveState).toBe("failed");
    down = false;
    await line.link.probe();
    await page.keeps("saved");
    expect(there().density).toBe("compact");
  });

  test("a refused part holds in this page, and stops no other part from being saved", async () => {
    const refusal = { status: 422, body: { message: "Not right", code: "request.invalid", data: { "keys.x": ["is too long"] } } };
    const { openPage, sent, there } = await fixture({
      breaks: ({ method, body }) => (method === "PUT" && "keys" in (body as object) ? refusal : null),
    });
    const page = openPage();
    await page.loaded();
    page.set({ keys: { x: ["long"] }, density: "compact" });
    await page.flush();
    expect(page.state()).toMatchObject({ preferences: { keys: { x: ["long"] }, density: "compact" }, saveState: "refused" });
    page.set({ practised: true });
    await page.flush();
    expect(sent().slice(1)).toEqual([{ density: "compact" }, { practised: true }]);
    expect(there()).toMatchObject({ keys: {}, density: "compact", practised: true });
  });

  test("a hidden page sends waiting changes at once", async () => {
    const { openPage, sent } = await fixture();
    const page = openPage();
    await page.loaded();
    page.hide();
    page.set({ density: "compact" });
    page.hide();
    page.stop(); // no timer does it
    await vi.waitFor(() => expect(sent()).toEqual([{ density: "compact" }]), soon);
  });

  test("a reload finds the unsent changes, and sends them", async () => {
    let fails = true;
    const { openPage, there } = await fixture({
      held: { keys: { a: ["x"] } },
      breaks: ({ method }) => (fails && method === "PUT" ? broken : null),
    });
    const before = openPage();
    await before.loaded();
    before.set({ keys: {}, density: "compact" });
    await before.flush();
    before.stop();
    fails = false;
    const after = openPage();
    expect(after.state().preferences).toMatchObject({ density: "compact", keys: {} });
    await after.loaded();
    await after.keeps("saved");
    expect([there().density, there().keys]).toEqual(["compact", {}]);
    after.stop();
    expect(openPage().state().saveState).toBe("saved");
  });

  test("they belong to their user: the next user neither sees nor sends them, and they are sent when their user returns", async () => {
    let fails = true;
    const { openPage, sent } = await fixture({ breaks: ({ method }) => (fails && method === "PUT" ? broken : null) });
    const page = openPage();
    await page.loaded();
    page.set({ density: "compact" });
    await page.flush();
    fails = false;
    const tries = sent().length;
    page.leave();
    page.enter(ben);
    await page.loaded();
    await page.flush();
    expect(page.state()).toMatchObject({ preferences: { density: "normal" }, saveState: "saved" });
    expect(sent()).toHaveLength(tries);
    page.enter(ann);
    expect(page.state()).toMatchObject({ preferences: { density: "compact" }, saveState: "waiting" });
    await page.keeps("saved");
    expect(sent().slice(tries)).toEqual([{ density: "compact" }]);
  });

  test("an answer that arrives after its user has left changes nothing for the next one", async () => {
    let answer = () => {};
    const waited = new Promise<void>((resolve) => (answer = resolve));
    const late = { status: 200, body: { data: { ...defaults, density: "compact" } } };
    const { openPage, asked, line } = await fixture({
      held: { density: "roomy" },
      breaks: ({ method }) => (method === "GET" && asked.length === 1 ? waited.then(() => late) : null),
    });
    const page = openPage();
    await vi.waitFor(() => expect(asked).toHaveLength(1), soon);
    page.leave();
    page.enter(ben);
    await page.loaded();
    const seen: string[] = [];
    page.store.subscribe(({ preferences }) => void seen.push(preferences.density));
    const before = line.link.store.getState().answeredAt;
    answer();
    await vi.waitFor(() => expect(line.link.store.getState().answeredAt).toBeGreaterThan(before), soon);
    page.set({ practised: true });
    await page.flush();
    expect(new Set(seen)).toEqual(new Set(["roomy"]));
  });
});
