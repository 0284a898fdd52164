import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { major } from "../db/embedded-cluster.ts";
import { sqlFolders } from "../db/migrate.ts";
import { isWithin, sync } from "../files/folders.ts";
import { keepKeys } from "../secrets/kept-keys.ts";
import type { Keys } from "../secrets/kept-keys.ts";
import { syncAll } from "./copy.ts";
import { layOut } from "./lay-out.ts";
import { readManifest } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";
import { placeBeside, refuseFilled, refuseOverlap, refuseShared, tellTakenBack } from "./places.ts";

interface RestoreOptions {
  /** The backup. Real places, as all folders here. */
  readonly dir: string;
  /** Must be empty, or not be there. */
  readonly dataDir: string;
  /** The folder of uploaded files; empty, or not there. */
  readonly filesFolder: string;
  readonly passphrase: string;
  readonly signal: AbortSignal;
}

/** Throws unless there is room for an installation; nothing is changed. */
export async function refuseInstallation({ dir, dataDir, filesFolder }: Omit<RestoreOptions, "passphrase" | "signal">): Promise<void> {
  refuseShared(dataDir, filesFolder);
  refuseOverlap(dir, dataDir, "the data folder");
  refuseOverlap(dir, filesFolder, "the folder of uploaded files");
  const rule = "a backup is restored into an empty folder, or one that does not exist yet; nothing was changed";
  await refuseFilled(dataDir, `${rule}. Move what is there away, or set DATA_DIR to another folder`);
  await refuseFilled(filesFolder, `${rule}. Move what is there away, or set FILES_URL to another folder`);
}

/** Reads a backup's manifest and opens its keys. Throws when it is none, or one that this version cannot start. */
export async function openBackup(dir: string, passphrase: string): Promise<{ manifest: Manifest; keys: Keys }> {
  const opened = await readManifest(dir, passphrase);
  const { postgres, migration } = opened.manifest;
  if (postgres.major !== major) throw new Error(`the backup was made by PostgreSQL ${postgres.major}; this version brings ${major}`);
  if (!(await readdir(sqlFolders.migrations)).includes(migration)) {
    throw new Error(`the backup is of a newer release (its database has ${migration}): restore it with that release`);
  }
  return opened;
}

/**
 * Puts a backup where an installation is expected, so that its next start recovers it. All of it is compared and on disk before it takes
 * its name; when something fails, nothing is left.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  await refuseInstallation(options);
  const { dir, dataDir, filesFolder, signal } = options;
  const { manifest, keys } = await openBackup(dir, options.passphrase);
  const data = placeBeside(dataDir);
  const isInside = isWithin(dataDir, filesFolder);
  const files = isInside ? join(data, relative(dataDir, filesFolder)) : placeBeside(filesFolder);
  const made = [data, files];
  try {
    await mkdir(data, { recursive: true });
    await mkdir(dirname(files), { recursive: true });
    await syncAll(await layOut(dir, manifest, { data, files }, signal));
    await keepKeys(data, keys);
    signal.throwIfAborted();
    if (!isInside) {
      await take(files, filesFolder, "FILES_URL");
      made.push(filesFolder);
    }
    await take(data, dataDir, "DATA_DIR");
  } catch (error) {
    for (const folder of made) await rm(folder, { recursive: true, force: true });
    throw tellTakenBack("the backup was not restored", error);
  }
  return manifest;
}

/** Gives the folder its name; an empty one that has it is replaced. */
async function take(fresh: string, folder: string, setting: string): Promise<void> {
  await rename(fresh, folder).catch((error: unknown) => {
    throw new Error(`${folder} cannot be replaced, perhaps because a disk is mounted there: set ${setting} to a folder below it`, {
      cause: error,
    });
  });
  await sync(dirname(folder));
}
