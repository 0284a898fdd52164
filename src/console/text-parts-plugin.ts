import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { isIn } from "./text-parts.ts";

/**
 * For the build: `locales/de.json?part=setting` has only the keys of that part of the console. The files stay whole in git; `whole`
 * leaves them so, for tests that draw no page and wait for no part.
 */
export function textParts({ whole = false } = {}): Plugin {
  return {
    name: "text-parts",
    enforce: "pre",
    load(id) {
      const [file = "", part] = id.split("?part=");
      if (part === undefined || !file.includes("/locales/")) return null;
      const texts = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>; // checked by tests/locales.test.ts
      const kept = Object.entries(texts).filter(([key]) => whole || isIn(part, key));
      return { code: `export default ${JSON.stringify(Object.fromEntries(kept))}`, moduleType: "js" };
    },
  };
}
