import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { backup, restore } from "../../../src/server/backup/command.ts";
import { askPassphrase } from "../../../src/server/backup/passphrase.ts";
import { readConfig } from "../../../src/server/config.ts";
import { migrate } from "../../../src/server/db/migrate.ts";
import { openInstallation, withClient } from "../../../src/server/installation.ts";
import type { Installation } from "../../../src/server/installation.ts";
import { manifestIn, passphrase } from "../../support/backups.ts";

let place: string;
let dataDir: string;
let installation: Installation;
/** A good backup. */
let good: string;
let room: string;

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "countinghouse-refusals-"));
  chmodSync(place, 0o755); // PostgreSQL may run under another account
  dataDir = join(place, "data");
  good = join(place, "good");
  installation = await openInstallation(readConfig({ DATA_DIR: dataDir }), () => undefined);
  await withClient(installation.ownerConfig(), (owner) => migrate(owner));
  mkdirSync(join(dataDir, "files/tenant"), { recursive: true });
  writeFileSync(join(dataDir, "files/tenant/slip"), "a receipt");
  // cut off, as a line that is just being appended
  writeFileSync(join(dataDir, "audit-anchors-2026-01-01.jsonl"), '{"at":"2026-01-0');
  await take(good);
});
afterAll(async () => {
  await installation.stop();
  rmSync(place, { recursive: true, force: true });
});
beforeEach(() => {
  room = mkdtempSync(join(place, "room-"));
});
afterEach(() => {
  rmSync(room, { recursive: true, force: true });
  expect(manifestIn(good).files.length, "the good backup is as it was").toBe(countIn(good) - 1);
});

const configOf = (environment: Readonly<Record<string, string>> = {}) =>
  readConfig({ DATA_DIR: dataDir, BACKUP_PASSPHRASE: passphrase, ...environment });
const countIn = (folder: string) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;

/** Answers what it printed. */
async function take(dir: string, environment = {}): Promise<string> {
  const lines: string[] = [];
  await backup(configOf(environment), [dir], (line) => lines.push(line));
  return lines.join("\n");
}
const restored = (dir: string, environment: Readonly<Record<string, string>> = {}) =>
  restore(configOf({ DATA_DIR: join(room, "again"), ...environment }), [dir], () => undefined);
const verified = async (dir: string, environment = {}): Promise<{ verdict: string; said: string }> => {
  const lines: string[] = [];
  const verdict = await backup(configOf(environment), ["--verify", dir], (line) => lines.push(line));
  return { verdict, said: lines.join("\n") };
};

/** The good backup, to be spoilt. */
function copied(): string {
  const dir = join(room, "copied");
  cpSync(good, dir, { recursive: true });
  return dir;
}

describe("a backup is not restored, and nothing is left of the attempt,", () => {
  afterEach(() => expect(existsSync(join(room, "again"))).toBe(false));
  const left = () => readdirSync(room).filter((name) => name !== "copied");

  test("with another passphrase", async () => {
    const wrong = { BACKUP_PASSPHRASE: "seven blue lantern" };
    await expect(restored(good, wrong)).rejects.toThrow(/^the passphrase does not open this backup's master key; nothing was changed$/);
    await expect(verified(good, wrong)).rejects.toThrow(/^the passphrase does not open/);
    expect(left()).toEqual([]);
  });

  test("without one, where no terminal can ask", async () => {
    const none = readConfig({ DATA_DIR: join(room, "again") });
    await expect(restore(none, [good], () => undefined)).rejects.toThrow(/^BACKUP_PASSPHRASE: needed/);
    await expect(backup(readConfig({ DATA_DIR: dataDir }), [join(room, "b")], () => undefined)).rejects.toThrow(/^BACKUP_PASSPHRASE/);
    expect(left()).toEqual([]);
  });

  test("with one byte changed in any of its parts", async () => {
    const dir = copied();
    for (const path of ["postgres/PG_VERSION", "files/tenant/slip"]) {
      const bytes = readFileSync(join(dir, path));
      const other = Buffer.from(bytes);
      other.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
      writeFileSync(join(dir, path), other);
      await expect(restored(dir)).rejects.toThrow(`the backup is damaged: ${join(dir, path)} is not as it was written`);
      await expect(verified(dir)).rejects.toThrow(/is not as it was written$/);
      writeFileSync(join(dir, path), bytes);
    }
    expect(left()).toEqual([]);
  });

  test("with a file of its log missing", async () => {
    const dir = copied();
    const [segment = ""] = readdirSync(join(dir, "postgres/pg_wal"));
    rmSync(join(dir, "postgres/pg_wal", segment));
    await expect(restored(dir)).rejects.toThrow(`${segment} is missing`);
    expect(left()).toEqual([]);
  });

  test("with a manifest that is missing, damaged, changed, of another format or of a newer release", async () => {
    const dir = copied();
    const file = join(dir, "manifest.json");
    const text = readFileSync(file, "utf8");
    rmSync(file);
    await expect(restored(dir)).rejects.toThrow(/is no backup: it has no manifest\.json/);
    await expect(restored(join(room, "nothing"))).rejects.toThrow(/is no backup/);
    writeFileSync(file, text.slice(0, 500));
    await expect(restored(dir)).rejects.toThrow(/manifest\.json is damaged/);
    writeFileSync(file, text.replace('"format": 1', '"format": 2'));
    await expect(restored(dir)).rejects.toThrow(/of format 2; this version reads format 1/);
    const { migration } = manifestIn(good);
    writeFileSync(file, text.replace(migration, "999-later.sql"));
    await expect(restored(dir)).rejects.toThrow(/manifest\.json was changed after the backup was taken/);
    expect(left()).toEqual([]);
  });

  test("where something is already, or within itself", async () => {
    mkdirSync(join(room, "other"));
    writeFileSync(join(room, "other/letter"), "mine");
    await expect(restored(good, { DATA_DIR: join(room, "other") })).rejects.toThrow(/other is not empty: .* nothing was changed/);
    await expect(restored(good, { DATA_DIR: dataDir })).rejects.toThrow(/data is not empty: .* set DATA_DIR to another folder$/);
    await expect(restored(good, { FILES_URL: `file:${join(room, "other")}` })).rejects.toThrow(/other is not empty/);
    await expect(restored(good, { DATA_DIR: join(good, "here") })).rejects.toThrow(/is within the backup's folder/);
    expect(readdirSync(room, { recursive: true })).toEqual(["other", "other/letter"]);
  });
});

describe("a backup is not made, and nothing is changed,", () => {
  test("in a folder that holds something, within the data folder, or around it", async () => {
    writeFileSync(join(room, "letter"), "mine");
    await expect(take(room)).rejects.toThrow(/is not empty: a backup is made in an empty folder/);
    await expect(take(join(dataDir, "backups"))).rejects.toThrow(/is within the data folder/);
    symlinkSync(dataDir, join(room, "link"));
    await expect(take(join(room, "link/backups"))).rejects.toThrow(/is within the data folder/);
    await expect(take(place)).rejects.toThrow(/the data folder, .* is within the backup's folder/);
    await expect(take(join(room, "files/b"), { FILES_URL: `file:${join(room, "files")}` })).rejects.toThrow(/the folder of uploaded files/);
    await expect(take(join(room, "b"), { FILES_URL: `file:${dataDir}` })).rejects.toThrow(/uploaded files need a folder of their own/);
    await expect(take(join(room, "letter"))).rejects.toThrow(/letter is not a folder/);
    expect([readdirSync(room).toSorted(), existsSync(join(dataDir, "backups"))]).toEqual([["letter", "link"], false]);
  });

  test("of a PostgreSQL of one's own, which has its own ways, or of no installation", async () => {
    const own = { DATABASE_URL: "postgresql://owner@db.example/pay", MASTER_KEY: Buffer.alloc(32, 1).toString("base64") };
    await expect(take(join(room, "b"), own)).rejects.toThrow(/DATABASE_URL .* pg_basebackup or pg_dump; see README/);
    await expect(restored(good, own)).rejects.toThrow(/DATABASE_URL/);
    await expect(take(join(room, "b"), { DATA_DIR: join(room, "none") })).rejects.toThrow(/there is no installation in .*none/);
    expect(readdirSync(room)).toEqual([]);
  });

  test("when the server keeps its files elsewhere, which FILES_URL does not say here", async () => {
    const [tenant, file] = [randomUUID(), randomUUID()];
    const asOwner = (text: string) =>
      withClient(installation.ownerConfig(), (owner) => owner.query(`set session_replication_role = replica; ${text}`));
    await asOwner(
      `insert into receipts (tenant_id, id, transaction_id, currency, type, size, hash, name, actor)
        values ('${tenant}', '${file}', '${file}', 'THB', 'image/png', 1, sha256('x'), 'slip.png', 'somebody')`,
    );
    const there = join(dataDir, "files", tenant);
    try {
      await expect(take(join(room, "b"))).rejects.toThrow(
        /newest receipt is not in .*data\/files, .*: set FILES_URL as it is for the server/,
      );
      await expect(take(join(room, "b"), { FILES_URL: "database:" })).rejects.toThrow(/not in the database, .*set FILES_URL/);
      expect(readdirSync(room)).toEqual([]);
      mkdirSync(there);
      writeFileSync(join(there, file), "x");
      expect(await take(join(room, "b"))).toContain("is complete");
      rmSync(there, { recursive: true });
      await asOwner(`insert into stored_files (tenant_id, id, bytes) values ('${tenant}', '${file}', 'x')`);
      expect(await take(join(room, "c"))).toContain("is complete");
    } finally {
      rmSync(there, { recursive: true, force: true });
      await asOwner("delete from receipts; delete from stored_files");
    }
  });

  test("without a folder, or with more than one", async () => {
    for (const args of [[], ["--verify"], ["a", "b"], ["--all"]]) {
      await expect(backup(configOf(), args, () => undefined)).rejects.toThrow(/npm run backup -- DIR/);
    }
  });

  test("when something fails on the way: a folder that was there is empty again", async () => {
    execFileSync("mkfifo", [join(dataDir, "files/pipe")]);
    try {
      mkdirSync(join(room, "there"));
      await expect(take(join(room, "there"))).rejects.toThrow(/pipe is neither a file nor a folder/);
    } finally {
      rmSync(join(dataDir, "files/pipe"));
    }
    expect([readdirSync(room), readdirSync(join(room, "there"))]).toEqual([["there"], []]);
  });
});

test("uploaded files are restored where FILES_URL says, and the master key with the data", async () => {
  const [again, files] = [join(room, "again"), join(room, "files")];
  await restored(good, { FILES_URL: `file:${files}` });
  expect(readFileSync(join(files, "tenant/slip"), "utf8")).toBe("a receipt");
  expect(readFileSync(join(again, "master.key"), "utf8")).toBe(readFileSync(join(dataDir, "master.key"), "utf8"));
  expect(readdirSync(room).toSorted()).toEqual(["again", "files"]);
});

test("--verify audits what is in the backup: one of a broken installation is whole as a copy, and found broken", async () => {
  expect(await verified(good)).toMatchObject({ verdict: "whole" });
  // a head of a chain that is not there
  await withClient(installation.ownerConfig(), (owner) =>
    owner.query(
      `with made as (insert into tenants (id, code, name) values (gen_random_uuid(), 'TTT', 'T') returning id)
        insert into audit_heads (tenant_id, seq, hash) select id, 5, '\\x00' from made`,
    ),
  );
  const broken = join(room, "broken");
  await take(broken);
  expect(await verified(broken)).toMatchObject({
    verdict: "broken",
    said: expect.stringContaining("BROKEN  the audit chain is whole, to its head"),
  });
});

describe("the terminal", () => {
  const terminal = () => ({ input: Object.assign(new PassThrough(), { isTTY: true }), output: new PassThrough() });

  test("asks for a new passphrase twice and shows nothing of it", async () => {
    const { input, output } = terminal();
    const asked = askPassphrase(undefined, true, { input, output });
    input.write("seven blue lanterns\r");
    for await (const chunk of output) if (String(chunk).includes("once more")) break;
    input.write("seven blue lanterns\r");
    expect(await asked).toBe("seven blue lanterns");
    expect(String(output.read() ?? "")).not.toContain("blue");
  });
});
