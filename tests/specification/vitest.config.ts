import { defineConfig } from "vitest/config";
import endToEnd from "../e2e/vitest.config.ts";

// The customer's document, row by row, in real Chromium against the real server: one of each in every worker, because nothing else runs by then.
export default defineConfig({
  ...endToEnd,
  test: { ...endToEnd.test, include: ["tests/specification/**/*.test.ts"], fileParallelism: true },
});
