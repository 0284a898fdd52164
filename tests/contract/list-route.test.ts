import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { routes } from "../../src/contract/index.ts";
import { listRouteOf } from "../../src/contract/list-route.ts";
import type { Route } from "../../src/contract/route.ts";
import { screens } from "../../src/contract/screens.ts";
import type { ScreenName } from "../../src/contract/screens.ts";
import { searchKinds, searchScreens } from "../../src/contract/search.ts";

const contract = resolve(import.meta.dirname, "../../src/contract");
const texts = globSync("*.ts", { cwd: contract }).map((file) => readFileSync(resolve(contract, file), "utf8"));
/** Screens whose records some form refers to. */
const referred = new Set(
  texts.flatMap((text) => [...text.matchAll(/control\("references?", "([\w-]+)"\)/g)].map(([, screen]) => screen as ScreenName)), // typed there
);
const searched = searchKinds.map((kind): ScreenName => searchScreens[kind]);

test("a reference field finds records without full search by their screen's own list", () => {
  expect([...referred].every((screen) => screen in screens)).toBe(true);
  const listed = [...referred].filter((screen) => !searched.includes(screen));
  expect(listed).toEqual(["game-merchants"]);
  const wrong = listed.filter((screen) => {
    const { path, permission } = listRouteOf(screen);
    const own = Object.values<Route>(routes).find((route) => route.method === "GET" && route.path === path);
    return own?.permission !== permission || !own.query || !("q" in own.query.shape) || !("limit" in own.query.shape);
  });
  expect(wrong).toEqual([]);
});
