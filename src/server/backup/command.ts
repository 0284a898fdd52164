import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Verdict } from "../audit/command.ts";
import type { Config } from "../config.ts";
import { dataFolder } from "../db/embedded.ts";
import { filesFolder } from "../files/store.ts";
import { openInstallation, projectFolder, withClient } from "../installation.ts";
import { masterKeys } from "../secrets/kept-keys.ts";
import { requireMasterKey } from "../secrets/master-key.ts";
import { askPassphrase } from "./passphrase.ts";
import { realPlace } from "./places.ts";
import { refuseInstallation, restoreBackup } from "./restore.ts";
import { refuseOtherFiles, refuseTarget, takeBackup } from "./take.ts";
import { verifyBackup } from "./verify.ts";

type Print = (line: string) => void;

const usage =
  "npm run backup -- DIR makes a backup in the folder DIR, npm run backup -- --verify DIR tries one, npm run restore -- DIR restores it";

/** `npm run backup -- DIR` and `npm run backup -- --verify DIR`. Throws a sentence for whoever asked. */
export async function backup(config: Config, args: readonly string[], print: Print): Promise<Verdict> {
  const isVerify = args[0] === "--verify";
  const dir = folderIn(isVerify ? args.slice(1) : args);
  if (!isVerify) return take(config, dir, print);
  const passphrase = await askPassphrase(config.backupPassphrase, false);
  return untilStopped((signal) => verifyBackup({ dir, passphrase, print, signal }));
}

async function take(config: Config, dir: string, print: Print): Promise<Verdict> {
  const dataDir = embeddedData(config);
  const folders = { dir, dataDir, filesFolder: realFiles(config, dataDir) };
  if (!existsSync(join(dataDir, "postgres/PG_VERSION")))
    throw new Error(`there is no installation in ${dataDir}; set DATA_DIR to where it is`);
  await refuseTarget(folders);
  const passphrase = await askPassphrase(config.backupPassphrase, true);
  const installation = await openInstallation(config, () => undefined);
  try {
    const manifest = await untilStopped((signal) =>
      withClient(installation.ownerConfig(), async (owner) => {
        // a key that does not open what is copied would be found out only when it is too late
        await requireMasterKey(owner, installation.secrets);
        if (config.files.kind !== "s3") await refuseOtherFiles(owner, folders.filesFolder);
        const copying = () => print(`copying ${dataDir}; the server may go on`);
        return takeBackup(owner, { ...folders, keys: () => masterKeys(config, dataDir), passphrase, copying, signal });
      }),
    );
    const size = manifest.files.reduce((sum, file) => sum + file.size, 0);
    print(
      `${dir} is complete: ${manifest.files.length} files, ${Math.ceil(size / 1e6)} MB, all that was acknowledged before ${manifest.until}`,
    );
    if (config.files.kind === "s3")
      print("uploaded files are not in it: FILES_URL keeps them at a service, which needs a backup of its own");
    return "whole";
  } finally {
    await installation.stop();
  }
}

/** `npm run restore -- DIR`. Throws a sentence for whoever asked. */
export async function restore(config: Config, args: readonly string[], print: Print): Promise<void> {
  const dir = folderIn(args);
  const dataDir = embeddedData(config);
  const folders = { dir, dataDir, filesFolder: realFiles(config, dataDir) ?? join(dataDir, "files") };
  await refuseInstallation(folders);
  const passphrase = await askPassphrase(config.backupPassphrase, false);
  const manifest = await untilStopped((signal) => restoreBackup({ ...folders, passphrase, signal }));
  print(`${dataDir} is restored, with all that was acknowledged before ${manifest.until}; npm start recovers it`);
}

function folderIn(args: readonly string[]): string {
  const [dir, ...others] = args;
  if (dir === undefined || dir === "" || dir.startsWith("-") || others.length > 0) throw new Error(usage);
  return realPlace(dir);
}

function embeddedData(config: Config): string {
  if (config.databaseUrl !== undefined) {
    throw new Error(
      "backup and restore are for the embedded PostgreSQL, and DATABASE_URL names another: use its own pg_basebackup or pg_dump; see README, “Running it for real”, Backups",
    );
  }
  return realPlace(dataFolder(projectFolder, config.dataDir));
}

const realFiles = (config: Config, dataDir: string): string | null => {
  const folder = filesFolder(config, dataDir);
  return folder === null ? null : realPlace(folder);
};

/** Runs work that a signal of the terminal or the system ends in order: what it has begun is taken back. */
async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopped = new AbortController();
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const stop = (name: string) => stopped.abort(new Error(`stopped by ${name}; nothing of it is left`));
  for (const name of names) process.on(name, stop);
  try {
    return await work(stopped.signal);
  } finally {
    for (const name of names) process.off(name, stop);
  }
}
