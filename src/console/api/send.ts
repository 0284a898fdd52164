import i18next from "i18next";
import redaxios from "redaxios";
import { CallFailure } from "./failure.ts";
import type { Link } from "./link.ts";
import type { ServerTime } from "./server-time.ts";

interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
  /** The answer is a file: `body` then is {data: {type, name, bytes}}, as the contract has it. */
  readonly download?: true | undefined;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly requestId: string | null;
  readonly retryAfter: string | null;
}

export type Send = (request: Request) => Promise<Reply>;

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly data: unknown;
}

/** A file in the shape of the contract; a refusal as any other. Its name is the caller's to know. */
function downloaded({ status, headers, data }: Answered): unknown {
  if (!(data instanceof ArrayBuffer)) return data;
  if (status < 300) return { data: { type: headers.get("content-type") ?? "", name: "", bytes: new Uint8Array(data) } };
  try {
    return JSON.parse(new TextDecoder().decode(data));
  } catch {
    return "";
  }
}

/** ms without an answer after which a request has failed; one that sends a file takes as long as the line needs, and the server lets it. */
const timeOut = 30_000;
const fileTimeOut = 600_000;

/**
 * Sends one request through redaxios, which has neither signals nor timeouts: both are passed in through its `fetch`. Rejects
 * only with a CallFailure ("no-response", "aborted"); an answer of any status is returned.
 */
export function createSend(link: Link, time: ServerTime): Send {
  return async (request) => {
    const expiry = new AbortController();
    const timer = setTimeout(() => expiry.abort(), request.body instanceof FormData ? fileTimeOut : timeOut);
    const signal = request.signal ? AbortSignal.any([request.signal, expiry.signal]) : expiry.signal;
    let response;
    try {
      response = await redaxios({
        url: request.url,
        method: request.method as "get", // redaxios upper-cases whatever it is given
        headers: { accept: "application/json", "accept-language": i18next.language ?? "en", ...request.headers },
        data: request.body,
        responseType: request.download ? "arrayBuffer" : "text",
        validateStatus: () => true,
        fetch: (async (url: string, init: RequestInit) => {
          const answer = await fetch(url, { ...init, signal, credentials: "same-origin", redirect: "error" });
          // a file that has begun to come takes as long as the line needs
          if (request.download) clearTimeout(timer);
          return answer;
        }) as typeof fetch,
      });
    } catch {
      if (request.signal?.aborted) throw new CallFailure("aborted");
      link.unanswered();
      throw new CallFailure("no-response");
    } finally {
      clearTimeout(timer);
    }
    if (request.signal?.aborted) throw new CallFailure("aborted");
    // redaxios hides a body that broke off: then `data` is missing
    if (response.data === undefined && response.status !== 204) {
      link.unanswered();
      throw new CallFailure("no-response", { status: response.status });
    }
    // a gateway answers for a server that does not
    if (response.status === 502 || response.status === 504) link.unanswered();
    else link.answered();
    time.noteHeader(response.headers.get("date"));
    return {
      status: response.status,
      body: request.download ? downloaded(response) : response.data,
      requestId: response.headers.get("x-request-id"),
      retryAfter: response.headers.get("retry-after"),
    };
  };
}
