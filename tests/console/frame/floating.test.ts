import { afterEach, expect, test, vi } from "vitest";
import { areCountersSeen, floating } from "../../../src/console/frame/floating.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  floating.setState(null, true);
});

test("the counters are seen on a page that is shown, and in a window of their own while it is hidden", () => {
  vi.stubGlobal("document", { visibilityState: "visible" });
  expect(areCountersSeen()).toBe(true);
  vi.stubGlobal("document", { visibilityState: "hidden" });
  expect(areCountersSeen()).toBe(false);
  floating.setState({} as Window, true); // that there is one is all that is asked
  expect(areCountersSeen()).toBe(true);
});
