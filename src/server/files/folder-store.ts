import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissing, writeWhole } from "./folders.ts";
import type { FileKey, FileStore } from "./store.ts";

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
      await writeWhole(path, bytes);
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
