import axe from "axe-core";
import type { Page } from "playwright";

/** Every row of a grid's pool is made alike: five of them tell. */
const alike = ".grid .rows > .row:nth-child(n + 6)";

/** What axe finds wrong with the page as it stands, or with what lies within a selector; throws when there is nothing within. */
export async function faults(page: Page, within = "html"): Promise<string[]> {
  // a theme that has just changed is told to the page with its next frame: what is looked at is what is drawn
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    ([include, exclude]) =>
      (window as unknown as { axe: typeof axe }).axe.run({ include: [[include]], exclude: [[exclude]] }, { resultTypes: ["violations"] }), // put there above
    [within, alike] as const,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}
