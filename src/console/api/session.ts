import { createStore } from "zustand/vanilla";
import { sessionRoutes } from "../../contract/session.ts";
import type { Profile, Tokens } from "../../contract/session.ts";
import type { Call } from "./call.ts";
import { CallFailure } from "./failure.ts";
import type { Selection } from "./selection.ts";
import type { ServerTime } from "./server-time.ts";
import { endingOf } from "./session-end.ts";
import type { Ending } from "./session-end.ts";
import { createSessionLoad } from "./session-load.ts";
import type { SignedIn } from "./session-load.ts";
import type { TokenKeeper } from "./tokens.ts";
import { createTurn, settle } from "./turn.ts";

export type { SignedIn } from "./session-load.ts";

export interface SessionState {
  /** unreachable: a page opened while the server does not answer; the tokens are kept. */
  readonly phase: "starting" | "signed-out" | "signed-in" | "unreachable";
  /** null unless signed in. */
  readonly at: SignedIn | null;
  /** How the session here ended, where nobody who sat here ended it. */
  readonly ended: Ending | null;
  /** During a tenant or currency switch, and 500 ms after a tenant's or one that nobody asked for. */
  readonly switching: boolean;
  /** Grows with each switch: what is on screen is to be loaded anew. */
  readonly epoch: number;
}

/** What the session does to the page and tells other tabs. */
export interface SessionDeps {
  /**
   * Toast of a switch refused, of a profile that did not come, or of any other part of the sequence. "tenant-gone": the right
   * to the tenant went, and the page stands in another.
   */
  report(kind: "invalid-tenant" | "tenant-gone" | "invalid-currency" | "profile" | "load", failure?: CallFailure): void;
  /** Empties local and session storage. */
  clearStorage(): void;
  /** To other tabs: the tokens went, or belong to this user now. */
  announce(message: SessionMessage): void;
  /** Over without an act of this page: no tenant takes the user in any more. */
  shut(ending: Ending): void;
  /** Runs before a tenant switch drops what belongs to the old one. */
  flush(): Promise<void>;
}

export type SessionMessage =
  | { readonly kind: "signed-out"; readonly ended: Ending | null }
  | { readonly kind: "signed-in"; readonly user: string };

/** Nobody there, or a gateway or a starting server saying so. */
const isSilence = ({ kind, status }: CallFailure) => kind === "no-response" || (status >= 502 && status <= 504);

export type Session = ReturnType<typeof createSession>;

export function createSession(call: () => Call, tokens: TokenKeeper, selection: Selection, time: ServerTime, deps: SessionDeps) {
  const store = createStore<SessionState>(() => ({ phase: "starting", at: null, ended: null, switching: false, epoch: 0 }));
  const background = { background: true } as const;
  const load = createSessionLoad(call, selection, time, deps.report);
  const turn = createTurn(store, selection);

  function clear(ended: Ending | null = null) {
    tokens.clear();
    selection.forgetTenant();
    turn.end(ended);
  }

  /** Ends the session on the server, as far as it can be reached. */
  async function revoke(): Promise<void> {
    const refresh_token = tokens.refreshToken();
    if (refresh_token !== null) await call()(sessionRoutes.logout, { body: { refresh_token } }, background).catch(() => {});
  }

  async function enter(given: Tokens): Promise<void> {
    tokens.keep(given);
    try {
      const at = await load.all();
      store.setState({ phase: "signed-in", at, ended: null });
      deps.announce({ kind: "signed-in", user: at.user.uuid });
    } catch (error) {
      // who is silent cannot be told
      if (!(error instanceof CallFailure && isSilence(error))) await revoke();
      clear();
      throw error;
    }
  }

  /** One run for all who ask meanwhile. */
  function shared(act: () => Promise<boolean>): () => Promise<boolean> {
    let running: Promise<boolean> | null = null;
    return () =>
      (running ??= act().finally(() => {
        running = null;
      }));
  }

  const renewContext = shared(async () => {
    const { at: before } = store.getState();
    const stands = turn.watch();
    try {
      const { context, tenant } = await load.context();
      if (!before) return true;
      const { at } = store.getState();
      // signed out or switched meanwhile
      if (!at || !stands() || at.tenant.id !== before.tenant.id) return false;
      if (tenant.id === at.tenant.id) store.setState({ at: { ...at, context, tenant } });
      else {
        await turn.to(at, settle, load.all);
        deps.report("tenant-gone");
      }
      return true;
    } catch (error) {
      const ending = endingOf(error);
      if (before && ending?.why === "suspended" && stands() && selection.tenant() === null) {
        clear(ending);
        deps.shut(ending);
      }
      return false;
    } finally {
      const { at } = store.getState();
      // asked without it, and nothing came of that
      if (at && stands() && selection.tenant() === null) selection.chooseTenant(at.tenant.id);
    }
  });

  /** The currency last given up. */
  let left: string | null = null;
  const settleAnew = shared(async () => {
    const { at: before, epoch } = store.getState();
    const stands = turn.watch();
    const config = await load.config().catch(() => null);
    const { at, epoch: now } = store.getState();
    if (!config || !before || !at || !stands() || now !== epoch) return false;
    if (config.currencies.some(({ code }) => code === at.currency?.code)) return false;
    left = at.currency?.code ?? null;
    turn.show({ ...at, config, currency: load.settleCurrency(config) }, settle);
    deps.report("invalid-currency");
    return true;
  });

  let starting: Promise<void> | null = null;

  return {
    store,

    /** Takes up what the cookies hold. Any refusal on the way clears the session; no answer leaves it for a later try. */
    start(): Promise<void> {
      starting ??= (async () => {
        if (tokens.refreshToken() === null && tokens.access() === null) {
          store.setState({ phase: "signed-out", at: null });
          return;
        }
        try {
          store.setState({ phase: "signed-in", at: await load.all(), ended: null });
        } catch (error) {
          if (error instanceof CallFailure && isSilence(error)) store.setState({ phase: "unreachable", at: null });
          else {
            await revoke();
            clear(endingOf(error));
          }
        }
      })().finally(() => {
        starting = null;
      });
      return starting;
    },

    /**
     * Succeeds only when context, config and profile load; any failure clears the session and is thrown.
     * With two-factor on, the challenge to `prove` with; null when it is done.
     */
    async signIn(email: string, password: string): Promise<string | null> {
      const { data } = await call()(sessionRoutes.login, { body: { email, password } });
      if ("challenge" in data) return data.challenge;
      await enter(data);
      return null;
    },

    /** The second step: a code of the authenticator, or a recovery code. */
    async prove(challenge: string, proof: { code: string } | { recovery_code: string }): Promise<void> {
      const { data } = await call()(sessionRoutes.signInTwoFactor, { body: { challenge, ...proof } }, { quiet: true });
      await enter(data);
    },

    /** What the user changed of themselves, as the server now tells it. */
    setUser(user: Profile): void {
      const { at } = store.getState();
      if (at) store.setState({ at: { ...at, user } });
    },

    /** The profile asked for anew: a password set or two-factor turned on opens what was closed. */
    async reloadProfile(): Promise<void> {
      const stands = turn.watch();
      const user = await load.profile();
      const { at } = store.getState();
      if (at && stands()) store.setState({ at: { ...at, user } });
    },

    /** Revokes on the server first, then clears all local and session storage. */
    async signOut(): Promise<void> {
      await revoke();
      clear();
      deps.clearStorage();
      deps.announce({ kind: "signed-out", ended: null });
    },

    /**
     * The server no longer takes this access token, and said why. True when the session is over; false when another tab has
     * signed in meanwhile, so that somebody still is.
     */
    end(used: string | null, ended: Ending | null): boolean {
      const held = tokens.access();
      if (held !== null && held !== used) return false;
      clear(ended);
      return true;
    },

    /** False where the context did not come. Where the right to the tenant went, the page stands in another afterwards. */
    reloadContext(): Promise<boolean> {
      if (!turn.isUnderWay()) return renewContext();
      // what a switch reads must not wait for the switch
      return load.context().then(
        () => true,
        () => false,
      );
    },

    /** The server knows the currency `used` no more: true once another stands in its place and all loads anew. */
    leaveCurrency(used: string | null): Promise<boolean> {
      return used === left && used !== selection.currency() ? Promise.resolve(true) : settleAnew();
    },

    /** Settings may have changed: what the console knows of them is read anew, in the background; the old stays where it did not come. */
    async reloadConfig(): Promise<void> {
      const { at: before, epoch } = store.getState();
      if (!before) return;
      const answer = await call()(sessionRoutes.readConfig, {}, background).catch(() => null);
      const { at, epoch: now } = store.getState();
      if (!answer || !at || now !== epoch || at.tenant.id !== before.tenant.id) return;
      const { server_time, ...config } = answer.data;
      time.noteExact(server_time);
      const { server_time: _, ...known } = at.config;
      // the same again is no news for whoever follows the session
      if (JSON.stringify(config) !== JSON.stringify(known)) store.setState({ at: { ...at, config: answer.data } });
    },

    /** False for a tenant not in the available list, or where the new context did not load (then nothing has changed). */
    async switchTenant(id: string): Promise<boolean> {
      const { at } = store.getState();
      if (!at || at.tenant.id === id) return at !== null;
      if (!at.context.available_tenants.some((tenant) => tenant.id === id)) {
        deps.report("invalid-tenant");
        return false;
      }
      const next = await turn.to(at, settle, async () => {
        await deps.flush();
        selection.chooseTenant(id);
        return load.all();
      });
      // the right to it had just gone, which the context told
      if (next.tenant.id !== id) deps.report(next.tenant.id === at.tenant.id ? "invalid-tenant" : "tenant-gone");
      return next.tenant.id === id;
    },

    /** False for a currency not in the list. Config reloads; the epoch makes the page and the counters follow. */
    async switchCurrency(code: string): Promise<boolean> {
      const { at } = store.getState();
      if (!at || at.currency?.code === code) return at !== null;
      if (!at.config.currencies.some((currency) => currency.code === code)) {
        deps.report("invalid-currency");
        return false;
      }
      const next = await turn.to(at, 0, async () => {
        selection.chooseCurrency(code);
        const config = await load.config();
        return { ...(store.getState().at ?? at), config, currency: load.settleCurrency(config) };
      });
      if (next.currency?.code !== code) deps.report("invalid-currency");
      return next.currency?.code === code;
    },

    /** Why the last session ended was read: it is not said again. */
    readEnding: () => store.setState({ ended: null }),

    /** Another tab signed out. */
    forget: turn.end,
  };
}
