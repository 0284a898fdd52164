import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import { Preferences } from "../../../src/contract/preferences.ts";
import type { PreferencesState } from "../../../src/console/api/preferences.ts";
import { createMessageLog } from "../../../src/console/kit/messages/message-log.ts";
import { tellKeeping } from "../../../src/console/frame/tell-keeping.ts";

function desk() {
  const store = createStore<PreferencesState>(() => ({ preferences: Preferences.parse({}), loaded: true, keeping: "saved" }));
  const log = createMessageLog();
  const stop = tellKeeping({ store }, log);
  const become = (...states: PreferencesState["keeping"][]) => states.forEach((keeping) => store.setState({ keeping }));
  return { become, stop, told: () => log.getState().map(({ toast, tone }) => ({ toast, tone })) };
}

const warned = { toast: true, tone: "warn" };

test("settings the server does not take are told once, however often others are saved beside them", () => {
  const { become, told } = desk();
  become("waiting", "refused");
  expect(told()).toEqual([warned]);
  become("waiting", "refused", "waiting", "refused");
  expect(told()).toEqual([warned]);
});

test("told anew when all had been saved in between", () => {
  const { become, told } = desk();
  become("waiting", "refused", "waiting", "saved", "waiting", "refused");
  expect(told()).toEqual([warned, warned]);
});

test("a line that is down is nobody's refusal, and nothing is told after the end", () => {
  const { become, stop, told } = desk();
  become("waiting", "failed", "waiting", "saved");
  stop();
  become("refused");
  expect(told()).toEqual([]);
});
