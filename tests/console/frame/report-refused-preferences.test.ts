import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import { Preferences } from "../../../src/contract/preferences.ts";
import type { PreferencesState } from "../../../src/console/api/preferences.ts";
import { createMessageLog } from "../../../src/console/kit/messages/message-log.ts";
import { reportRefusedPreferences } from "../../../src/console/frame/report-refused-preferences.ts";

function fixture() {
  const store = createStore<PreferencesState>(() => ({ preferences: Preferences.parse({}), loaded: true, saveState: "saved" }));
  const log = createMessageLog();
  const stop = reportRefusedPreferences({ store }, log);
  const become = (...states: PreferencesState["saveState"][]) => states.forEach((saveState) => store.setState({ saveState }));
  return { become, stop, toasts: () => log.getState().map(({ toast, tone }) => ({ toast, tone })) };
}

const warned = { toast: true, tone: "warn" };

test("settings that the server refuses are reported once, however often others are saved beside them", () => {
  const { become, toasts } = fixture();
  become("waiting", "refused");
  expect(toasts()).toEqual([warned]);
  become("waiting", "refused", "waiting", "refused");
  expect(toasts()).toEqual([warned]);
});

test("are reported again when all had been saved in between", () => {
  const { become, toasts } = fixture();
  become("waiting", "refused", "waiting", "saved", "waiting", "refused");
  expect(toasts()).toEqual([warned, warned]);
});

test("a server that does not answer has refused nothing, and nothing is reported after the end", () => {
  const { become, stop, toasts } = fixture();
  become("waiting", "failed", "waiting", "saved");
  stop();
  become("refused");
  expect(toasts()).toEqual([]);
});
