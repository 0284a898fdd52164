import { lookup } from "node:dns/promises";
import { request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { isIP } from "node:net";
import { isLoopbackAddress, isPublicAddress } from "./addresses.ts";

/** What one attempt came to. `status` null: no answer, and `error` says why. */
export interface Posted {
  readonly status: number | null;
  readonly milliseconds: number;
  /** The first 2 kB. */
  readonly answer: string | null;
  readonly error: string | null;
}

export interface PostOptions {
  /** The tenant's development switch: http and any port, to loopback addresses only. */
  readonly loopback: boolean;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Name → addresses; the system's resolver by default. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

const kept = 2_048;
const systemResolve = async (name: string) => (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);

/** Why a callback may not go there; its message is kept with the attempt. */
class Blocked extends Error {}

/** The parsed URL when callbacks may go to such a one at all, before its name is resolved. Throws Blocked. */
function readTarget(text: string, loopbackAllowed: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) throw new Blocked("not a URL");
  if (url.username !== "" || url.password !== "") throw new Blocked("credentials in the URL");
  if (url.protocol !== "https:" && !(loopbackAllowed && url.protocol === "http:")) throw new Blocked("https only");
  return url;
}

/** Checks every address the name has, and answers the one to connect to. Throws Blocked. */
async function pinned(url: URL, { loopback, resolve = systemResolve }: PostOptions): Promise<string> {
  const host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
  const addresses = isIP(host) ? [host] : await resolve(host);
  const [first] = addresses;
  if (first === undefined) throw new Blocked("the name has no address");
  if (loopback && addresses.every(isLoopbackAddress)) return first;
  if (!addresses.every(isPublicAddress)) throw new Blocked("not a public address");
  if (url.protocol !== "https:") throw new Blocked("https only");
  if (url.port !== "") throw new Blocked("port 443 only");
  return first;
}

/**
 * Posts a callback: https to public addresses, the connection pinned to the address that was checked, no redirect followed.
 * Never throws; what went wrong is in the answer.
 */
export async function postCallback(
  target: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  options: PostOptions,
): Promise<Posted> {
  const began = performance.now();
  const deadline = AbortSignal.any([AbortSignal.timeout(options.timeoutMs ?? 15_000), ...(options.signal ? [options.signal] : [])]);
  const done = (status: number | null, answer: string | null, error: string | null): Posted => ({
    status,
    milliseconds: Math.round(performance.now() - began),
    answer,
    error,
  });
  try {
    const url = readTarget(target, options.loopback);
    const address = await pinned(url, options);
    const { status, answer } = await send(url, address, body, headers, deadline);
    return done(status, answer, status >= 300 && status < 400 ? "redirects are not followed" : null);
  } catch (error) {
    return done(
      null,
      null,
      deadline.aborted && !options.signal?.aborted ? "timed out" : error instanceof Error ? error.message.slice(0, 200) : "failed",
    );
  }
}

function send(url: URL, address: string, body: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
  return new Promise<{ status: number; answer: string }>((resolved, rejected) => {
    const options = {
      method: "POST",
      // the address was checked; asking the resolver again could answer another one
      lookup: (
        _: string,
        wants: { all?: boolean },
        give: (error: null, found: string | { address: string; family: number }[], family?: number) => void,
      ) => (wants.all ? give(null, [{ address, family: isIP(address) }]) : give(null, address, isIP(address))),
      headers: {
        ...headers,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "user-agent": "Countinghouse/1",
      },
      agent: false,
      signal,
    } as const;
    const request = (url.protocol === "https:" ? tlsRequest : plainRequest)(url, options, (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = () => {
        const text = Buffer.concat(chunks).subarray(0, kept).toString("utf8").replaceAll("\0", "");
        resolved({ status: answer.statusCode ?? 0, answer: text });
        answer.destroy();
      };
      answer.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size >= kept) finish(); // the rest is nobody's concern
      });
      answer.on("end", finish);
      answer.on("error", rejected);
    });
    request.on("error", rejected);
    request.end(body);
  });
}
