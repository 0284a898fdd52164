import { expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall();

test("the page's first stop of Tab is a link that shows itself and leads to the list", async () => {
  const { page } = await sitDown(hall, await makeFloor(hall, 3));
  await page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
  const skip = page.getByRole("link", { name: "Skip to the content" });
  const first = page.locator("a[href], button, input, [tabindex='0']").first();
  expect(await first.evaluate((element) => element.className)).toContain("skip");
  // a moment after the rows have come it names the one under the cursor
  await page.waitForURL((url) => url.searchParams.has("record"));
  const address = page.url();
  const top = async () => (await skip.boundingBox())?.y ?? 0;
  expect(await top()).toBeLessThan(-20);
  // Shift+Tab leads there from what follows, as a keyboard would
  await page.locator(".head button").first().focus();
  await page.keyboard.press("Shift+Tab");
  await expect.poll(top).toBeGreaterThan(0);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest<HTMLElement>("[data-pane]")?.dataset["pane"])).toBe("list");
  expect(page.url()).toBe(address);
});
