import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { routes } from "../../src/contract/index.ts";

const contract = resolve(import.meta.dirname, "../../src/contract");

/** Each area that index.ts spreads into all routes, by the name it is exported under. */
async function areas(): Promise<Map<string, Readonly<Record<string, unknown>>>> {
  const spread = [...readFileSync(join(contract, "index.ts"), "utf8").matchAll(/^ {2}\.\.\.(\w+),$/gm)].map(([, name = ""]) => name);
  const files = globSync("*.ts", { cwd: contract }).filter((file) => file !== "index.ts");
  const modules = await Promise.all(files.map(async (file) => (await import(join(contract, file))) as Record<string, object>)); // exports
  const exported = new Map(modules.flatMap((module) => Object.entries(module)));
  return new Map(spread.map((name) => [name, { ...exported.get(name) }]));
}

test("no two areas name a route alike, because the later would silently take the place of the earlier", async () => {
  const named = await areas();
  expect(named.size).toBeGreaterThan(15);
  const homes = new Map<string, string[]>();
  for (const [area, own] of named) for (const route of Object.keys(own)) homes.set(route, [...(homes.get(route) ?? []), area]);
  expect([...homes].filter(([, several]) => several.length > 1)).toEqual([]);
  // each was found where it is made, and all of them are the product's
  expect([...homes.keys()].toSorted()).toEqual(Object.keys(routes).toSorted());
});
