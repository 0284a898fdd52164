import axe from "axe-core";
import type { Page } from "playwright";

/** Every row of a grid's pool is made alike: five of them tell. The others are out of the document meanwhile, because axe weighs each element there is. */
const alike = ".grid .rows > .row:nth-child(n + 6)";

const colourRules = ["color-contrast", "link-in-text-block"];

/** Which rules axe goes by: colours are the same in every language, and all else in both themes. */
const runs = {
  all: {},
  colours: { runOnly: { type: "rule", values: colourRules } },
  "no colours": { rules: Object.fromEntries(colourRules.map((rule) => [rule, { enabled: false }])) },
} satisfies Record<string, axe.RunOptions>;

/** What axe finds wrong with the page as it stands, or with what lies within a selector; throws when there is nothing within. */
export async function faults(page: Page, within = "html", rules: keyof typeof runs = "all"): Promise<string[]> {
  // a theme that has just changed is told to the page with its next frame: what is looked at is what is drawn
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    async ([include, others, options]) => {
      const out = [...document.querySelectorAll(others)].map((row) => ({
        row,
        rows: row.parentElement,
        after: row.previousElementSibling,
      }));
      for (const { row } of out) row.remove();
      try {
        // put there above
        return await (window as unknown as { axe: typeof axe }).axe.run(include, { resultTypes: ["violations"], ...options });
      } finally {
        // each behind the one that stood before it, which is back already
        for (const { row, rows, after } of out) {
          if (after === null) rows?.prepend(row);
          else after.after(row);
        }
      }
    },
    [within, alike, runs[rules]] as const,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

/** By each theme; what depends on no colour is the same in both, and is looked at once. The page is left in the light one. */
export async function faultsInBothThemes(page: Page, within = "html"): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["dark", "light"] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one theme after the other
    await page.emulateMedia({ colorScheme });
    // oxlint-disable-next-line no-await-in-loop -- as above
    const inTheme = await faults(page, within, colorScheme === "dark" ? "colours" : "all");
    found.push(...inTheme.map((fault) => `${colorScheme}: ${fault}`));
  }
  return found;
}
