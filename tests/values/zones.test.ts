import { describe, expect, test } from "vitest";
import { zoneMinutes, zoneText } from "../../src/values/zones.ts";

describe("zones", () => {
  test.each([
    ["+08:00", 480],
    ["GMT+7", 420],
    ["GMT+07:00", 420],
    ["-0330", -210],
    ["8", 480],
    [8, 480],
    ["5.5", 330],
    ["-3", -180],
    ["Asia/Kuala_Lumpur", null],
    ["+15:00", null],
    ["", null],
  ])("%j is %j minutes", (zone, minutes) => {
    expect(zoneMinutes(zone)).toBe(minutes);
  });

  test("an offset reads back as itself", () => {
    for (const text of ["+08:00", "-03:30", "+00:00", "+05:45"]) expect(zoneText(zoneMinutes(text) ?? Number.NaN)).toBe(text);
  });
});
