import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Database } from "../db/scope.ts";
import { databaseStore } from "./database-store.ts";
import { isWithin } from "./folders.ts";
import { folderStore } from "./folder-store.ts";
import { s3Store } from "./s3-store.ts";

/** A file of a tenant; its name says nothing of what it holds. */
export interface FileKey {
  readonly tenant: string;
  readonly id: string;
}

/** Where files are kept. Its calls may take time, so none is made within a transaction. */
export interface FileStore {
  /** Where it is, for the log; without keys. */
  readonly place: string;
  /** Resolves when the file is safe. */
  put(key: FileKey, bytes: Uint8Array): Promise<void>;
  /** null: there is no such file. */
  get(key: FileKey): Promise<Uint8Array | null>;
  /** Also resolves when there is no such file. */
  remove(key: FileKey): Promise<void>;
}

/** The folder files are kept in; null: they are in the database, or at a service. */
export const filesFolder = ({ files }: Pick<Config, "files">, dataDir: string): string | null =>
  files.kind === "folder" ? (files.folder ?? join(dataDir, "files")) : null;

/** The store FILES_URL names. Throws, with the setting's name, when a folder cannot be written. */
export async function openFileStore(
  config: Pick<Config, "files">,
  dataDir: string,
  webRoot: string,
  database: Database,
): Promise<FileStore> {
  if (config.files.kind === "s3") return s3Store(config.files);
  const folder = filesFolder(config, dataDir);
  if (folder === null) return databaseStore(database);
  if (isWithin(webRoot, folder)) throw new Error(`FILES_URL: ${folder} is served to browsers; choose a folder outside of ${webRoot}`);
  return folderStore(folder);
}
