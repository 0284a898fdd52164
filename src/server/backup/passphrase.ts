import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Readable } from "node:stream";

/** Characters; as BACKUP_PASSPHRASE has it. */
const shortest = 12;

interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  /** Where questions are shown. */
  readonly output: Writable;
}

/**
 * The passphrase of the settings, else asked at the terminal without showing it; `twice` for a new one. Throws when there is neither, it is
 * too short, or the two differ.
 */
export async function askPassphrase(
  configured: string | undefined,
  twice: boolean,
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): Promise<string> {
  if (configured !== undefined) return configured;
  if (!terminal.input.isTTY) throw new Error("BACKUP_PASSPHRASE: needed, because there is no terminal that could ask for it");
  const given = await ask(terminal, "Passphrase of the backup: ");
  if (given.length < shortest) throw new Error(`the passphrase of a backup has at least ${shortest} characters`);
  if (twice && (await ask(terminal, "The same once more: ")) !== given) throw new Error("the two passphrases differ; nothing was done");
  return given;
}

async function ask({ input, output }: Terminal, question: string): Promise<string> {
  output.write(question);
  // readline shows what is typed on its output, and this one shows nothing
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true });
  const left = new AbortController();
  lines.once("SIGINT", () => left.abort(new Error("stopped; nothing was done")));
  try {
    return await lines.question("", { signal: left.signal });
  } catch (error) {
    throw left.signal.aborted ? left.signal.reason : error;
  } finally {
    lines.close();
    output.write("\n");
  }
}
