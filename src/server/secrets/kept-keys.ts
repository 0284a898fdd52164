import { existsSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { newMasterKey } from "../config.ts";
import { writeWhole } from "../files/folders.ts";
import { secretBox } from "./secrets.ts";
import type { SecretBox } from "./secrets.ts";

/** The master key and, while keys are changed, the one before it: 32 bytes each. */
export type Keys = readonly [Buffer, ...Buffer[]];

const namedKeys = (key: Buffer, previous: Buffer | undefined): Keys => (previous ? [key, previous] : [key]);

const keyFile = (dataDir: string) => join(dataDir, "master.key");
const previousKeyFile = (dataDir: string) => join(dataDir, "master.key.previous");

/** The keys the settings name, else those kept in the data folder; a first one is made there. */
export const masterKeys = async (
  { masterKey, previousMasterKey }: Pick<Config, "masterKey" | "previousMasterKey">,
  dataDir: string,
): Promise<Keys> => (masterKey ? namedKeys(masterKey, previousMasterKey) : await keptKeys(dataDir));

async function keptKeys(dataDir: string): Promise<Keys> {
  const file = keyFile(dataDir);
  if (!existsSync(file)) {
    // "wx": of concurrent processes the first one's key counts
    await writeFile(file, newMasterKey().toString("base64"), { mode: 0o600, flag: "wx" }).catch(() => undefined);
    await chmod(file, 0o600);
  }
  const previous = previousKeyFile(dataDir);
  return namedKeys(await readKey(file), existsSync(previous) ? await readKey(previous) : undefined);
}

async function readKey(file: string): Promise<Buffer> {
  const key = Buffer.from(await readFile(file, "utf8"), "base64");
  if (key.length !== 32) throw new Error(`${file} is not a key of 32 bytes`);
  return key;
}

/** Keeps these keys in the data folder. If it is interrupted, a key that was in use is still in one of the files. */
export async function keepKeys(dataDir: string, [key, previous]: Keys): Promise<void> {
  if (previous) await writeWhole(previousKeyFile(dataDir), previous.toString("base64"));
  await writeWhole(keyFile(dataDir), key.toString("base64"));
}

/** Replaces the kept key by a new one and keeps the former beside it. */
export async function renewKeptKey(dataDir: string): Promise<SecretBox> {
  const [former] = await keptKeys(dataDir);
  const key = newMasterKey();
  await keepKeys(dataDir, [key, former]);
  return secretBox(key, former);
}
