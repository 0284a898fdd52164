import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plugin } from "vite";
import { build, preview } from "vite";
import { textParts } from "../../src/console/text-parts-plugin.ts";

const sheet = readFileSync(new URL("../../src/console/layers.css", import.meta.url), "utf8");

/** Names the layers of the cascade before any sheet, because a page that is not the console's may load another sheet first. */
const layersFirst: Plugin = {
  name: "layers-first",
  transformIndexHtml: () => {
    const order = /@layer [^;{]+;/.exec(sheet)?.[0];
    if (order === undefined) throw new Error("layers.css names no layers");
    return [{ tag: "style", children: order, injectTo: "head-prepend" }];
  },
};

/** Builds the `pages` of `folder`, made of parts of the console, as the console is built, and serves them on a free port of loopback. */
export async function servePages(folder: string, pages: readonly string[]): Promise<{ readonly url: string; close(): Promise<void> }> {
  const outDir = await mkdtemp(join(tmpdir(), "countinghouse-pages-"));
  const shared = {
    root: folder,
    configFile: false as const,
    plugins: [textParts({ whole: true }), layersFirst],
    logLevel: "error" as const,
  };
  await build({
    ...shared,
    build: { outDir, emptyOutDir: true, target: "es2023", rolldownOptions: { input: pages.map((page) => join(folder, page)) } },
  });
  const server = await preview({ ...shared, build: { outDir }, preview: { host: "127.0.0.1", port: 0, strictPort: false } });
  const url = server.resolvedUrls?.local[0];
  if (!url) throw new Error(`the pages of ${folder} are not served`);
  return {
    url,
    close: async () => {
      await server.close();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}
