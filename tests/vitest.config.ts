import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

// Real PostgreSQL, one throwaway cluster a run; a database of its own for each file that asks for one (support/database.ts).
export default defineConfig({
  root: resolve(import.meta.dirname, ".."),
  test: {
    include: ["tests/**/*.test.ts"],
    exclude: ["tests/e2e/**", "tests/bench/**", "node_modules/**"],
    environment: "node",
    pool: "forks",
    globalSetup: ["tests/support/cluster.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
