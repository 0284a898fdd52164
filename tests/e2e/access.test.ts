import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall();

test.each(["light", "dark"] as const)(
  "axe finds nothing on sign-in, list, detail, sheets, palette and help in the %s theme",
  async (theme) => {
    const at = await makeFloor(hall, 3, 1);
    const signing = await hall.open();
    await signing.emulateMedia({ colorScheme: theme });
    const faults = async (page: typeof signing) => {
      // every row of the grid's pool is made alike: five of them tell
      const { violations } = await new AxeBuilder({ page }).exclude(".grid .rows > .row:nth-child(n + 6)").analyze();
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
    };
    expect(await faults(signing), "sign-in").toEqual([]);
    const hands = await sitDown(hall, at);
    await hands.page.emulateMedia({ colorScheme: theme });
    await hands.pressAll("g", "w", "q");
    await hands.look();
    expect(await faults(hands.page), "queue").toEqual([]);
    await hands.press("r");
    await hands.page.locator(".sheet").waitFor();
    expect(await faults(hands.page), "reason sheet").toEqual([]);
    await hands.press("Escape");
    await hands.page.locator(".sheet").waitFor({ state: "detached" });
    await hands.press("?");
    await hands.page.locator(".sheet").waitFor();
    expect(await faults(hands.page), "help").toEqual([]);
    await hands.press("Escape");
    await hands.page.locator(".sheet").waitFor({ state: "detached" });
    await hands.press("k", { mod: true });
    await hands.page.locator("[cmdk-root]").waitFor();
    expect(await faults(hands.page), "palette").toEqual([]);
  },
  120_000,
);
