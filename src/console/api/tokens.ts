import { sessionRoutes } from "../../contract/session.ts";
import type { Tokens } from "../../contract/session.ts";
import { CallFailure } from "./failure.ts";
import type { Jar } from "./jar.ts";
import { cookieDays } from "./jar.ts";
import type { Selection } from "./selection.ts";
import type { Send } from "./send.ts";
import type { ServerTime } from "./server-time.ts";

/** ms before expiry from which the token is refreshed (specification, point 9). */
const threshold = 5 * 60_000;

/** navigator.locks; absent where the page is not a secure context. */
export interface Locks {
  request<T>(name: string, act: () => Promise<T>): Promise<T>;
}

type Renewal = "renewed" | "refused";

export interface TokenKeeper {
  access(): string | null;
  refreshToken(): string | null;
  keep(tokens: Tokens): void;
  clear(): void;
  isStale(): boolean;
  /**
   * Gets a new access token in place of `used`. One refresh serves all callers meanwhile, in this tab and the others. Rejects
   * with a CallFailure where the server gave no verdict.
   */
  renew(used: string | null): Promise<Renewal>;
}

export function createTokens(jar: Jar, send: Send, time: ServerTime, selection: Selection, locks: Locks | null, base = ""): TokenKeeper {
  let renewing: Promise<Renewal> | null = null;

  const access = () => jar.get("access_token");
  const refreshToken = () => jar.get("refresh_token");
  const keep = (tokens: Tokens) => {
    jar.set("access_token", tokens.access_token, cookieDays.session);
    jar.set("refresh_token", tokens.refresh_token, cookieDays.session);
  };
  const left = () => expiryOf(access()) - time.now();

  async function refresh(used: string | null): Promise<Renewal> {
    // another tab may have refreshed while this one waited for the lock
    if (access() !== null && access() !== used && left() > 0) return "renewed";
    const refresh_token = refreshToken();
    if (refresh_token === null) return "refused";
    const reply = await send({
      method: sessionRoutes.refreshToken.method,
      url: base + sessionRoutes.refreshToken.path,
      headers: placeHeaders(selection),
      body: { refresh_token },
      signal: undefined,
    });
    if (reply.status >= 500 || reply.status === 429) throw failureOf(reply);
    const tokens = reply.status < 300 ? tokensIn(reply.body) : null;
    if (tokens === null) return "refused";
    keep(tokens);
    // reading the cookie back makes sure that the next tab with the lock sees it
    return access() === null ? "refused" : "renewed";
  }

  return {
    access,
    refreshToken,
    keep,
    clear() {
      jar.remove("access_token");
      jar.remove("refresh_token");
    },
    isStale: () => refreshToken() !== null && left() < threshold,
    renew(used) {
      renewing ??= (locks ? locks.request("countinghouse.refresh", () => refresh(used)) : refresh(used)).finally(() => {
        renewing = null;
      });
      return renewing;
    },
  };
}

/** Headers that name the tenant and currency of a request (specification, point 7). */
export function placeHeaders(selection: Pick<Selection, "tenant" | "currency">): Readonly<Record<string, string>> {
  const [tenant, currency] = [selection.tenant(), selection.currency()];
  return { ...(tenant && { "X-Tenant-ID": tenant }), ...(currency && { "X-Currency": currency }) };
}

/** `exp` of a JWT in ms; 0 where it has none. It only decides when to refresh; the server judges the token. */
export function expiryOf(token: string | null): number {
  try {
    const part = (token ?? "").split(".")[1] ?? "";
    const payload: unknown = JSON.parse(atob(part.replaceAll("-", "+").replaceAll("_", "/")));
    const exp = typeof payload === "object" && payload !== null && "exp" in payload ? payload.exp : null;
    return typeof exp === "number" ? exp * 1000 : 0;
  } catch {
    return 0;
  }
}

function tokensIn(body: unknown): Tokens | null {
  const data = typeof body === "object" && body !== null && "data" in body ? body.data : null;
  if (typeof data !== "object" || data === null || !("access_token" in data) || !("refresh_token" in data)) return null;
  const { access_token, refresh_token } = data;
  return typeof access_token === "string" && typeof refresh_token === "string" ? { access_token, refresh_token } : null;
}

/** The refusal in an answer, as a CallFailure. */
export function failureOf(reply: { status: number; body: unknown; requestId: string | null }): CallFailure {
  if (typeof reply.body !== "object" || reply.body === null)
    return new CallFailure("refused", { status: reply.status, requestId: reply.requestId });
  const { message, code, data }: { message?: unknown; code?: unknown; data?: unknown } = reply.body;
  return new CallFailure("refused", {
    status: reply.status,
    message: typeof message === "string" ? message : "",
    code: typeof code === "string" ? code : "",
    data,
    requestId: reply.requestId,
  });
}
