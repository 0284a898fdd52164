import { defineConfig } from "vitest/config";
import endToEnd from "../e2e/vitest.config.ts";

// The customer's document, row by row, in real Chromium against the real server.
export default defineConfig({ ...endToEnd, test: { ...endToEnd.test, include: ["tests/specification/**/*.test.ts"] } });
