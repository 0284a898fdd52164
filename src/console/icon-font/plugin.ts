import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { iconFont } from "./icon-font.ts";

/** Written before each build, because a style sheet names a file. */
const folder = resolve(import.meta.dirname, "../../../node_modules/.cache/countinghouse");
const file = "icons.otf";

/**
 * Makes the font of the icons: `url("icons.otf")` in a style sheet is its file, and the page names it, so that the browser fetches it
 * beside the sheets instead of after them.
 */
export function iconFontPlugin(): Plugin {
  return {
    name: "icon-font",
    config() {
      writeWhole(join(folder, file), iconFont());
      return { resolve: { alias: { [file]: join(folder, file) } } };
    },
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle }) {
        const built = Object.keys(bundle ?? {}).find((name) => name.endsWith(".otf"));
        if (built === undefined) return [];
        return [
          { tag: "link", attrs: { rel: "preload", as: "font", type: "font/otf", crossorigin: true, href: `/${built}` }, injectTo: "head" },
        ];
      },
    },
  };
}

/** In one step, because several processes may build at once. */
function writeWhole(path: string, bytes: Buffer): void {
  mkdirSync(folder, { recursive: true });
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, bytes);
  renameSync(beside, path);
}
