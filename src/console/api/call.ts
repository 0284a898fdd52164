import type { ProblemCode } from "../../contract/problems.ts";
import type { Answer, Route, Sent } from "../../contract/route.ts";
import { sessionRoutes } from "../../contract/session.ts";
import { newUuid } from "../../values/uuid.ts";
import { beginWork } from "../kit/loading/rest.ts";
import type { CallOptions as KitCallOptions } from "../kit/commands/services.ts";
import { CallFailure } from "./failure.ts";
import type { Selection } from "./selection.ts";
import type { Reply, Send } from "./send.ts";
import { failureOf, placeHeaders } from "./tokens.ts";
import type { TokenKeeper } from "./tokens.ts";

export interface CallOptions extends KitCallOptions {
  /** Nobody asked for it just now: no toast and no change of page, whatever the answer; but a currency that is gone is left. */
  background?: boolean;
}

/** Calls a route of the contract. Rejects with CallFailure, after the handling of the specification's point 8. */
export type Call = <R extends Route>(route: R, sent: Sent<R>, options?: CallOptions) => Promise<Answer<R>>;

/** What happens around a failed call. */
export interface CallHooks {
  /** Loads the context again; false where that failed. The tab may stand in another tenant afterwards. */
  reloadContext(): Promise<boolean>;
  /** Reads again what the user must do before anything else; false where that failed. */
  reloadProfile(): Promise<boolean>;
  /** True where the currency was gone, and another stands in its place. */
  leaveCurrency(used: string | null): Promise<boolean>;
  /** The session with this access token is over, as this refusal says. */
  lost(used: string | null, failure: CallFailure): void;
  forbidden(): void;
  /** Asks for the password or a code once more (step-up); false where the user would not. */
  proveAgain(): Promise<boolean>;
  report(failure: CallFailure): void;
}

/** Closed until the page has asked for it: not a lack of rights. */
const mustFirst: ReadonlySet<string> = new Set(["password.must-change", "two-factor.must-set-up"] satisfies ProblemCode[]);

/** Further tries where there was no answer, or one that says "later". */
const tries = 2;

export function createCall(send: Send, tokens: TokenKeeper, selection: Selection, hooks: CallHooks, base = ""): Call {
  const headersFor = (place: Readonly<Record<string, string>>, signed: boolean, key: string | null): Record<string, string> => {
    const headers: Record<string, string> = { ...place };
    const access = tokens.access();
    if (signed && access) headers["Authorization"] = `Bearer ${access}`;
    if (key) headers["Idempotency-Key"] = key;
    return headers;
  };

  async function sendOnce(
    route: Route,
    sent: Sent<Route>,
    place: Readonly<Record<string, string>>,
    key: string | null,
    signal: AbortSignal | undefined,
  ): Promise<Reply> {
    const signed = route.permission !== "public";
    // a signing in sent twice would count twice against the throttle
    const repeatable = signed && (route.method === "GET" || key !== null);
    for (let n = 0; ; n++) {
      let reply: Reply;
      try {
        reply = await send({
          method: route.method,
          url: base + urlOf(route, sent),
          headers: headersFor(place, signed, key),
          body: sent.body,
          signal,
        });
      } catch (failure) {
        if (!repeatable || n >= tries || !(failure instanceof CallFailure) || failure.kind !== "no-response") throw failure;
        await pause(n, null, signal);
        continue;
      }
      // a repeated write may meet its own first try still at work
      const later =
        reply.status === 502 || reply.status === 503 || reply.status === 504 || (n > 0 && codeOf(reply) === "request.in-progress");
      if (!later || !repeatable || n >= tries) return reply;
      await pause(n, reply.retryAfter, signal);
    }
  }

  async function handled(route: Route, sent: Sent<Route>, options: CallOptions): Promise<unknown> {
    const key = route.method === "GET" ? null : (options.idempotencyKey ?? newUuid());
    const guarded = route.permission !== "public";
    // the whole call belongs where it began, whatever the tab turns to before its last try
    const tenant = selection.tenant();
    const place = placeHeaders(selection);
    // ahead of its expiry; whatever comes of it, the request itself tells
    let renewed = guarded && tokens.isStale() && (await tokens.renew(tokens.access()).catch(() => null)) === "refused";
    let reloaded = false;
    let proved = false;
    for (;;) {
      const used = tokens.access();
      const reply = await sendOnce(route, sent, place, key, options.signal);
      if (reply.status < 300) {
        if (typeof reply.body === "object" && reply.body !== null) return reply.body;
        throw new CallFailure("unexpected", { status: reply.status, requestId: reply.requestId });
      }
      const failure = failureOf(reply);
      if (guarded && reply.status === 401) {
        if (!renewed && (await tokens.renew(used)) === "renewed") {
          renewed = true;
          continue;
        }
        hooks.lost(used, failure);
      }
      if (guarded && reply.status === 403 && route.path !== sessionRoutes.readContext.path) {
        // not so once signed out or in another tenant: then the page has gone on already
        const stays = () => selection.tenant() === tenant;
        if (!reloaded && stays() && (await hooks.reloadContext()) && stays()) {
          reloaded = true;
          continue;
        }
        if (!stays()) failure.reported = failure.code === "tenant.invalid";
        else if (!options.background) {
          if (mustFirst.has(failure.code) && (await hooks.reloadProfile())) failure.reported = true;
          else hooks.forbidden();
        }
      }
      if (guarded && failure.code === "currency.invalid" && route.path !== sessionRoutes.readConfig.path)
        failure.reported = await hooks.leaveCurrency(place["X-Currency"] ?? null);
      if (guarded && failure.code === "step-up.required" && !options.background && !proved) {
        proved = await hooks.proveAgain();
        if (proved) continue;
        // the user turned back: nothing is left to be told
        throw new CallFailure("aborted");
      }
      throw failure;
    }
  }

  return async (route, sent, options = {}) => {
    const over = beginWork();
    try {
      // the server answered by the same table, and let out nothing its schema does not name
      return (await handled(route, sent as Sent<Route>, options)) as Answer<typeof route>;
    } catch (error) {
      const failure = error instanceof CallFailure ? error : new CallFailure("unexpected", { message: String(error) });
      if (failure.kind === "unexpected") console.error(error);
      if (failure.kind === "aborted" || options.background) failure.reported = true;
      else if (!options.quiet && !failure.reported) {
        failure.reported = true;
        hooks.report(failure);
      }
      throw failure;
    } finally {
      over();
    }
  };
}

/** The route's address with its parameters filled in. */
export function urlOf(route: Route, sent: { params?: unknown; query?: unknown }): string {
  const params = new Map(Object.entries(sent.params ?? {}));
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params.get(name) ?? "")));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(sent.query ?? {})) {
    if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

function codeOf(reply: Reply): string {
  return failureOf(reply).code;
}

/** 200 ms, then 600, or what the server asked for up to two seconds. */
function pause(n: number, retryAfter: string | null, signal: AbortSignal | undefined): Promise<void> {
  const asked = Number(retryAfter ?? Number.NaN) * 1000;
  const length = Math.min(Number.isFinite(asked) && asked > 0 ? asked : 200 * 3 ** n, 2_000);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, length);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new CallFailure("aborted"));
    });
  });
}
