import { beforeEach, expect, test, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { createDrafts } from "../../../src/console/api/drafts.ts";
import { keepEnding } from "../../../src/console/api/session-end.ts";
import type { SessionState, SignedIn } from "../../../src/console/api/session.ts";
import { memoryTab } from "./tab-and-server.ts";

const ann = { tenant: "harbour", user: "ann" };
const at = ({ tenant, user }: typeof ann): Pick<SessionState, "phase" | "at" | "ended"> => ({
  phase: "signed-in",
  at: { tenant: { id: tenant }, user: { uuid: user } } as SignedIn, // the rest is not read
  ended: null,
});
const out = (ended: SessionState["ended"]): Partial<SessionState> => ({ phase: "signed-out", at: null, ended });
const over = { why: "over" } as const;

let tab = memoryTab();
beforeEach(() => {
  tab = memoryTab();
});

/** A page of this tab, newly loaded. */
function openPage() {
  const store = createStore<SessionState>(() => ({ phase: "starting", at: null, ended: null, switching: false, epoch: 0 }));
  keepEnding(store, tab);
  const drafts = createDrafts({ store }, tab);
  return { store, drafts, read: () => drafts.of(ann, "setting").read() };
}

/** A page in which Ann has typed something. */
function typedPage() {
  const page = openPage();
  page.store.setState(at(ann));
  page.drafts.of(ann, "setting").keep({ typed: "77" });
  return page;
}

test("unsaved input is there again after a reload, for the same user and tenant", () => {
  typedPage();
  const { store, drafts, read } = openPage();
  store.setState(at(ann));
  expect(read()).toEqual({ typed: "77" });
  expect(drafts.isEmpty()).toBe(false);
  drafts.of(ann, "setting").keep(null);
  expect([read(), drafts.isEmpty(), openPage().drafts.isEmpty()]).toEqual([null, true, true]);
});

test.each([
  ["signing out", out(null)],
  ["a switch of the tenant", at({ ...ann, tenant: "straits" })],
  ["another person", at({ ...ann, user: "bob" })],
])("%s drops it, in a page that was loaded anew, too, and tells who holds it", (_, next) => {
  typedPage();
  const { store, drafts, read } = openPage();
  store.setState(at(ann));
  const dropped = vi.fn<() => void>();
  drafts.onDrop(dropped);
  store.setState(next);
  expect([drafts.isEmpty(), dropped.mock.calls.length]).toEqual([true, 1]);
  store.setState(at(ann));
  expect(read()).toBeNull();
});

test("a session ended elsewhere drops nothing when the same user signs in again, and all for another user", () => {
  const { store, read } = typedPage();
  store.setState(out(over));
  store.setState({ ended: null });
  store.setState(at(ann));
  expect(read()).toEqual({ typed: "77" });
  store.setState(out(over));
  const anew = openPage();
  anew.store.setState(out(anew.store.getState().ended));
  anew.store.setState(at({ ...ann, user: "bob" }));
  expect(anew.drafts.isEmpty()).toBe(true);
});

test("a form still running for the former tenant writes nothing", () => {
  const { store, drafts } = typedPage();
  const late = drafts.of(ann, "setting");
  store.setState(at({ ...ann, tenant: "straits" }));
  late.keep({ typed: "78" });
  expect(drafts.isEmpty()).toBe(true);
});

test("an unreadable or full storage does no harm", () => {
  tab.setItem("countinghouse.drafts", "{ no");
  expect(openPage().drafts.isEmpty()).toBe(true);
  tab = {
    ...memoryTab(),
    setItem() {
      throw new Error("full");
    },
  };
  expect(typedPage().drafts.isEmpty()).toBe(true);
});

test("the reason for a session's end is still shown after the sign-in page is reloaded, until somebody signs in or has read it", () => {
  const why = { why: "password-changed", at: "2026-11-23T05:12:00.000Z", by: null, ip: "10.0.0.7", agent: null } as const;
  const page = openPage();
  page.store.setState(at(ann));
  page.store.setState(out(why));
  expect(openPage().store.getState().ended).toEqual(why);
  page.store.setState(at(ann));
  expect(openPage().store.getState().ended).toBeNull();
  page.store.setState(out(over));
  const anew = openPage();
  expect(anew.store.getState().ended).toEqual(over);
  anew.store.setState({ ended: null });
  expect(openPage().store.getState().ended).toBeNull();
  tab.setItem("countinghouse.ended", '{"why":"nobody knows"}');
  expect(openPage().store.getState().ended).toBeNull();
});
