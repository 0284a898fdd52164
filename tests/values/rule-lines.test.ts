import { describe, expect, test } from "vitest";
import { z } from "zod";
import de from "../../locales/de.json" with { type: "json" };
import en from "../../locales/en.json" with { type: "json" };
import zh from "../../locales/zh.json" with { type: "json" };
import { createRuleLines } from "../../src/values/rule-lines.ts";

const lines = createRuleLines(en);
const lineOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message ?? "";

describe("a rule's line in the reader's language", () => {
  test("keeps its values", () => {
    const line = lineOf(z.string().max(120), "x".repeat(121));
    expect(lines.word(line, zh)).toBe("太长：最多 120 个字符");
  });

  test("says what zod calls string, array or null in the reader's words", () => {
    const said = [
      [z.string(), 7],
      [z.array(z.string()), null],
      [z.boolean(), undefined],
    ] as const;
    expect(said.map(([schema, value]) => lines.word(lineOf(schema, value), de))).toEqual([
      "Ungültige Eingabe: Text erwartet, Zahl erhalten",
      "Ungültige Eingabe: Liste erwartet, nichts erhalten",
      "Muss angegeben werden",
    ]);
  });

  test("groups the amounts in it as the console writes them", () => {
    const line = (left: string) => lines.word(`Only ${left} is left of the daily limit`, en);
    expect(["1785.10", "999.50", "1250000000.00"].map(line)).toEqual(
      ["1,785.10", "999.50", "1,250,000,000.00"].map((left) => `Only ${left} is left of the daily limit`),
    );
  });

  test("no text knows stays as it stands", () => expect(lines.word("no text knows this", zh)).toBe("no text knows this"));
});
