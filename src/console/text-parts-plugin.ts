import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { isIn } from "./text-parts.ts";

const project = resolve(import.meta.dirname, "../..");

/** `screens/merchants/merchants-screen.tsx` → "merchants"; a screen in no folder is a part by itself. */
const partOf = (file: string): string => /\/screens\/([\w-]+?)(?:\/|-screen\.tsx$)/.exec(file)?.[1] ?? "";

/** Changes with any text, and with what a part is. */
function editionOf(): string {
  const locales = readdirSync(join(project, "locales")).map((name) => `locales/${name}`);
  const hash = createHash("sha256");
  for (const file of [...locales.toSorted(), "src/console/text-parts.ts", "src/contract/screens.ts"])
    hash.update(readFileSync(join(project, file)));
  return hash.digest("base64url").slice(0, 8);
}

/**
 * For the build: `locales/de.json?part=setting` has only the keys of that part of the console, and `<screen>-screen.tsx?texts` names the
 * part of that screen and its file in each language, because import.meta.glob takes no name that is made. The files stay whole in git;
 * `whole` leaves them so, for tests that draw no page and wait for no part. All parts are named by one edition (`texts-<edition>/
 * setting.de.js`), because eight names with a hash of their own for each screen would weigh on the first page.
 */
export function textParts({ whole = false } = {}): Plugin {
  return {
    name: "text-parts",
    enforce: "pre",
    config() {
      const folder = `assets/texts-${editionOf()}`;
      const chunkFileNames = ({ facadeModuleId }: { readonly facadeModuleId?: string | null | undefined }): string => {
        const [, language, part] = /\/locales\/(\w+)\.json\?part=([\w-]+)$/.exec(facadeModuleId ?? "") ?? [];
        return language === undefined ? "assets/[name]-[hash].js" : `${folder}/${part}.${language}.js`;
      };
      return { build: { rolldownOptions: { output: { chunkFileNames } } } };
    },
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
