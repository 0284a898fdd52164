import type { ProblemCode } from "../../contract/problems.ts";
import type { Answer, Route, Sent } from "../../contract/route.ts";
import { sessionRoutes } from "../../contract/session.ts";
import { filePart } from "../../contract/uploads.ts";
import { newUuid } from "../../values/uuid.ts";
import { beginWork } from "../kit/loading/rest.ts";
import type { CallOptions as KitCallOptions } from "../kit/commands/services.ts";
import { CallFailure, dataLines } from "./failure.ts";
import type { Selection } from "./selection.ts";
import type { Reply, Send } from "./send.ts";
import { failureOf, placeHeaders } from "./tokens.ts";
import type { TokenKeeper } from "./tokens.ts";

export interface CallOptions extends KitCallOptions {
  /** Nobody is waiting for this call, so no failure shows a toast or changes the page; a currency that is gone is still left. */
  background?: boolean;
  /** Sent during a switch of tenant or currency, too; every other call waits for its end, because the page shows the old place. */
  atOnce?: boolean;
}

/** Calls a route of the contract; rejects with a CallFailure after the handling in point 8 of the specification. */
export type Call = <R extends Route>(route: R, sent: Sent<R>, options?: CallOptions) => Promise<Answer<R>>;

/** What a failed call can trigger. */
export interface CallHooks {
  /** Resolves at the end of the switch that is under way; null where none is. */
  switchEnd(): Promise<void> | null;
  /** Reloads the context; false where that failed. The tab may be in another tenant afterwards. */
  reloadContext(): Promise<boolean>;
  /** Reloads the profile, which says what the user must do first; false where that failed. */
  reloadProfile(): Promise<boolean>;
  /** True where the currency was gone and another one is now selected. */
  leaveCurrency(used: string | null): Promise<boolean>;
  /** The server has ended the session of this access token; `failure` says why. */
  lost(used: string | null, failure: CallFailure): void;
  /** `needed`: the rights of which one was lacking, where the server has said so. */
  forbidden(needed: readonly string[]): void;
  /** Asks for the password or a code again (step-up); false where the user cancelled. */
  proveAgain(): Promise<boolean>;
  report(failure: CallFailure): void;
}

/** Refusals that end once the user has done what the page asks; they are no lack of rights. */
const mustFirst: ReadonlySet<string> = new Set(["password.must-change", "two-factor.must-set-up"] satisfies ProblemCode[]);

/** The rights of which a refusal lacked one. */
function neededBy({ code, data }: CallFailure): readonly string[] {
  if (code !== "permission.missing" || typeof data !== "object" || data === null || !("permission" in data)) return [];
  return [data.permission].flat().filter((one) => typeof one === "string");
}

/** Retries after no answer, or after one that says "later". */
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
    // a sign-in sent twice would count twice against the throttle
    const repeatable = signed && route.unrepeated !== true && (route.method === "GET" || key !== null);
    for (let n = 0; ; n++) {
      let reply: Reply;
      try {
        reply = await send({
          method: route.method,
          url: base + urlOf(route, sent),
          headers: headersFor(place, signed, key),
          body: sent.file ? formOf(sent.file) : sent.body,
          signal,
          download: route.download,
        });
      } catch (failure) {
        if (!repeatable || n >= tries || !(failure instanceof CallFailure) || failure.kind !== "no-response") throw failure;
        await pause(n, null, signal);
        continue;
      }
      // the retry of a write may find its first attempt still running
      const later =
        reply.status === 502 || reply.status === 503 || reply.status === 504 || (n > 0 && codeOf(reply) === "request.in-progress");
      if (!later || !repeatable || n >= tries) return reply;
      await pause(n, reply.retryAfter, signal);
    }
  }

  async function handled(route: Route, sent: Sent<Route>, options: CallOptions): Promise<unknown> {
    const key = route.method === "GET" ? null : (options.idempotencyKey ?? newUuid());
    const guarded = route.permission !== "public";
    // during a switch the selection names the new place already, while the page still shows the old one
    let waited = false;
    for (let end; !options.atOnce && (end = hooks.switchEnd()); waited = true) await end;
    // what was begun on records of the place left behind is not done in the other one
    const isLate = waited && route.currency === true && route.method !== "GET";
    if (isLate || options.signal?.aborted) throw new CallFailure("aborted");
    // read once, because the whole call belongs to the tenant it began in
    const tenant = selection.tenant();
    const place = placeHeaders(selection);
    // renews before expiry; a failed renewal shows in the request itself
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
        // after a sign-out or a switch of tenant the page has already moved on
        const stays = () => selection.tenant() === tenant;
        if (!reloaded && stays() && (await hooks.reloadContext()) && stays()) {
          reloaded = true;
          continue;
        }
        if (!stays()) failure.reported = failure.code === "tenant.invalid";
        else if (!options.background) {
          if (mustFirst.has(failure.code) && (await hooks.reloadProfile())) failure.reported = true;
          else hooks.forbidden(neededBy(failure));
        }
      }
      if (guarded && failure.code === "currency.invalid" && route.path !== sessionRoutes.readConfig.path)
        failure.reported = await hooks.leaveCurrency(place["X-Currency"] ?? null);
      if (guarded && failure.code === "step-up.required" && !options.background && !proved) {
        proved = await hooks.proveAgain();
        if (proved) continue;
        // the user cancelled, so there is nothing to report
        throw new CallFailure("aborted");
      }
      throw failure;
    }
  }

  return async (route, sent, options = {}) => {
    const over = beginWork();
    try {
      // the server answers by the same table, through the route's schema
      return (await handled(route, sent as Sent<Route>, options)) as Answer<typeof route>;
    } catch (error) {
      const failure = error instanceof CallFailure ? error : new CallFailure("unexpected", { message: String(error) });
      if (failure.kind === "unexpected") console.error(error);
      if (failure.kind === "aborted" || options.background) failure.reported = true;
      // the lines of a 422 are told in a toast, too, wherever else they are shown (specification, point 8)
      else if (!failure.reported && (!options.quiet || hasLines(failure))) {
        failure.reported = true;
        hooks.report(failure);
      }
      throw failure;
    } finally {
      over();
    }
  };
}

const hasLines = ({ status, data }: CallFailure): boolean => status === 422 && dataLines(data).length > 0;

function formOf(file: Blob): FormData {
  const form = new FormData();
  form.append(filePart, file);
  return form;
}

/** Address of the route with its parameters filled in. */
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

/** Waits 200 ms, then 600, or as long as the server asked for, up to two seconds. */
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
