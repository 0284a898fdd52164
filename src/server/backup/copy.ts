import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { open, readdir } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Account } from "../db/embedded-host.ts";
import { isMissing } from "../files/folders.ts";

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

/** A megabyte at a time, so that a file of any size takes no memory. */
const chunkBytes = 1024 * 1024;
/** Files under way at once: enough that syncing one does not wait for another, few enough to leave the disk to the server. */
const atOnce = 4;

/**
 * Copies a file of which others may write or cut off the end meanwhile, and resolves when the copy is on disk. undefined: the file has
 * vanished. Throws when the signal aborts or the disk is full.
 */
export async function copyFile(from: string, to: string, { signal, owner }: CopyOptions): Promise<Content | undefined> {
  const source = await openThere(from);
  if (!source) return undefined;
  try {
    const target = await open(to, "wx", 0o600);
    try {
      const content = await read(source, signal, (chunk) => target.writeFile(chunk));
      if (owner) await target.chown(owner.uid, owner.gid);
      await target.sync();
      return content;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** What a file holds; undefined: there is none. */
export async function contentOf(path: string, signal: AbortSignal): Promise<Content | undefined> {
  const source = await openThere(path);
  if (!source) return undefined;
  return read(source, signal, () => undefined).finally(() => source.close());
}

async function openThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function read(source: FileHandle, signal: AbortSignal, each: (chunk: Buffer) => Promise<void> | undefined): Promise<Content> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let size = 0; ;) {
    signal.throwIfAborted();
    const { bytesRead } = await source.read(buffer, 0, chunkBytes, null);
    if (bytesRead === 0) return { size, sha256: hash.digest("hex") };
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await each(chunk);
    size += bytesRead;
  }
}

/** Runs `work` for each item, a few at once, and throws what the first one throws when those under way have ended. */
export async function forEachOf<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  let fault: { readonly error: unknown } | undefined;
  const run = async () => {
    for (const item of left) {
      if (fault) return;
      await work(item).catch((error: unknown) => (fault ??= { error }));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  if (fault) throw fault.error;
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
