import { globSync } from "node:fs";
import { basename, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildConsole } from "../src/server/console-build.ts";
import { firstScreen, lazyChunks } from "./support/sizes.ts";

const project = resolve(import.meta.dirname, "..");

/** Bytes, gzip (quality.md 4). */
const firstScreenBudget = 300_000;
const screenBudget = 60_000;

let dist = "";
beforeAll(async () => {
  dist = await buildConsole(project, () => undefined);
}, 180_000);

test("script and style before the first screen stay within 300 kB", () => {
  const { script, style } = firstScreen(dist);
  expect(script).toBeGreaterThan(50_000);
  expect(script + style).toBeLessThanOrEqual(firstScreenBudget);
});

test("each screen adds at most 60 kB", () => {
  const chunks = lazyChunks(dist);
  const names = globSync("src/console/screens/**/*-screen.tsx", { cwd: project }).map((file) => basename(file, ".tsx"));
  expect(names).toContain("withdrawals-screen");
  const sizes = names.map((name) => [name, chunks.get(name)] as const);
  expect(sizes.filter(([, size]) => size === undefined)).toEqual([]);
  expect(sizes.filter(([, size]) => (size?.script ?? 0) + (size?.style ?? 0) > screenBudget)).toEqual([]);
});
