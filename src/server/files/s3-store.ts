import { AwsClient } from "aws4fetch";
import { createHash } from "node:crypto";
import type { FileKey, FileStore } from "./store.ts";

/** A bucket of an S3-compatible service, addressed by path. */
export interface S3Place {
  /** "https://host:9000". */
  readonly endpoint: string;
  readonly bucket: string;
  /** "" or "a/b/". */
  readonly prefix: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Ms for one request. */
const timeOut = 8_000;
const tries = 3;

/** Files in an S3-compatible service. The hash of each file is signed, so that none is kept that was changed on its way. */
export function s3Store({ endpoint, bucket, prefix, region, accessKey, secretKey }: S3Place): FileStore {
  const client = new AwsClient({ accessKeyId: accessKey, secretAccessKey: secretKey, service: "s3", region, retries: 0 });
  const urlOf = ({ tenant, id }: FileKey) => `${endpoint}/${bucket}/${prefix}${tenant}/${id}`;

  async function send(method: "GET" | "PUT" | "DELETE", key: FileKey, bytes?: Uint8Array): Promise<Response> {
    const hash = createHash("sha256")
      .update(bytes ?? "")
      .digest("hex");
    for (let n = 1; ; n++) {
      const signed = await client.sign(urlOf(key), {
        method,
        headers: { "x-amz-content-sha256": hash },
        ...(bytes && { body: Buffer.from(bytes) }),
      });
      const answer = await fetch(signed, { signal: AbortSignal.timeout(timeOut), redirect: "error" }).catch((error: unknown) => {
        if (n < tries) return null;
        throw new Error(`the store of files does not answer: ${method} ${bucket}`, { cause: error });
      });
      if (answer === null) continue;
      if (answer.ok || (answer.status === 404 && method !== "PUT")) return answer;
      const text = (await answer.text()).slice(0, 300);
      if (answer.status < 500 || n === tries) throw new Error(`the store of files answers ${answer.status} to ${method}: ${text}`);
    }
  }

  return {
    place: `s3://${new URL(endpoint).host}/${bucket}/${prefix}`,
    async put(key, bytes) {
      await send("PUT", key, bytes);
    },
    async get(key) {
      const answer = await send("GET", key);
      return answer.status === 404 ? null : new Uint8Array(await answer.arrayBuffer());
    },
    async remove(key) {
      await send("DELETE", key);
    },
  };
}
