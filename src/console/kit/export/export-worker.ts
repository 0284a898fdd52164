import type { Sheet } from "../commands/sheet.ts";
import { makeWorkbook } from "./workbook.ts";

/** The file, or null where it cannot be made. */
export type Made = ArrayBuffer | null;

self.addEventListener("message", ({ data }: MessageEvent<Sheet>) => {
  makeWorkbook(data).then(
    (file) => self.postMessage(file satisfies Made),
    (error: unknown) => {
      console.error(error);
      self.postMessage(null satisfies Made);
    },
  );
});
