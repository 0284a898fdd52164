import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../../src/server/config.ts";
import { openFileStore } from "../../../src/server/files/store.ts";
import type { FileStore } from "../../../src/server/files/store.ts";
import { testDatabase } from "../../support/database.ts";
import { makeTenant } from "../../support/factories.ts";
import { startFakeS3 } from "../../support/fake-s3.ts";
import type { FakeS3 } from "../../support/fake-s3.ts";

const db = testDatabase();
let folder: string;
let s3: FakeS3;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "receipts-"));
  s3 = await startFakeS3();
});
afterAll(async () => {
  await s3.stop();
  await rm(folder, { recursive: true });
});

const webRoot = () => join(folder, "dist");
const storeAt = (FILES_URL: string | undefined, dataDir = folder): Promise<FileStore> =>
  openFileStore(readConfig(FILES_URL === undefined ? {} : { FILES_URL }), dataDir, webRoot(), db.database);

const stores: Readonly<Record<string, () => Promise<FileStore>>> = {
  "a folder": () => storeAt(`file:${join(folder, "kept here")}`.replaceAll(" ", "%20")),
  "the data folder": () => storeAt(undefined),
  "the database": () => storeAt("database:"),
  "an S3-compatible service": () => storeAt(s3.url),
};

describe.each(Object.entries(stores))("files in %s", (_, open) => {
  test("are there as they were put, until they are removed, and only under their tenant and name", async () => {
    const store = await open();
    const [tenant, other] = [(await makeTenant(db)).id, (await makeTenant(db)).id];
    const id = randomUUID();
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, n) => n % 251));
    expect(await store.get({ tenant, id })).toBeNull();
    await store.put({ tenant, id }, bytes);
    expect(Buffer.from((await store.get({ tenant, id })) ?? []).equals(bytes)).toBe(true);
    expect(await store.get({ tenant: other, id })).toBeNull();
    expect(await store.get({ tenant, id: randomUUID() })).toBeNull();
    await store.remove({ tenant: other, id });
    expect(await store.get({ tenant, id })).not.toBeNull();
    await store.remove({ tenant, id });
    await store.remove({ tenant, id });
    expect(await store.get({ tenant, id })).toBeNull();
  });

  test("name no key in the log", async () => {
    expect((await open()).place).not.toMatch(/AKID|wJalr/);
  });
});

describe("a folder", () => {
  test("is for the server's account alone, and holds nothing half written", async () => {
    const store = await stores["a folder"]?.();
    const tenant = randomUUID();
    await store?.put({ tenant, id: "one" }, Buffer.from("x"));
    const path = join(folder, "kept here");
    expect(await readdir(join(path, tenant))).toEqual(["one"]);
    expect([(await stat(path)).mode & 0o077, (await stat(join(path, tenant, "one"))).mode & 0o077]).toEqual([0, 0]);
  });

  test("that is served to browsers, or cannot be written, stops the start and is named", async () => {
    await expect(storeAt(`file:${webRoot()}/files`)).rejects.toThrow(/FILES_URL: .*dist/);
    await expect(storeAt(undefined, webRoot())).rejects.toThrow(/FILES_URL/);
    await writeFile(join(folder, "a file"), "");
    await expect(storeAt(`file:${folder}/a%20file/below`)).rejects.toThrow(/FILES_URL: the folder .*a file/);
  });
});

describe("an S3-compatible service", () => {
  test("is asked again when it fails, and no third time in vain", async () => {
    const store = await storeAt(s3.url);
    const key = { tenant: randomUUID(), id: randomUUID() };
    s3.failures.push(503, 500);
    await store.put(key, Buffer.from("x"));
    expect([...s3.objects.keys()]).toContain(`/receipts/live/${key.tenant}/${key.id}`);
    s3.failures.push(500, 500, 500);
    await expect(store.get(key)).rejects.toThrow(/answers 500/);
    expect(Buffer.from((await store.get(key)) ?? []).toString()).toBe("x");
  });

  test("refuses another secret, which is told without the secret", async () => {
    const store = await storeAt(s3.url.replace("wJalr", "xJalr"));
    const wrong = store.put({ tenant: "t", id: "i" }, Buffer.from("x"));
    await expect(wrong).rejects.toThrow(/403/);
    await expect(wrong).rejects.not.toThrow(/Jalr/);
  });

  test("that does not answer fails the call", async () => {
    const gone = await startFakeS3();
    await gone.stop();
    await expect((await storeAt(gone.url)).get({ tenant: "t", id: "i" })).rejects.toThrow(/does not answer/);
  });
});

describe("FILES_URL", () => {
  const DATABASE_URL = "postgresql://owner@db.example/pay";
  const MASTER_KEY = Buffer.alloc(32, 1).toString("base64");
  const keys = { AWS_ACCESS_KEY_ID: "K", AWS_SECRET_ACCESS_KEY: "S", AWS_REGION: "ap-southeast-1" };

  test("left out means the data folder, and with DATABASE_URL the database, which all processes share", () => {
    expect(readConfig({}).files).toEqual({ kind: "folder", folder: null });
    expect(readConfig({ DATABASE_URL, MASTER_KEY }).files).toEqual({ kind: "database" });
    expect(readConfig({ DATABASE_URL, MASTER_KEY, FILES_URL: "file:/srv/files" }).files).toEqual({ kind: "folder", folder: "/srv/files" });
    for (const FILES_URL of ["database:", "postgresql:", "postgres://"]) expect(readConfig({ FILES_URL }).files.kind).toBe("database");
  });

  test("takes the keys of a service from itself or from the environment", () => {
    const own = readConfig({ ...keys, FILES_URL: "s3://A:B%2F@s3.example:9000/bucket/a/b?region=eu-1&tls=false" }).files;
    expect(own).toEqual({
      kind: "s3",
      endpoint: "http://s3.example:9000",
      bucket: "bucket",
      prefix: "a/b/",
      region: "eu-1",
      accessKey: "A",
      secretKey: "B/",
    });
    const given = readConfig({ ...keys, FILES_URL: "s3://s3.example/bucket" }).files;
    expect(given).toMatchObject({ endpoint: "https://s3.example", prefix: "", region: "ap-southeast-1", accessKey: "K", secretKey: "S" });
  });

  test.each([
    "files",
    "ftp://x/y",
    "https://s3.example/bucket",
    "file://elsewhere/files",
    "file:/",
    "file:/srv?x=1",
    "postgresql://db.example/other",
    "s3://s3.example/bucket",
    "s3://A:B@s3.example",
    "s3://A:B@s3.example/UPPER",
    "s3://A:B@s3.example/bucket/../x%20y",
    "s3://A:B@s3.example/bucket?tls=perhaps",
    "s3://A:B@s3.example/bucket?acl=public",
    "s3:///bucket",
  ])("%s is refused by name, and no key is told", (FILES_URL) => {
    expect(() => readConfig({ FILES_URL })).toThrow(/wrong settings:\n {2}FILES_URL: /);
    expect(() => readConfig({ FILES_URL })).not.toThrow(/A:B/);
  });
});
