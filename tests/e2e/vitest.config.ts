import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

// The whole product in real Chromium. The files share a process, and in it a server, a database and a browser (support/hall.ts).
export default defineConfig({
  root: resolve(import.meta.dirname, "../.."),
  test: {
    include: ["tests/e2e/**/*.test.ts"],
    environment: "node",
    pool: "forks",
    isolate: false,
    fileParallelism: false,
    globalSetup: ["tests/support/cluster.ts", "tests/support/kept-end.ts"],
    setupFiles: ["tests/support/instead-setup.ts"],
    // patience only: how long something took is never a verdict, and a shared machine may be ten times slower than this one
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // the line a failure leaves at the end of a run says what was there instead
    chaiConfig: { truncateThreshold: 1_000 },
    expect: { poll: { timeout: 60_000 } },
  },
});
