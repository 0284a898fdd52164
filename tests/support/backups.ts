import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Manifest } from "../../src/server/backup/manifest.ts";

const main = resolve(import.meta.dirname, "../../src/server/main.ts");

export const passphrase = "seven blue lanterns";

/** A command as npm runs it, on its way. */
export interface Command {
  readonly process: ChildProcess;
  /** Resolves when the command has said this. */
  says(what: string): Promise<void>;
  /** Its exit code, or the signal that ended it, and all that it said. */
  readonly ended: Promise<{ readonly code: number | string | null; readonly said: string }>;
}

interface CommandOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** How large a file the command may write, in the shell's blocks: the next byte fails as on a full disk. */
  readonly largestFile?: number;
}

/** Runs `npm run <args>` over a data folder, with the backups' passphrase. */
export function command(dataDir: string, args: readonly string[], { environment, largestFile }: CommandOptions = {}): Command {
  const env = { ...process.env, DATA_DIR: dataDir, DEMO: "false", BACKUP_PASSPHRASE: passphrase, ...environment };
  const limit = largestFile === undefined ? "" : `ulimit -f ${largestFile}; `;
  const child = spawn("sh", ["-c", `${limit}exec "$@"`, "sh", process.execPath, main, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  let heard: () => void = () => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      heard();
    });
  }
  const ended = new Promise<{ code: number | string | null; said: string }>((over) =>
    child.once("close", (code, signal) => over({ code: code ?? signal, said })),
  );
  return {
    process: child,
    ended,
    says: (what) =>
      new Promise((resolved, rejected) => {
        heard = () => said.includes(what) && resolved();
        heard();
        void ended.then(({ code }) => rejected(new Error(`ended with ${code} and never said “${what}”:\n${said}`)));
      }),
  };
}

/** What a backup says of itself. */
export const manifestIn = (dir: string): Manifest =>
  (JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8")) as { manifest: Manifest }).manifest; // as the product writes it
