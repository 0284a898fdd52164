import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileKey, FileStore } from "./store.ts";

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";

/** Files in a folder of this machine, which several processes may share. */
export async function folderStore(folder: string): Promise<FileStore> {
  const pathOf = ({ tenant, id }: FileKey) => join(folder, tenant, id);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const probe = join(folder, `.probe-${randomUUID()}`);
    await (await open(probe, "wx")).close();
    await rm(probe);
  } catch (error) {
    throw new Error(`FILES_URL: the folder ${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  return {
    place: `file:${folder}`,

    async put(key, bytes) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // renamed when it is whole, so that a kill leaves no half of a file under its name
      const half = `${path}.${randomUUID()}.part`;
      const handle = await open(half, "wx", 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(half, path);
    },

    get: (key) =>
      readFile(pathOf(key)).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      }),

    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
  };
}
