import { createHash } from "node:crypto";
import { closeSync, fchownSync, openSync, readSync, writeSync } from "node:fs";
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Account } from "../db/embedded-host.ts";
import { isMissing, sync } from "../files/folders.ts";

/** Size in bytes, and the hash in hexadecimal. */
export interface Content {
  readonly size: number;
  readonly sha256: string;
}

interface CopyOptions {
  readonly signal: AbortSignal;
  /** Whom the copy belongs to; left out: us. */
  readonly owner?: Account | undefined;
}

/** A megabyte at a time, so that a file of any size takes no memory, and a signal is heard meanwhile. */
const chunkBytes = 1024 * 1024;

/**
 * Copies a file that others may write, or cut off the end of, meanwhile. The copy is on disk only after `syncAll`. undefined: the file has
 * vanished. Throws when the signal aborts or the disk is full.
 */
export async function copyFile(from: string, to: string, { signal, owner }: CopyOptions): Promise<Content | undefined> {
  const source = openThere(from);
  if (source === undefined) return undefined;
  try {
    const target = openSync(to, "wx", 0o600);
    try {
      const content = await read(source, signal, (bytes) => writeAll(target, bytes));
      if (owner) fchownSync(target, owner.uid, owner.gid);
      return content;
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** What a file holds; undefined: there is none. */
export async function contentOf(path: string, signal: AbortSignal): Promise<Content | undefined> {
  const source = openThere(path);
  if (source === undefined) return undefined;
  return read(source, signal, () => undefined).finally(() => closeSync(source));
}

function openThere(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Reads to the end in this thread, because a cluster has thousands of small files, and handing each over costs more than its bytes. */
async function read(source: number, signal: AbortSignal, each: (bytes: Buffer) => void): Promise<Content> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let size = 0; ;) {
    signal.throwIfAborted();
    const count = readSync(source, buffer);
    if (count === 0) return { size, sha256: hash.digest("hex") };
    const bytes = buffer.subarray(0, count);
    hash.update(bytes);
    each(bytes);
    size += count;
    await setImmediate();
  }
}

/** The system may take less than it is given. */
function writeAll(target: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(target, bytes, done);
}

/** Files that are synced at once, which the file system takes to disk together. */
const atOnce = 4;

/**
 * Resolves when all these files and folders are on disk. It comes after all copying, because the first file synced takes most others with
 * it, where one at a time each would wait for the disk.
 */
export async function syncAll(paths: readonly string[]): Promise<void> {
  const left = paths.values();
  const run = async () => {
    for (const path of left) await sync(path);
  };
  await Promise.all(Array.from({ length: atOnce }, run));
}

export interface Tree {
  /** Relative to the root, the parents before what they hold. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** What a folder holds, except what `isLeftOut` says by its path below the folder. Nothing, when there is no such folder. */
export async function treeOf(root: string, isLeftOut: (path: string) => boolean): Promise<Tree> {
  const folders: string[] = [];
  const files: string[] = [];
  const waiting = [""];
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    for (const entry of await entriesOf(join(root, below))) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (isLeftOut(path)) continue;
      if (entry.isDirectory()) {
        folders.push(path);
        waiting.push(path);
      } else if (entry.isFile()) files.push(path);
      else throw new Error(`${join(root, path)} is neither a file nor a folder, and a backup takes nothing else`);
    }
  }
  return { folders, files };
}

/** A folder may vanish while the tree is walked, as that of a database that is dropped. */
const entriesOf = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
