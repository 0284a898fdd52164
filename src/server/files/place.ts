import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { S3Place } from "./s3-store.ts";

/** Where FILES_URL says files are kept. */
export type FilesPlace =
  | { readonly kind: "folder"; /** null: in the data folder. */ readonly folder: string | null }
  | { readonly kind: "database" }
  | ({ readonly kind: "s3" } & S3Place);

/** What FILES_URL is read with. */
interface Around {
  readonly databaseUrl: string | undefined;
  readonly accessKey: string | undefined;
  readonly secretKey: string | undefined;
  readonly region: string | undefined;
}

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/**
 * Reads FILES_URL: file:/folder · database: or postgresql: (the product's own database) · s3://key:secret@host:port/bucket/prefix with
 * ?region= and ?tls=false. Without it files are in the data folder, or with DATABASE_URL in the database, because several processes share
 * that. Throws an Error with the rule that is broken.
 */
export function readFilesPlace(text: string | undefined, around: Around): FilesPlace {
  if (text === undefined) return around.databaseUrl === undefined ? { kind: "folder", folder: null } : { kind: "database" };
  if (/^(database|postgres(ql)?):(\/\/)?$/.test(text)) return { kind: "database" };
  if (!URL.canParse(text)) throw new Error("must be file:/folder, database: or s3://key:secret@host/bucket");
  const url = new URL(text);
  if (/^postgres(ql)?:$/.test(url.protocol)) {
    throw new Error("postgresql: names no other database than DATABASE_URL; write database:");
  }
  if (url.protocol === "file:") return { kind: "folder", folder: folderOf(url) };
  if (url.protocol === "s3:") return { kind: "s3", ...s3Of(url, around) };
  throw new Error("must begin with file:, database: or s3:");
}

function folderOf(url: URL): string {
  if (url.host !== "" || url.search !== "" || url.hash !== "")
    throw new Error("file: names a folder of this machine, such as file:/srv/files");
  const folder = fileURLToPath(url);
  if (resolve(folder) === "/") throw new Error("file: must name a folder below the root");
  return resolve(folder);
}

function s3Of(url: URL, around: Around): S3Place {
  const unknown = [...url.searchParams.keys()].find((name) => name !== "region" && name !== "tls");
  if (unknown !== undefined) throw new Error(`s3: knows region and tls, not ${unknown}`);
  if (url.host === "") throw new Error("s3: needs a host: s3://key:secret@host/bucket");
  const [bucket = "", ...folders] = decodeURIComponent(url.pathname).split("/").slice(1);
  if (!bucketName.test(bucket)) throw new Error("s3: needs a bucket after its host: s3://key:secret@host/bucket");
  const prefix = folders.filter(Boolean);
  if (prefix.some((part) => !/^[\w.-]+$/.test(part) || /^\.+$/.test(part))) {
    throw new Error("s3: the folders after the bucket may have letters, digits, points, hyphens and underscores");
  }
  const tls = url.searchParams.get("tls") ?? "true";
  if (tls !== "true" && tls !== "false") throw new Error("s3: tls must be true or false");
  const accessKey = decodeURIComponent(url.username) || around.accessKey;
  const secretKey = decodeURIComponent(url.password) || around.secretKey;
  if (!accessKey || !secretKey) {
    throw new Error("s3: needs a key and a secret, in the URL or as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  }
  return {
    endpoint: `${tls === "true" ? "https" : "http"}://${url.host}`,
    bucket,
    prefix: prefix.map((part) => `${part}/`).join(""),
    region: url.searchParams.get("region") ?? around.region ?? "us-east-1",
    accessKey,
    secretKey,
  };
}
