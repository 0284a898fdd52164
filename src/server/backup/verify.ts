import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { audit } from "../audit/command.ts";
import type { Verdict } from "../audit/command.ts";
import { startEmbeddedPostgres } from "../db/embedded.ts";
import { migrate } from "../db/migrate.ts";
import { embeddedDatabase, withClient } from "../installation.ts";
import { secretBox } from "../secrets/secrets.ts";
import { layOut } from "./lay-out.ts";
import { openBackup } from "./restore.ts";

interface VerifyOptions {
  /** The backup, which is only read. */
  readonly dir: string;
  readonly passphrase: string;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Compares each file of a backup with its manifest, starts a copy of its cluster in a folder of its own, and audits it as this version's
 * start would find it. Prints as the audit does. Throws when the backup cannot be opened, is damaged, or does not start.
 */
export async function verifyBackup({ dir, passphrase, print, signal }: VerifyOptions): Promise<Verdict> {
  const { manifest, keys } = await openBackup(dir, passphrase);
  const data = await mkdtemp(join(tmpdir(), "countinghouse-verify-"));
  try {
    await layOut(dir, manifest, { data, files: null }, signal);
    print(`${manifest.files.length} files are as they were written`);
    const postgres = await startEmbeddedPostgres({ dir: data, throwaway: true });
    // nothing else ends an audit that is under way
    signal.addEventListener("abort", () => void postgres.stop());
    try {
      signal.throwIfAborted();
      return await withClient(postgres.connection(embeddedDatabase), async (owner) => {
        await migrate(owner);
        return audit(owner, secretBox(...keys), data, print);
      });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      await postgres.stop();
    }
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}
