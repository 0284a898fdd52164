import { download } from "./save-file.ts";
import type { Made } from "./export-worker.ts";
import { withinTime } from "../loading/time-limit.ts";
import type { Sheet } from "../commands/sheet.ts";

const xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Makes the file in a worker and saves it. Throws when it cannot be made. */
export async function saveSheet(sheet: Sheet): Promise<void> {
  const worker = new Worker(new URL("./export-worker.ts", import.meta.url), { type: "module" });
  try {
    const made = await withinTime(
      () =>
        new Promise<Made>((resolve, reject) => {
          worker.addEventListener("message", ({ data }: MessageEvent<Made>) => resolve(data));
          worker.addEventListener("error", () => reject(new Error("the worker that makes files did not start")));
          worker.postMessage(sheet);
        }),
    );
    if (made === null) throw new Error("the file could not be made");
    download(new Blob([made], { type: xlsx }), sheet.fileName);
  } finally {
    worker.terminate();
  }
}
