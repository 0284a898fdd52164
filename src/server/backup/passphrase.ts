import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Characters; as BACKUP_PASSPHRASE has it. */
const shortest = 12;

/**
 * The passphrase of the settings, else asked at the terminal without showing it; `twice` for a new one. Throws when there is neither, it is
 * too short, or the two differ.
 */
export async function askPassphrase(configured: string | undefined, twice: boolean): Promise<string> {
  if (configured !== undefined) return configured;
  if (!process.stdin.isTTY) throw new Error("BACKUP_PASSPHRASE: needed, because there is no terminal that could ask for it");
  const given = await ask("Passphrase of the backup: ");
  if (given.length < shortest) throw new Error(`the passphrase of a backup has at least ${shortest} characters`);
  if (twice && (await ask("The same once more: ")) !== given) throw new Error("the two passphrases differ; nothing was done");
  return given;
}

async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  // readline shows what is typed on its output, and this one shows nothing
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const left = new AbortController();
  terminal.once("SIGINT", () => left.abort(new Error("stopped; nothing was done")));
  try {
    return await terminal.question("", { signal: left.signal });
  } catch (error) {
    throw left.signal.aborted ? left.signal.reason : error;
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}
