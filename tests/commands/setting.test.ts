import { expect, test, vi } from "vitest";
import { settingCommands } from "../../commands/setting.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";

const desk = {
  sections: ["deposits", "history"],
  pick: vi.fn<(section: string) => void>(),
  changes: 2,
  refusal: () => null,
  save: vi.fn<() => Promise<void>>(),
  discard: vi.fn<() => Promise<void>>(),
};
const inSettings = { pane: { form: desk } } as unknown as Context; // what these commands read of it
const services = {} as Services; // they need none
const command = (id: string) => {
  const found = settingCommands.find((one) => one.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found;
};

test("each digit shows its section, and one without a section says so", () => {
  void command("setting.section-2").run([], services, inSettings);
  expect(desk.pick).toHaveBeenCalledWith("history");
  expect(command("setting.section-3").refuse?.([], inSettings)).toEqual({ key: "setting.refuse.no-section", words: { digit: 3 } });
});

test("outside the settings none of the commands does anything", () => {
  expect(settingCommands.filter((one) => one.desk !== "form")).toEqual([]);
});

test("discarding is refused without changes, and has no key", () => {
  const unchanged = { pane: { form: { ...desk, changes: 0 } } } as unknown as Context; // as above
  expect(command("setting.discard").refuse?.([], unchanged)).toBe("setting.refuse.unchanged");
  expect(command("setting.discard").keys).toBeUndefined();
});
