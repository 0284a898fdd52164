import type { CheckFailure, CheckSettings, TriedCheck } from "../../contract/provider-checks.ts";
import { guardedRequest } from "../outbox/guarded-request.ts";
import type { Answered } from "../outbox/guarded-request.ts";
import type { AccountCurrency, CheckedCredit, CheckGuard, CredentialValues, Credit, ProviderAdapter } from "./adapter.ts";
import { CheckFault } from "./adapter.ts";
import { readAnswer } from "./read-answer.ts";
import { fill, inJson, inUrl, masker, plainly } from "./templates.ts";

/** Bytes of an answer that are read at most; one with a balance in it is far shorter. */
const mostRead = 256 * 1024;
/** Characters of an answer that people see. */
const mostShown = 2_000;
/** Characters of what a failure is about. */
const mostAbout = 120;

/** Headers that are the connection's own. */
const ownHeaders = new Set([
  "host",
  "content-length",
  "connection",
  "transfer-encoding",
  "user-agent",
  "accept-encoding",
  "upgrade",
  "expect",
]);

interface Made {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly proxy: string | null;
  readonly shown: NonNullable<TriedCheck["request"]>;
}

/** Fills the credentials in. Throws a CheckFault. */
function makeRequest(settings: CheckSettings, credentials: CredentialValues): Made {
  const { check_method: method } = settings;
  const given = settings.check_headers.filter(({ name }) => !ownHeaders.has(name.toLowerCase()));
  const typed = given.find(({ name }) => name.toLowerCase() === "content-type")?.value;
  const isForm = typed?.toLowerCase().includes("x-www-form-urlencoded") === true;
  const filled = given.map(({ name, value }) => [name, fill(value, credentials, plainly)] as const);
  const broken = filled.find(([, { sent }]) => /[^\t\u0020-\u007e\u0080-\u00ff]/.test(sent));
  if (broken) throw new CheckFault("bad-credential", broken[0]);
  const url = fill(settings.check_url, credentials, inUrl);
  const body = method === "POST" ? fill(settings.check_body, credentials, isForm ? inUrl : inJson) : null;
  const proxy = settings.require_proxy ? fill(settings.proxy_url, credentials, inUrl) : null;
  const added = {
    ...(filled.every(([name]) => name.toLowerCase() !== "accept") && { Accept: "application/json" }),
    ...(body !== null && typed === undefined && { "Content-Type": "application/json" }),
  };
  return {
    url: url.sent,
    headers: { ...added, ...Object.fromEntries(filled.map(([name, { sent }]) => [name, sent])) },
    body: body?.sent ?? null,
    proxy: proxy?.sent ?? null,
    shown: {
      method,
      url: url.shown,
      headers: [...Object.entries(added), ...filled.map(([name, { shown }]) => [name, shown] as const)].map(([name, value]) => ({
        name,
        value,
      })),
      body: body?.shown ?? "",
    },
  };
}

const faults: Readonly<Record<NonNullable<Answered["fault"]>, CheckFailure>> = {
  blocked: "blocked",
  proxy: "proxy",
  "timed-out": "timed-out",
  redirect: "redirect",
  failed: "unreachable",
};

/** What the answer says. Throws a CheckFault. */
function readAnswered(answered: Answered, settings: CheckSettings, currency: AccountCurrency): Credit {
  const { status, fault, error, answer, cut, headers } = answered;
  if (fault === "timed-out") throw new CheckFault("timed-out"); // the code says it all
  if (fault !== null) throw new CheckFault(faults[fault], fault === "redirect" ? String(status) : error);
  if (status === null || status < 200 || status > 299) throw new CheckFault("http-status", String(status));
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") throw new CheckFault("encoded", encoding);
  if (cut) throw new CheckFault("too-large");
  // a mark of the byte order is no part of the JSON
  return readAnswer((answer ?? Buffer.alloc(0)).toString("utf8").replace(/^\uFEFF/, ""), settings, currency);
}

const textOf = ({ answer, headers }: Answered): string | null => {
  if (answer === null) return null;
  if (headers["content-encoding"] !== undefined && headers["content-encoding"] !== "identity") return null;
  return answer.toString("utf8");
};

/** Without characters that neither people read nor the database keeps. */
// oxlint-disable-next-line no-control-regex -- these are they
const readable = (text: string): string => text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "\ufffd");

/** The adapter that asks over HTTP and reads JSON. */
export const httpAdapter: ProviderAdapter = {
  async checkCredit(credentials, settings, currency, guard: CheckGuard): Promise<CheckedCredit> {
    const masked = masker(credentials);
    const none = {
      milliseconds: 0,
      http_status: null,
      failure: null,
      about: null,
      balance: null,
      has_credit: null,
      answer: null,
      request: null,
    };
    const failed = (error: unknown) => {
      const { code, about } = error instanceof CheckFault ? error : new CheckFault("unforeseen");
      // masked before it is cut, because a part of a secret is not found
      return { failure: code, about: about === null ? null : readable(masked(about)).slice(0, mostAbout) };
    };
    let made: Made;
    try {
      made = makeRequest(settings, credentials);
    } catch (error) {
      return { ...none, ...failed(error) };
    }
    const { url, headers, body, proxy, shown } = made;
    const request = {
      method: settings.check_method,
      headers: { ...headers, "Accept-Encoding": "identity" },
      body,
      most: mostRead,
      proxy,
    } as const;
    const answered = await guardedRequest(url, request, { ...guard, timeoutMs: settings.timeout_seconds * 1_000 });
    const text = textOf(answered);
    const went = {
      ...none,
      milliseconds: answered.milliseconds,
      http_status: answered.status,
      // masked as a whole, because a cut secret is no longer found
      answer: text === null ? null : readable(masked(text)).slice(0, mostShown),
      request: shown,
    };
    try {
      const { balance, hasCredit } = readAnswered(answered, settings, currency);
      return { ...went, balance, has_credit: hasCredit };
    } catch (error) {
      return { ...went, ...failed(error) };
    }
  },
};
