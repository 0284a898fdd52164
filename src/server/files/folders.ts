import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";

/** What all code that keeps files in folders of this machine shares. */

/** Whether an error of the file system says that there is no such file. */
export const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";

/** Whether `inner` is the folder `outer` or anything below it. */
export function isWithin(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}

/** Resolves when a file, or the names in a folder, are on disk: a file that is synced may still lose its name in a power cut. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}

/** How the names of files begin that are not whole yet: as those of hidden files, which no copy takes. */
const halfPrefix = ".part-";

/** Writes a file for our account alone: it is there whole, even after a power cut, or as it was before. */
export async function writeWhole(path: string, content: Uint8Array | string): Promise<void> {
  // renamed when it is whole, so that a kill leaves no half of a file under its name
  const half = join(dirname(path), `${halfPrefix}${randomUUID()}`);
  try {
    const handle = await open(half, "wx", 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(half, path);
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
  await sync(dirname(path));
}
