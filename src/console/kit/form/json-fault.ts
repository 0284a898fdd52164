/** Where a text stops being JSON, from 1; columns count characters. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
}

const token =
  // oxlint-disable-next-line no-control-regex -- a text of JSON must not have one
  /\s*(?:(?<text>"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?<plain>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|(?<mark>[{}[\],:]))/y;

/** null where it is JSON. Browsers word the place each in their own way, or not at all, so it is looked for here. */
export function jsonFault(text: string): JsonFault | null {
  let at = 0;
  const faultAt = (index: number): JsonFault => {
    const before = text.slice(0, index).split("\n");
    return { line: before.length, column: [...(before.at(-1) ?? "")].length + 1 };
  };
  const skip = (): number => at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
  /** The next token, when it is one of these. */
  const take = (kind: "text" | "value" | "mark", of = ""): string | null => {
    token.lastIndex = at;
    const groups = token.exec(text)?.groups;
    const found = kind === "text" ? groups?.["text"] : kind === "value" ? (groups?.["text"] ?? groups?.["plain"]) : groups?.["mark"];
    if (found === undefined || (kind === "mark" && !of.includes(found))) return null;
    at = token.lastIndex;
    return found;
  };
  /** Members of a list or an object; true when all of them, and their end, are right. */
  const members = (end: string, one: () => boolean): boolean => {
    if (take("mark", end) !== null) return true;
    for (;;) {
      if (!one()) return false;
      const next = take("mark", `,${end}`);
      if (next !== ",") return next !== null;
    }
  };
  const value = (): boolean => {
    if (take("value") !== null) return true;
    const open = take("mark", "{[");
    if (open === "[") return members("]", value);
    return open === "{" && members("}", () => take("text") !== null && take("mark", ":") !== null && value());
  };
  const isWhole = value() && skip() === text.length;
  return isWhole ? null : faultAt(skip());
}
