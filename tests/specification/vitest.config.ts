import { defineConfig } from "vitest/config";
import endToEnd from "../e2e/vitest.config.ts";

// The customer's document, row by row, in real Chromium against the real server. It runs last, when the server's tests have ended, so each
// core has a worker.
export default defineConfig({
  ...endToEnd,
  test: { ...endToEnd.test, fileParallelism: true, include: ["tests/specification/**/*.test.ts"] },
});
