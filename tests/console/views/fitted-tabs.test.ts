import { expect, test } from "vitest";
import { tabsThatFit } from "../../../src/console/views/fitted-tabs.ts";

test("tabs are hidden from the end, the current one never", () => {
  const widths = [100, 60, 80, 60, 90];
  const shown = (current: number, room: number) => [...tabsThatFit(widths, current, room)].sort((a, b) => a - b);
  expect(shown(0, 390)).toEqual([0, 1, 2, 3, 4]);
  expect(shown(0, 299)).toEqual([0, 1, 2]);
  expect(shown(4, 299)).toEqual([0, 1, 4]);
  expect(shown(4, 20)).toEqual([4]);
  expect(shown(-1, 170)).toEqual([0, 1]);
});
