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
import { createSessionSwitch, settleTime } from "./session-switch.ts";

export type { SignedIn } from "./session-load.ts";

export interface SessionState {
  /** unreachable: the server did not answer when the page was opened; the tokens are kept. */
  readonly phase: "starting" | "signed-out" | "signed-in" | "unreachable";
  /** null unless signed in. */
  readonly at: SignedIn | null;
  /** Why the session ended, where the user did not end it. */
  readonly ended: Ending | null;
  /** True during a switch of tenant or currency, and for 500 ms after a switch of tenant or one that the user did not ask for. */
  readonly switching: boolean;
  /** Grows with each switch, after which everything on screen is loaded again. */
  readonly epoch: number;
}

/** What the session asks of the page and of other tabs. */
export interface SessionDeps {
  /**
   * Shows a toast for a refused switch, a profile that did not load or any other failed part. "tenant-gone": the user lost the
   * right to the tenant, and the page is now in another.
   */
  report(kind: "invalid-tenant" | "tenant-gone" | "invalid-currency" | "profile" | "load", failure?: CallFailure): void;
  /** Empties local and session storage. */
  clearStorage(): void;
  /** Tells other tabs that the tokens are gone, or whose they are now. */
  announce(message: SessionMessage): void;
  /** The session ended because no tenant accepts the user any more. */
  shut(ending: Ending): void;
  /** Runs before a switch of tenant drops what belongs to the old one. */
  flush(): Promise<void>;
}

export type SessionMessage =
  | { readonly kind: "signed-out"; readonly ended: Ending | null }
  | { readonly kind: "signed-in"; readonly user: string };

/** The server does not answer, or a gateway or a starting server says so. */
const isSilence = ({ kind, status }: CallFailure) => kind === "no-response" || (status >= 502 && status <= 504);

export type Session = ReturnType<typeof createSession>;

export function createSession(call: () => Call, tokens: TokenKeeper, selection: Selection, time: ServerTime, deps: SessionDeps) {
  const store = createStore<SessionState>(() => ({ phase: "starting", at: null, ended: null, switching: false, epoch: 0 }));
  const background = { background: true } as const;
  const load = createSessionLoad(call, selection, time, deps.report);
  const sessionSwitch = createSessionSwitch(store, selection);

  function clear(ended: Ending | null = null) {
    tokens.clear();
    selection.forgetTenant();
    sessionSwitch.end(ended);
  }

  /** Ends the session on the server, if the server can be reached. */
  async function revoke(): Promise<void> {
    const refresh_token = tokens.refreshToken();
    if (refresh_token !== null)
      await call()(sessionRoutes.logout, { body: { refresh_token } }, { background: true, atOnce: true }).catch(() => {});
  }

  async function enter(given: Tokens): Promise<void> {
    tokens.keep(given);
    try {
      const at = await load.all();
      store.setState({ phase: "signed-in", at, ended: null });
      deps.announce({ kind: "signed-in", user: at.user.uuid });
    } catch (error) {
      // a server that does not answer cannot revoke anything
      if (!(error instanceof CallFailure && isSilence(error))) await revoke();
      clear();
      throw error;
    }
  }

  /** Callers during a run share its result. */
  function shared(act: () => Promise<boolean>): () => Promise<boolean> {
    let running: Promise<boolean> | null = null;
    return () =>
      (running ??= act().finally(() => {
        running = null;
      }));
  }

  const renewContext = shared(async () => {
    const { at: before } = store.getState();
    const isSameSession = sessionSwitch.watch();
    try {
      const { context, tenant } = await load.context();
      if (!before) return true;
      const { at } = store.getState();
      // signed out or switched meanwhile
      if (!at || !isSameSession() || at.tenant.id !== before.tenant.id) return false;
      if (tenant.id === at.tenant.id) {
        // an unchanged context is not published
        if (JSON.stringify(context) !== JSON.stringify(at.context)) store.setState({ at: { ...at, context, tenant } });
      } else {
        await sessionSwitch.to(at, settleTime, load.all);
        deps.report("tenant-gone");
      }
      return true;
    } catch (error) {
      const ending = endingOf(error);
      if (before && ending?.why === "suspended" && isSameSession() && selection.tenant() === null) {
        clear(ending);
        deps.shut(ending);
      }
      return false;
    } finally {
      const { at } = store.getState();
      // the context was asked for without a tenant, and failed
      if (at && isSameSession() && selection.tenant() === null) selection.chooseTenant(at.tenant.id);
    }
  });

  /** The currency that was last given up. */
  let left: string | null = null;
  const settleAnew = shared(async () => {
    const { at: before, epoch } = store.getState();
    const isSameSession = sessionSwitch.watch();
    const config = await load.config().catch(() => null);
    const { at, epoch: now } = store.getState();
    if (!config || !before || !at || !isSameSession() || now !== epoch) return false;
    if (config.currencies.some(({ code }) => code === at.currency?.code)) return false;
    left = at.currency?.code ?? null;
    sessionSwitch.show({ ...at, config, currency: load.settleCurrency(config) }, settleTime);
    deps.report("invalid-currency");
    return true;
  });

  let starting: Promise<void> | null = null;

  return {
    store,

    /** Restores the session from the cookies. A refusal clears it; without an answer it is kept for a later try. */
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
     * Succeeds only when context, config and profile load; any failure clears the session and is thrown. Returns the challenge
     * for `prove` where two-factor is on, else null.
     */
    async signIn(email: string, password: string): Promise<string | null> {
      const { data } = await call()(sessionRoutes.login, { body: { email, password } });
      if ("challenge" in data) return data.challenge;
      await enter(data);
      return null;
    },

    /** The second step, with a code of the authenticator or a recovery code. */
    async prove(challenge: string, proof: { code: string } | { recovery_code: string }): Promise<void> {
      const { data } = await call()(sessionRoutes.signInTwoFactor, { body: { challenge, ...proof } }, { quiet: true });
      await enter(data);
    },

    /** Takes the profile that the server answered after the user changed it. */
    setUser(user: Profile): void {
      const { at } = store.getState();
      if (at) store.setState({ at: { ...at, user } });
    },

    /** Reloads the profile, because a new password or two-factor opens what was closed. */
    async reloadProfile(): Promise<void> {
      const isSameSession = sessionSwitch.watch();
      const user = await load.profile();
      const { at } = store.getState();
      if (at && isSameSession()) store.setState({ at: { ...at, user } });
    },

    /** Revokes the session on the server, then clears local and session storage. */
    async signOut(): Promise<void> {
      await revoke();
      clear();
      deps.clearStorage();
      deps.announce({ kind: "signed-out", ended: null });
    },

    /** The server no longer accepts this access token. True when the session is over; false when another tab has signed in meanwhile. */
    end(used: string | null, ended: Ending | null): boolean {
      const held = tokens.access();
      if (held !== null && held !== used) return false;
      clear(ended);
      return true;
    },

    /** False where the context did not load. Where the user lost the right to the tenant, the page is in another one afterwards. */
    reloadContext(): Promise<boolean> {
      if (!sessionSwitch.isUnderWay()) return renewContext();
      // a switch under way calls this itself and must not wait for itself
      return load.context().then(
        () => true,
        () => false,
      );
    },

    /** Resolves at the end of the switch that is under way; null where none is. */
    switchEnd: sessionSwitch.ending,

    /** The server no longer knows the currency `used`: true once another one is selected and everything is loading again. */
    leaveCurrency(used: string | null): Promise<boolean> {
      return used === left && used !== selection.currency() ? Promise.resolve(true) : settleAnew();
    },

    /** Reloads the config in the background, because settings may have changed; a failure keeps the old one. */
    async reloadConfig(): Promise<void> {
      const { at: before, epoch } = store.getState();
      if (!before) return;
      const answer = await call()(sessionRoutes.readConfig, {}, background).catch(() => null);
      const { at, epoch: now } = store.getState();
      if (!answer || !at || now !== epoch || at.tenant.id !== before.tenant.id) return;
      const { server_time, ...config } = answer.data;
      time.noteExact(server_time);
      const { server_time: _, ...known } = at.config;
      // an unchanged config is not published
      if (JSON.stringify(config) !== JSON.stringify(known)) store.setState({ at: { ...at, config: answer.data } });
    },

    /** False for a tenant that is not available, or where the new context did not load; then nothing has changed. */
    async switchTenant(id: string): Promise<boolean> {
      const { at } = store.getState();
      if (!at || at.tenant.id === id) return at !== null;
      if (!at.context.available_tenants.some((tenant) => tenant.id === id)) {
        deps.report("invalid-tenant");
        return false;
      }
      const read = (): Promise<SignedIn> => {
        selection.chooseTenant(id);
        return load.all();
      };
      const next = await sessionSwitch.to(at, settleTime, read, deps.flush);
      // the right to the tenant was lost just before, which the new context shows
      if (next.tenant.id !== id) deps.report(next.tenant.id === at.tenant.id ? "invalid-tenant" : "tenant-gone");
      return next.tenant.id === id;
    },

    /** False for a currency that is not in the list. The config reloads; the epoch makes the page and the counters follow. */
    async switchCurrency(code: string): Promise<boolean> {
      const { at } = store.getState();
      if (!at || at.currency?.code === code) return at !== null;
      if (!at.config.currencies.some((currency) => currency.code === code)) {
        deps.report("invalid-currency");
        return false;
      }
      const next = await sessionSwitch.to(at, 0, async () => {
        selection.chooseCurrency(code);
        const config = await load.config();
        return { ...(store.getState().at ?? at), config, currency: load.settleCurrency(config) };
      });
      if (next.currency?.code !== code) deps.report("invalid-currency");
      return next.currency?.code === code;
    },

    /** Dismisses the reason for the last session's end. */
    readEnding: () => store.setState({ ended: null }),

    /** Ends the session here because another tab signed out. */
    forget: sessionSwitch.end,
  };
}
