import { afterEach, expect, test, vi } from "vitest";
import { transfers } from "../../../src/console/screens/transfers/transfers-entity.ts";
import { aTransfer } from "./rows.ts";

afterEach(() => vi.unstubAllGlobals());

/** A transfer's title, on a page that runs this way. */
function titled(dir: "ltr" | "rtl"): string {
  vi.stubGlobal("document", { documentElement: { dir } });
  return transfers.titleOf(aTransfer());
}

test("a title leads from one account to the other as the page is read, whichever way their names are written", () => {
  expect(titled("ltr")).toBe("\u2066\u2068MBB-01\u2069 → \u2068CIMB-01\u2069\u2069");
  expect(titled("rtl")).toBe("\u2067\u2068MBB-01\u2069 ← \u2068CIMB-01\u2069\u2069");
});
