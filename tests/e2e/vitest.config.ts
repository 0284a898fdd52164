import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

// The whole product in real Chromium. One file at a time: a page that has to share the machine answers late, and that is no fault.
export default defineConfig({
  root: resolve(import.meta.dirname, "../.."),
  test: {
    include: ["tests/e2e/**/*.test.ts"],
    environment: "node",
    pool: "forks",
    fileParallelism: false,
    globalSetup: ["tests/support/cluster.ts"],
    testTimeout: 60_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
