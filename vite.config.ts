import react from "@vitejs/plugin-react";
import postcssRTLCSS from "postcss-rtlcss";
import { Mode } from "postcss-rtlcss/options";
import { defineConfig } from "vite";
import { iconFontPlugin } from "./src/console/icon-font/plugin.ts";
import { sharedChunks } from "./src/console/shared-chunks.ts";
import { textParts } from "./src/console/text-parts-plugin.ts";

const api = process.env["API"] ?? "http://127.0.0.1:8080";

/**
 * Classes that Blueprint's Dialog, OverlayToaster, FormGroup, TextArea, HTMLSelect, Switch, Checkbox and Tag, and what these are made of,
 * can carry. A component taken into use must be added here: rules of all other classes are left out of the page.
 */
const carried =
  /^(?:dialog(?!-step)|overlay|portal|toast|input$|button(?!-group)|spinner|icon(?:-standard|-large)?$|elevation|intent|focus|dark$|disabled$|active$|loading$|small$|large$|minimal$|outlined$|fill$|round$|heading$|html-select|tag$|control$|control-(?:indicator|input)$|switch|checkbox)/;

/** Names or colours of the library, or no class but those our components can carry; what it says of bare elements is said in reset.css. */
function isNeeded(selector: string): boolean {
  const names = [...selector.replaceAll(/:not\([^)]*\)/g, "").matchAll(/\.bp6-([a-z0-9-]+)/g)].map(([, name = ""]) => name);
  return /bp6-|:root|data-bp/.test(selector) && selector !== ".bp6-dark :focus" && names.every((name) => carried.test(name));
}

/** Blueprint's CSS is physical; ours is logical and must not be turned a second time. */
const mirror = postcssRTLCSS({ mode: Mode.override });

export default defineConfig({
  plugins: [textParts(), iconFontPlugin(), react()],
  css: {
    postcss: {
      plugins: [
        {
          postcssPlugin: "blueprint-as-used",
          Once(root, helpers) {
            if (!root.source?.input.file?.endsWith("console/layers.css")) return;
            root.walkRules((rule) => {
              const needed = rule.selectors.filter((selector) => isNeeded(selector));
              if (needed.length === 0) rule.remove();
              else if (needed.length < rule.selectors.length) rule.selectors = needed;
            });
            mirror.Once?.(root, helpers);
          },
        },
      ],
    },
  },
  worker: { format: "es" },
  build: {
    outDir: "dist",
    // names the files of each screen for the server (server/console-page.ts)
    manifest: "manifest.json",
    emptyOutDir: true,
    // one sheet for all: a browser that takes in another sheet with layers works out every element's style and place anew
    cssCodeSplit: false,
    target: "es2023",
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // what the first page needs comes in two files, not in fifty: libraries, which stay from one deployment to the next, and ours
        codeSplitting: {
          groups: [
            { name: "libraries", tags: ["$initial"], test: /node_modules|console\/layers\.css/, priority: 2 },
            { name: "console", tags: ["$initial"], priority: 1 },
            // without what they import, because that would take all of a library that is used in part
            { name: sharedChunks(), includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: {
      "/service": api,
      "/docs": api,
      "/healthz": api,
      "/readyz": api,
      "/app": { target: api, ws: true },
    },
  },
});
