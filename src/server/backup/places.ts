import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isMissing, isWithin } from "../files/folders.ts";

/** The folder with every link on its way followed, also of a folder that is yet to be made. */
export function realPlace(folder: string): string {
  const whole = resolve(folder);
  if (existsSync(whole)) return realpathSync(whole);
  const parent = dirname(whole);
  return parent === whole ? whole : join(realPlace(parent), basename(whole));
}

/** Throws unless neither folder is within the other; both are real places. */
export function refuseOverlap(backup: string, other: string, otherName: string): void {
  if (isWithin(other, backup)) throw new Error(`the backup's folder ${backup} is within ${otherName}, ${other}; choose one outside of it`);
  if (isWithin(backup, other)) throw new Error(`${otherName}, ${other}, is within the backup's folder ${backup}; choose another`);
}

/** Throws when uploaded files lie beside the data folder's own, because whoever copies them would take the master key with them. */
export function refuseShared(dataDir: string, filesFolder: string): void {
  if (!isWithin(filesFolder, dataDir)) return;
  throw new Error(`FILES_URL names ${filesFolder}, which holds the data folder ${dataDir}: uploaded files need a folder of their own`);
}

/** Throws unless there is no such folder, or nothing in it. */
export async function refuseFilled(folder: string, why: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    if (!lstatSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
    throw error;
  });
  if (names.length > 0) throw new Error(`${folder} is not empty: ${why}`);
}

/** What to tell of work that failed and was taken back: the system's own words say neither. */
export function tellTakenBack(what: string, error: unknown): unknown {
  if (!(error instanceof Error && "syscall" in error)) return error;
  return new Error(`${what}, and nothing of it is left: ${error.message}`, { cause: error });
}

/** A new place beside the folder, from which it is renamed into its own when it is whole. */
export const placeBeside = (folder: string): string => `${folder}.restoring-${randomUUID().slice(0, 8)}`;
