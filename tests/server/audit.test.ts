import { randomUUID } from "node:crypto";
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { thinAnchors } from "../../src/server/audit/anchors.ts";
import { audit } from "../../src/server/audit/command.ts";
import { anchorAudit, sealAudit } from "../../src/server/audit/seal.ts";
import { requireMasterKey, resealSecrets } from "../../src/server/secrets/master-key.ts";
import { sealedColumns } from "../../src/server/secrets/sealed-columns.ts";
import { secretBox } from "../../src/server/secrets/secrets.ts";
import { allAnchors } from "../support/anchors.ts";
import { testDatabase } from "../support/database.ts";
import { makeDeps, makeTenant } from "../support/factories.ts";
import type { Tenant } from "../support/factories.ts";
import { makeSigningMerchant } from "../support/merchants.ts";

const db = testDatabase({ invariants: false });
const [first, second, third] = [7, 8, 9].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
let owner: pg.Client;
let tenant: Tenant;
let merchant: { id: string; secret: string };
let folder: string;

beforeAll(async () => {
  owner = new pg.Client(db.connectAs("app"));
  owner.on("error", () => undefined);
  await owner.connect();
  tenant = await makeTenant(db);
  merchant = await makeSigningMerchant(db, makeDeps(db), tenant);
  await owner.query(
    `insert into audit_entries (tenant_id, at, actor_kind, actor_name, act, entity)
      select $1, now() - interval '1 hour', 'system', 'system', 'look', 'nothing' from generate_series(1, 30)`,
    [tenant.id],
  );
  await sealAudit(makeDeps(db));
});
afterAll(() => owner.end());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "audited-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function audited(secrets = secretBox(first)): Promise<{ verdict: string; said: string }> {
  const lines: string[] = [];
  const verdict = await audit(owner, secrets, folder, (line) => lines.push(line));
  return { verdict, said: lines.join("\n") };
}

test("without its anchors the audit says what it could not verify, and for whom", async () => {
  const { verdict, said } = await audited();
  expect(verdict).toBe("unverified");
  expect(said).toMatch(/UNSEEN .* no anchors/);
  expect(said).toContain(`{"tenant":"${tenant.id}","rows":30`);
  expect(said).not.toContain("invariants hold");
});

test("with them it says that all holds, and of a line cut by a crash that it is none", async () => {
  await anchorAudit(makeDeps(db), folder, new Map());
  expect(await audited()).toMatchObject({ verdict: "whole" });
  const [file = ""] = readdirSync(folder);
  appendFileSync(join(folder, file), '{"at":"2026-01-0');
  expect(await audited()).toMatchObject({ verdict: "unverified", said: expect.stringContaining("1 lines of the anchors' files are none") });
});

test("an anchor that could not be written is written the next time, though nothing was audited since", async () => {
  const known = new Map<string, string>();
  const full = join(folder, "not-a-folder");
  writeFileSync(full, "");
  await expect(anchorAudit(makeDeps(db), full, known)).rejects.toThrow();
  rmSync(full);
  await anchorAudit(makeDeps(db), folder, known);
  expect((await allAnchors(folder)).map((one) => one.tenant)).toContain(tenant.id);
});

test("of past days only each tenant's last anchor is kept, and a chain that contradicts it is still found", async () => {
  const anchor = (at: string, of: string, seq: number) => `${JSON.stringify({ at, tenant: of, seq, hash: "00" })}\n`;
  const other = randomUUID();
  const lines = Array.from({ length: 2_500 }, (_, n) => anchor("2026-01-01T00:00:00.000Z", n % 2 === 0 ? tenant.id : other, n + 1));
  writeFileSync(join(folder, "audit-anchors-2026-01-01.jsonl"), lines.join(""));
  writeFileSync(join(folder, "audit-anchors.jsonl"), anchor("2025-12-31T00:00:00.000Z", tenant.id, 1));
  await anchorAudit(makeDeps(db), folder, new Map());
  await Promise.all([thinAnchors(folder), thinAnchors(folder)]);
  await thinAnchors(folder);
  const kept = await allAnchors(folder);
  expect(kept.filter(({ hash }) => hash === "00").map(({ tenant: of, seq }) => [of, seq])).toEqual(
    expect.arrayContaining([
      [tenant.id, 1],
      [tenant.id, 2_499],
      [other, 2_500],
    ]),
  );
  expect(kept).toHaveLength(4);
  expect(await audited()).toMatchObject({
    verdict: "broken",
    said: expect.stringContaining("BROKEN  audit chain agrees with its anchors"),
  });
});

test("a database's secrets name their key: another one is refused by name, and the audit finds what does not open", async () => {
  await anchorAudit(makeDeps(db), folder, new Map());
  await expect(requireMasterKey(owner, secretBox(second)), "of secrets older than the check").rejects.toThrow(/^MASTER_KEY: not the key/);
  await requireMasterKey(owner, secretBox(first));
  await expect(requireMasterKey(owner, secretBox(second))).rejects.toThrow(/^MASTER_KEY: not the key .* npm run rotate-key$/);
  const { verdict, said } = await audited(secretBox(second));
  expect(verdict).toBe("broken");
  expect(said).toContain("BROKEN  every secret opens with the master key");
  expect(said).toContain(`{"table":"merchants","column":"secret","key":"${tenant.id} ${merchant.id}"`);
});

test("a change of keys seals every secret anew, all or none, and then the former key opens nothing", async () => {
  await requireMasterKey(owner, secretBox(first));
  await expect(resealSecrets(owner, secretBox(second, third))).rejects.toThrow(/opens with none of the keys, nothing was changed/);
  await requireMasterKey(owner, secretBox(second, first));
  expect(await resealSecrets(owner, secretBox(second, first))).toBe(2);
  expect(await resealSecrets(owner, secretBox(second, first))).toBe(0);
  await requireMasterKey(owner, secretBox(second));
  await expect(requireMasterKey(owner, secretBox(first))).rejects.toThrow(/^MASTER_KEY: not the key/);
  await anchorAudit(makeDeps(db), folder, new Map());
  expect(await audited(secretBox(second))).toMatchObject({ verdict: "whole" });
  await resealSecrets(owner, secretBox(first, second));
});

test("what an earlier release sealed opens, and is sealed anew", async () => {
  const box = secretBox(first);
  const sealed = box.seal("what it was", "a place");
  const earlier = Buffer.concat([Buffer.from([1]), sealed.subarray(5)]);
  expect([box.open(earlier, "a place"), secretBox(second, first).open(earlier, "a place")]).toEqual(["what it was", "what it was"]);
  expect(box.isCurrent(earlier)).toBe(false);
  for (const wrong of [
    () => secretBox(second).open(earlier, "a place"),
    () => box.open(earlier, "elsewhere"),
    () => box.open(sealed, "elsewhere"),
  ]) {
    expect(wrong).toThrow();
  }
});

/** Bytes that are not sealed: hashes, and answers packed to be small. */
const unsealed = [
  "stored_files.bytes",
  "audit_chain.hash",
  "audit_chain.previous",
  "audit_heads.hash",
  "bank_column_mappings.headers_digest",
  "bank_import_files.content",
  "bank_import_lines.digest",
  "bank_lines.digest",
  "game_images.hash",
  "game_images.large",
  "game_images.small",
  "idempotency_keys.fingerprint",
  "idempotency_keys.packed",
  "invitations.hash",
  "migrations.hash",
  "password_resets.hash",
  "payout_files.bytes",
  "provider_games.image",
  "receipts.hash",
  "recovery_codes.hash",
  "refresh_tokens.hash",
  "seen_signatures.signature",
  "sessions.binding",
  "sign_in_challenges.hash",
];

test("no column of bytes is left out of a change of keys but what is not sealed", async () => {
  const { rows } = await owner.query<{ name: string }>(
    "select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public' and data_type = 'bytea'",
  );
  const known = [...sealedColumns.map(({ table, column }) => `${table}.${column}`), ...unsealed];
  expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
});
