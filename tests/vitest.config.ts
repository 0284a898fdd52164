import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { textParts } from "../src/console/text-parts-plugin.ts";

/** What counts the calls of a library, and so loads the server anew. */
const apart = ["tests/server/auth/sign-in.test.ts"];

export default defineConfig({
  root: resolve(import.meta.dirname, ".."),
  test: {
    environment: "node",
    pool: "forks",
    setupFiles: ["tests/support/instead-setup.ts"],
    // patience only: how long something took is never a verdict, and a shared machine may be ten times slower than this one
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // the line a failure leaves at the end of a run says what was there instead
    chaiConfig: { truncateThreshold: 1_000 },
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        plugins: [textParts({ whole: true })],
        test: {
          name: "unit",
          include: ["tests/**/*.test.ts"],
          exclude: ["tests/server/**", "tests/e2e/**", "tests/specification/**", "tests/deep/**", "tests/bench/**", "node_modules/**"],
        },
      },
      {
        // Real PostgreSQL, one throwaway cluster a run; a database of its own for each file that asks for one (support/database.ts).
        // The server is loaded once for all files: none of it keeps anything beside its own database and app.
        extends: true,
        test: {
          name: "server",
          include: ["tests/server/**/*.test.ts"],
          exclude: [...apart],
          isolate: false,
          globalSetup: ["tests/support/cluster.ts"],
        },
      },
      ...(process.env["DEEP"] === undefined
        ? []
        : [
            {
              extends: true as const,
              test: { name: "deep", include: ["tests/deep/**/*.test.ts"], globalSetup: ["tests/support/cluster.ts"] },
            },
          ]),
      {
        extends: true,
        test: { name: "server, apart", include: [...apart], globalSetup: ["tests/support/cluster.ts"] },
      },
    ],
  },
});
