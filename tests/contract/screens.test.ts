import { expect, test } from "vitest";
import type { Screen } from "../../src/contract/screens.ts";
import { screens } from "../../src/contract/screens.ts";

test("no two places of the navigation have the same icon, because a narrow one shows icons alone", () => {
  const byIcon = new Map<string, string[]>();
  for (const [name, { group, icon }] of Object.entries<Screen>(screens))
    if (group !== undefined) byIcon.set(icon, [...(byIcon.get(icon) ?? []), name]);
  expect([...byIcon].filter(([, names]) => names.length > 1)).toEqual([]);
});
