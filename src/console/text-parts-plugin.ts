import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { isIn } from "./text-parts.ts";

/** `screens/merchants/merchants-screen.tsx` → "merchants"; a screen in no folder is a part by itself. */
const partOf = (file: string): string => /\/screens\/([\w-]+?)(?:\/|-screen\.tsx$)/.exec(file)?.[1] ?? "";

/**
 * For the build: `locales/de.json?part=setting` has only the keys of that part of the console, and `<screen>-screen.tsx?texts` names the
 * part of that screen and its file in each language, because import.meta.glob takes no name that is made. The files stay whole in git;
 * `whole` leaves them so, for tests that draw no page and wait for no part.
 */
export function textParts({ whole = false } = {}): Plugin {
  return {
    name: "text-parts",
    enforce: "pre",
    load(id) {
      const [file = "", query = ""] = id.split("?");
      if (query === "texts") {
        const part = partOf(file);
        const files = `import.meta.glob("/locales/*.json", { query: "?part=${part}", import: "default" })`;
        return { code: `export const part = "${part}"; export const files = ${files};`, moduleType: "js" };
      }
      const part = /^part=([\w-]+)$/.exec(query)?.[1];
      if (part === undefined || !file.includes("/locales/")) return null;
      const texts = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>; // checked by tests/locales.test.ts
      const kept = Object.entries(texts).filter(([key]) => whole || isIn(part, key));
      return { code: `export default ${JSON.stringify(Object.fromEntries(kept))}`, moduleType: "js" };
    },
  };
}
