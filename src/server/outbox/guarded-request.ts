import type { IncomingHttpHeaders } from "node:http";
import { request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { HttpsProxyAgent } from "https-proxy-agent";
import { isLoopbackAddress, isPublicAddress } from "./addresses.ts";
import { resolveName } from "./resolve.ts";
import { hostOf, isLocalName, targetFault } from "./target.ts";

export interface RequestGuard {
  /** The tenant's development setting: allows http and any port, but only to loopback addresses. */
  readonly loopback: boolean;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Resolves a name to addresses; by default with the name servers. */
  readonly resolve?: (name: string, signal: AbortSignal) => Promise<readonly string[]>;
}

export interface GuardedRequest {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  /** null: none. */
  readonly body: string | null;
  /** Most bytes of the answer that are read. */
  readonly most: number;
  /** The proxy through which it goes: http or https, on any port. */
  readonly proxy?: string | null;
}

/** Why there was no answer, or none that counts. */
type RequestFault = "blocked" | "proxy" | "timed-out" | "redirect" | "failed";

/** The result of a request. `status` null: no answer, for the reason in `error`. */
export interface Answered {
  readonly status: number | null;
  readonly milliseconds: number;
  readonly headers: IncomingHttpHeaders;
  /** At most as many bytes as were asked for. */
  readonly answer: Buffer | null;
  /** There was more. */
  readonly cut: boolean;
  readonly fault: RequestFault | null;
  /** For people; holds nothing of what was sent. */
  readonly error: string | null;
}

/** The error of a request that timed out. */
export const timedOut = "timed out";

/** Why a request must not be sent there. */
class Blocked extends Error {}
/** The proxy was not reached, or did not let the request through. */
class ProxyFailed extends Error {}

/** Checks every address of the URL's host and answers them; the connection uses only these. Throws Blocked. */
async function checkedAddresses(
  url: URL,
  { loopback, resolve = resolveName }: RequestGuard,
  deadline: AbortSignal,
): Promise<readonly [string, ...string[]]> {
  const host = hostOf(url);
  const [first, ...others] = isIP(host) === 0 ? await untilDeadline(deadline, resolve(host, deadline)) : [host];
  if (first === undefined) throw new Blocked("the name has no address");
  const local = loopback && (isLocalName(host) || isLoopbackAddress(host));
  if (![first, ...others].every(local ? isLoopbackAddress : isPublicAddress)) throw new Blocked("not a public address");
  return [first, ...others];
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

/** Answers only checked addresses, because resolving a name again could give others. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  return (_, wants, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = found;
    if (wants.all || !first) callback(null, found);
    else callback(null, first.address, first.family);
  };
}

/**
 * Sends a request over https to public addresses; the connection uses only checked addresses, also through a proxy, and redirects are not
 * followed. The time-out covers everything, the name's resolution included. Never throws: errors are in the answer.
 */
export async function guardedRequest(target: string, request: GuardedRequest, guard: RequestGuard): Promise<Answered> {
  const began = performance.now();
  const deadline = AbortSignal.any([AbortSignal.timeout(guard.timeoutMs ?? 15_000), ...(guard.signal ? [guard.signal] : [])]);
  const failed = (fault: RequestFault, error: string): Answered => ({
    status: null,
    milliseconds: Math.round(performance.now() - began),
    headers: {},
    answer: null,
    cut: false,
    fault,
    error,
  });
  try {
    const fault = targetFault(target, guard.loopback);
    if (fault !== null) throw new Blocked(fault);
    const url = new URL(target);
    const addresses = await checkedAddresses(url, guard, deadline);
    const agent = request.proxy ? await proxyAgent(request.proxy, guard, deadline) : false;
    const { status, headers, answer, cut } = await send(url, addresses, request, agent, deadline);
    const isRedirect = status >= 300 && status < 400;
    return {
      status,
      milliseconds: Math.round(performance.now() - began),
      headers,
      answer,
      cut,
      fault: isRedirect ? "redirect" : null,
      error: isRedirect ? "redirects are not followed" : null,
    };
  } catch (error) {
    if (deadline.aborted && !guard.signal?.aborted) return failed("timed-out", timedOut);
    const message = error instanceof Error ? error.message.slice(0, 200) : "failed";
    return failed(error instanceof Blocked ? "blocked" : error instanceof ProxyFailed ? "proxy" : "failed", message);
  }
}

/** An agent for one request, that connects to checked addresses of the proxy only. */
async function proxyAgent(proxy: string, guard: RequestGuard, deadline: AbortSignal): Promise<HttpsProxyAgent<string>> {
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) throw new ProxyFailed("the proxy has no http or https URL");
  const url = new URL(proxy);
  const addresses = await checkedAddresses(url, guard, deadline);
  return new HttpsProxyAgent(url, { lookup: lookupOf(addresses), signal: deadline });
}

interface Sent {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly answer: Buffer;
  readonly cut: boolean;
}

function send(
  url: URL,
  addresses: readonly [string, ...string[]],
  { method, headers, body, most }: GuardedRequest,
  agent: HttpsProxyAgent<string> | false,
  signal: AbortSignal,
): Promise<Sent> {
  return new Promise((resolved, rejected) => {
    let tunnelled = agent === false;
    const name = hostOf(url);
    const options = {
      method,
      lookup: lookupOf(addresses),
      // a proxy is told the checked address, because it would resolve the name by itself; `hostname`, because the URL's would outdo `host`
      ...(agent && { hostname: addresses[0], ...(isIP(name) === 0 && { servername: name }) }),
      headers: {
        ...headers,
        ...(agent && { host: url.host }),
        ...(body !== null && { "content-length": Buffer.byteLength(body) }),
        "user-agent": "Countinghouse/1",
      },
      agent,
      signal,
    } as const;
    const request = (url.protocol === "https:" ? tlsRequest : plainRequest)(url, options, (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = () => {
        const whole = Buffer.concat(chunks);
        resolved({ status: answer.statusCode ?? 0, headers: answer.headers, answer: whole.subarray(0, most), cut: whole.length > most });
        answer.destroy();
      };
      answer.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > most) finish(); // the rest is not read
      });
      answer.on("end", finish);
      answer.on("error", rejected);
      answer.on("aborted", () => rejected(new Error("the answer was cut off")));
    });
    request.on("proxyConnect", ({ statusCode }: { statusCode: number }) => {
      tunnelled = statusCode === 200;
      if (!tunnelled) rejected(new ProxyFailed(`the proxy answered ${statusCode}`));
    });
    request.on("error", (error) => rejected(tunnelled || signal.aborted ? error : new ProxyFailed(error.message)));
    request.end(body ?? undefined);
  });
}
