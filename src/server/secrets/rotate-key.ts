import type { ClientBase } from "pg";
import type { Config } from "../config.ts";
import type { Installation } from "../installation.ts";
import { renewKeptKey } from "./kept-keys.ts";
import { isRotated, requireMasterKey, resealSecrets } from "./master-key.ts";

/**
 * `npm run rotate-key`: seals every secret with MASTER_KEY if set, else with a new key kept in the data folder. After an interruption it
 * continues with the key it had made.
 */
export async function rotateKey(
  owner: ClientBase,
  config: Config,
  { secrets: current, dataDir }: Installation,
  print: (line: string) => void,
): Promise<void> {
  const isKept = config.masterKey === undefined;
  if (!isKept && !config.previousMasterKey) {
    throw new Error("MASTER_KEY_PREVIOUS: needed to change keys; set it to the key so far, and MASTER_KEY to the new one");
  }
  await requireMasterKey(owner, current);
  const secrets = isKept && (await isRotated(owner, current)) ? await renewKeptKey(dataDir) : current;
  const count = await resealSecrets(owner, secrets);
  print(`${count} secrets sealed anew with key ${secrets.keyId}`);
  print(
    isKept
      ? `the former key is in ${dataDir}/master.key.previous: start the server, and delete it a quarter of an hour later`
      : "start the servers with both keys, and take MASTER_KEY_PREVIOUS away a quarter of an hour later",
  );
}
