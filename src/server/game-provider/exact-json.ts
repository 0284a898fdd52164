/** Reads JSON with its numbers as they are written, as texts, because a float has too few digits for some. Throws a SyntaxError. */
export function exactJson(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, context?: { source?: string }) =>
    typeof value === "number" ? (context?.source ?? String(value)) : value,
  );
}
