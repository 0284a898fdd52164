import { request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { isIP } from "node:net";
import { isLoopbackAddress, isPublicAddress } from "./addresses.ts";
import { resolveName } from "./resolve.ts";
import { hostOf, isLocalName, targetFault } from "./target.ts";

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
  /** Name → addresses; the name servers' answer by default. */
  readonly resolve?: (name: string, signal: AbortSignal) => Promise<readonly string[]>;
}

/** The error of an attempt that was not answered in time. */
export const timedOut = "timed out";

const kept = 2_048;

/** Why a callback may not go there; its message is kept with the attempt. */
class Blocked extends Error {}

/** Checks every address the URL's host has, and answers them: connected to is one of these. Throws Blocked. */
async function pinned(url: URL, { loopback, resolve = resolveName }: PostOptions, deadline: AbortSignal): Promise<readonly string[]> {
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await within(deadline, resolve(host, deadline)) : [host];
  if (addresses.length === 0) throw new Blocked("the name has no address");
  const local = loopback && (isLocalName(host) || isLoopbackAddress(host));
  if (!addresses.every(local ? isLoopbackAddress : isPublicAddress)) throw new Blocked("not a public address");
  return addresses;
}

/** What is not there by the deadline is not waited for. */
function within<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolved, rejected) => {
    const over = () => rejected(deadline.reason);
    deadline.addEventListener("abort", over, { once: true });
    if (deadline.aborted) over();
    work.then(resolved, rejected).finally(() => deadline.removeEventListener("abort", over));
  });
}

/**
 * Posts a callback: https to public addresses, the connection pinned to the addresses that were checked, no redirect followed. The
 * time-out is of all of it, the name's resolution too. Never throws; what went wrong is in the answer.
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
    const addresses = await pinned(url, options, deadline);
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
      // the addresses were checked; asking the resolver again could answer others
      lookup: (
        _: string,
        wants: { all?: boolean },
        give: (error: null, found: string | { address: string; family: number }[], family?: number) => void,
      ) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (wants.all || !first) give(null, found);
        else give(null, first.address, first.family);
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
