import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

const accessKey = "AKIDEXAMPLE";
const secretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

export interface FakeS3 {
  /** For FILES_URL. */
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  /** Answered to the next requests, in turn, in place of doing them. */
  readonly failures: number[];
  stop(): Promise<void>;
}

/** A bucket on the loopback that takes requests signed by AWS Signature Version 4 only, with the hash of what was really sent. */
export async function startFakeS3(): Promise<FakeS3> {
  const objects = new Map<string, Buffer>();
  const failures: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const end = (status: number, answer: string | Buffer = "") => void response.writeHead(status).end(answer);
      const failure = failures.shift();
      if (failure !== undefined) return end(failure, "<Error/>");
      const fault = faultOf(request, body);
      if (fault !== null) return end(403, `<Error><Code>SignatureDoesNotMatch</Code>${fault}</Error>`);
      const path = request.url ?? "";
      const held = objects.get(path);
      if (request.method === "PUT") {
        objects.set(path, body);
        return end(200);
      }
      if (request.method === "DELETE") {
        objects.delete(path);
        return end(204);
      }
      return held ? end(200, held) : end(404, "<Error><Code>NoSuchKey</Code></Error>");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `s3://${accessKey}:${encodeURIComponent(secretKey)}@127.0.0.1:${port}/receipts/live?tls=false&region=eu-test-1`,
    objects,
    failures,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** What is wrong with a request's signature; null: nothing. */
function faultOf(request: IncomingMessage, body: Buffer): string | null {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/;
  const [, key, day = "", region = "", names = "", signature = ""] = form.exec(request.headers.authorization ?? "") ?? [];
  if (key !== accessKey) return "no such key";
  if (region !== "eu-test-1") return "another region";
  if (!names.split(";").includes("host") || !names.split(";").includes("x-amz-content-sha256")) return "too little is signed";
  if (request.headers["x-amz-content-sha256"] !== sha256(body)) return "the body is another";
  const time = String(request.headers["x-amz-date"]);
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const canonical = [
    request.method,
    path,
    query,
    ...names.split(";").map((name) => `${name}:${String(request.headers[name]).trim()}`),
    "",
    names,
    sha256(body),
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const signed = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const derived = ["s3", "aws4_request"].reduce((last, part) => hmac(last, part), hmac(hmac(`AWS4${secretKey}`, day), region));
  return timingSafeEqual(hmac(derived, signed), Buffer.from(signature, "hex")) ? null : "another signature";
}
