import react from "@vitejs/plugin-react";
import postcssRTLCSS from "postcss-rtlcss";
import { Mode } from "postcss-rtlcss/options";
import { defineConfig } from "vite";

const api = process.env["API"] ?? "http://127.0.0.1:8080";

/** Blueprint's CSS is physical; ours is logical and must not be turned a second time. */
const mirror = postcssRTLCSS({ mode: Mode.override });

export default defineConfig({
  plugins: [react()],
  css: {
    postcss: {
      plugins: [
        {
          postcssPlugin: "mirror-blueprint",
          Once(root, helpers) {
            if (root.source?.input.file?.includes("@blueprintjs")) return mirror.Once?.(root, helpers);
          },
        },
      ],
    },
  },
  worker: { format: "es" },
  build: { outDir: "dist", emptyOutDir: true, target: "es2023" },
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
