import { request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { isIP } from "node:net";
import { isLoopbackAddress, isPublicAddress } from "./addresses.ts";
import { resolveName } from "./resolve.ts";
import { hostOf, isLocalName, targetFault } from "./target.ts";

/** The result of an attempt. `status` null: no answer, for the reason in `error`. */
export interface Posted {
  readonly status: number | null;
  readonly milliseconds: number;
  /** The first 2 kB. */
  readonly answer: string | null;
  readonly error: string | null;
}

export interface PostOptions {
  /** The tenant's development setting: allows http and any port, but only to loopback addresses. */
  readonly loopback: boolean;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Resolves a name to addresses; by default with the name servers. */
  readonly resolve?: (name: string, signal: AbortSignal) => Promise<readonly string[]>;
}

/** The error of an attempt that timed out. */
export const timedOut = "timed out";

const storedBytes = 2_048;

/** Why a callback must not be sent there; the message is stored with the attempt. */
class Blocked extends Error {}

/** Checks every address of the URL's host and answers them; the connection uses only these. Throws Blocked. */
async function checkedAddresses(
  url: URL,
  { loopback, resolve = resolveName }: PostOptions,
  deadline: AbortSignal,
): Promise<readonly string[]> {
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await untilDeadline(deadline, resolve(host, deadline)) : [host];
  if (addresses.length === 0) throw new Blocked("the name has no address");
  const local = loopback && (isLocalName(host) || isLoopbackAddress(host));
  if (!addresses.every(local ? isLoopbackAddress : isPublicAddress)) throw new Blocked("not a public address");
  return addresses;
}

/** Rejects at the deadline instead of waiting for `work`. */
function untilDeadline<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolved, rejected) => {
    const over = () => rejected(deadline.reason);
    deadline.addEventListener("abort", over, { once: true });
    if (deadline.aborted) over();
    work.then(resolved, rejected).finally(() => deadline.removeEventListener("abort", over));
  });
}

/**
 * Posts a callback over https to public addresses; the connection uses only checked addresses, and redirects are not followed. The time-out
 * covers everything, the name's resolution included. Never throws: errors are in the answer.
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
    const fault = targetFault(target, options.loopback);
    if (fault !== null) throw new Blocked(fault);
    const url = new URL(target);
    const addresses = await checkedAddresses(url, options, deadline);
    const { status, answer } = await send(url, addresses, body, headers, deadline);
    return done(status, answer, status >= 300 && status < 400 ? "redirects are not followed" : null);
  } catch (error) {
    return done(
      null,
      null,
      deadline.aborted && !options.signal?.aborted ? timedOut : error instanceof Error ? error.message.slice(0, 200) : "failed",
    );
  }
}

function send(url: URL, addresses: readonly string[], body: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
  return new Promise<{ status: number; answer: string }>((resolved, rejected) => {
    const options = {
      method: "POST",
      // only checked addresses, because resolving again could give others
      lookup: (
        _: string,
        wants: { all?: boolean },
        callback: (error: null, found: string | { address: string; family: number }[], family?: number) => void,
      ) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (wants.all || !first) callback(null, found);
        else callback(null, first.address, first.family);
      },
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
        const text = Buffer.concat(chunks).subarray(0, storedBytes).toString("utf8").replaceAll("\0", "");
        resolved({ status: answer.statusCode ?? 0, answer: text });
        answer.destroy();
      };
      answer.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size >= storedBytes) finish(); // the rest is not stored
      });
      answer.on("end", finish);
      answer.on("error", rejected);
    });
    request.on("error", rejected);
    request.end(body);
  });
}
