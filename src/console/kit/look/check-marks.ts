import type { Check } from "../../../contract/transactions.ts";
import type { IconName } from "./icon.tsx";

type Result = Check["result"];

/** Icon and hue of a check's result; the text beside it says the rest. */
export const checkGlyphs = { pass: "tick", notice: "info", warn: "warn", fail: "cross", unknown: "unknown" } as const satisfies Record<
  Result,
  IconName
>;
export const checkTones = { pass: "pass", notice: "t2", warn: "warn", fail: "fail", unknown: "t3" } as const satisfies Record<
  Result,
  string
>;
