import { createStore } from "zustand/vanilla";
import { sessionRoutes } from "../../contract/session.ts";
import type { Config, Currency, Profile, SessionContext, Tenant } from "../../contract/session.ts";
import type { Call } from "./call.ts";
import { CallFailure } from "./failure.ts";
import type { Selection } from "./selection.ts";
import type { ServerTime } from "./server-time.ts";
import type { TokenKeeper } from "./tokens.ts";

export interface SignedIn {
  readonly context: SessionContext;
  readonly config: Config;
  readonly user: Profile;
  readonly tenant: Tenant;
  readonly currency: Currency | null;
}

export interface SessionState {
  /** unreachable: a page opened while the server does not answer; the tokens are kept. */
  readonly phase: "starting" | "signed-out" | "signed-in" | "unreachable";
  /** null unless signed in. */
  readonly at: SignedIn | null;
  /** During a tenant or currency switch, and 500 ms after a tenant's. */
  readonly switching: boolean;
  /** Grows with each switch: what is on screen is to be loaded anew. */
  readonly epoch: number;
}

/** What the session does to the page and tells other tabs. */
export interface SessionDoors {
  /** Toast of a switch refused, of a profile that did not come, or of any other part of the sequence. */
  tell(kind: "invalid-tenant" | "invalid-currency" | "profile" | "load", failure?: CallFailure): void;
  /** Empties local and session storage. */
  clearStorage(): void;
  /** To other tabs: the tokens went, or belong to this user now. */
  announce(message: SessionMessage): void;
  /** Runs before a tenant switch drops what belongs to the old one. */
  flush(): Promise<void>;
}

export type SessionMessage = { readonly kind: "signed-out" } | { readonly kind: "signed-in"; readonly user: string };

/** Mutating keys stay dead this long after a tenant switch (keyboard.md 3). */
const settle = 500;

/** Nobody there, or a gateway or a starting server saying so. */
const isSilence = ({ kind, status }: CallFailure) => kind === "no-response" || (status >= 502 && status <= 504);

export type Session = ReturnType<typeof createSession>;

export function createSession(call: () => Call, tokens: TokenKeeper, selection: Selection, time: ServerTime, doors: SessionDoors) {
  const store = createStore<SessionState>(() => ({ phase: "starting", at: null, switching: false, epoch: 0 }));
  const background = { background: true } as const;
  // refusals on the way may be mended by asking otherwise; what stays is told below
  const quiet = { quiet: true } as const;

  /** Tells what failed for good, once. */
  async function telling<T>(kind: "profile" | "load", read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof CallFailure && !error.told) {
        error.told = true;
        doors.tell(kind, error);
      }
      throw error;
    }
  }

  /** Drops a selection the server no longer accepts, and asks once more without it. */
  async function readContext(options: typeof quiet | typeof background): Promise<SessionContext> {
    try {
      return (await call()(sessionRoutes.readContext, {}, options)).data;
    } catch (error) {
      if (!(error instanceof CallFailure) || error.code !== "tenant.invalid" || selection.tenant() === null) throw error;
      selection.forgetTenant();
      return (await call()(sessionRoutes.readContext, {}, options)).data;
    }
  }

  async function readConfig(): Promise<Config> {
    const read = async () => (await call()(sessionRoutes.readConfig, {}, quiet)).data;
    let config: Config;
    try {
      config = await read();
    } catch (error) {
      if (!(error instanceof CallFailure) || error.code !== "currency.invalid" || selection.currency() === null) throw error;
      selection.forgetCurrency();
      config = await read();
    }
    time.noteExact(config.server_time);
    return config;
  }

  const readProfile = async (): Promise<Profile> => (await call()(sessionRoutes.readProfile, {}, quiet)).data.user;

  /** Context, config and profile, in this order: the first settles the tenant, the second the currency. */
  async function load(): Promise<SignedIn> {
    const context = await telling("load", () => readContext(quiet));
    const tenant = context.available_tenants.find(({ id }) => id === context.current_tenant);
    if (!tenant) throw new CallFailure("unexpected", { message: "the current tenant is not among the available" });
    selection.chooseTenant(tenant.id);
    const config = await telling("load", readConfig);
    const chosen = selection.currency();
    const currency = config.currencies.find(({ code }) => code === chosen) ?? config.currencies[0] ?? null;
    if (currency) selection.chooseCurrency(currency.code);
    else selection.forgetCurrency();
    const user = await telling("profile", readProfile);
    return { context, config, user, tenant, currency };
  }

  function clear() {
    tokens.clear();
    selection.forgetTenant();
    store.setState({ phase: "signed-out", at: null, switching: false });
  }

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
          store.setState({ phase: "signed-in", at: await load() });
        } catch (error) {
          if (error instanceof CallFailure && isSilence(error)) store.setState({ phase: "unreachable", at: null });
          else clear();
        }
      })().finally(() => {
        starting = null;
      });
      return starting;
    },

    /** Succeeds only when context, config and profile load; any failure clears the session and is thrown. */
    async signIn(email: string, password: string): Promise<void> {
      const { data } = await call()(sessionRoutes.login, { body: { email, password } });
      tokens.keep(data);
      try {
        const at = await load();
        store.setState({ phase: "signed-in", at });
        doors.announce({ kind: "signed-in", user: at.user.uuid });
      } catch (error) {
        clear();
        throw error;
      }
    },

    /** Revokes on the server first, then clears all local and session storage. */
    async signOut(): Promise<void> {
      const refresh_token = tokens.refreshToken();
      if (refresh_token !== null) await call()(sessionRoutes.logout, { body: { refresh_token } }, background).catch(() => {});
      clear();
      doors.clearStorage();
      doors.announce({ kind: "signed-out" });
    },

    /**
     * The server no longer takes this access token. True when the session is over; false when another tab has
     * signed in meanwhile, so that somebody still is.
     */
    end(used: string | null): boolean {
      const held = tokens.access();
      if (held !== null && held !== used) return false;
      clear();
      return true;
    },

    /** False where the context did not come. */
    async reloadContext(): Promise<boolean> {
      const { at } = store.getState();
      try {
        const context = await readContext(background);
        const tenant = context.available_tenants.find(({ id }) => id === context.current_tenant);
        if (!at || !tenant) return tenant !== undefined;
        if (tenant.id === at.tenant.id) store.setState({ at: { ...at, context, tenant } });
        // the right to the tenant itself went: what is shown belongs to another now
        else store.setState({ at: await load(), epoch: store.getState().epoch + 1 });
        return true;
      } catch {
        return false;
      }
    },

    /** False for a tenant not in the available list, or where the new context did not load (then nothing has changed). */
    async switchTenant(id: string): Promise<boolean> {
      const { at } = store.getState();
      if (!at || at.tenant.id === id) return at !== null;
      if (!at.context.available_tenants.some((tenant) => tenant.id === id)) {
        doors.tell("invalid-tenant");
        return false;
      }
      store.setState({ switching: true });
      try {
        await doors.flush();
        selection.chooseTenant(id);
        const next = await load();
        store.setState({ at: next, epoch: store.getState().epoch + 1 });
        setTimeout(() => store.setState({ switching: false }), settle);
        return true;
      } catch (error) {
        if (store.getState().at) {
          selection.chooseTenant(at.tenant.id);
          if (at.currency) selection.chooseCurrency(at.currency.code);
        }
        store.setState({ switching: false });
        throw error;
      }
    },

    /** False for a currency not in the list. Config reloads; the epoch makes the page and the counters follow. */
    async switchCurrency(code: string): Promise<boolean> {
      const { at } = store.getState();
      if (!at || at.currency?.code === code) return at !== null;
      if (!at.config.currencies.some((currency) => currency.code === code)) {
        doors.tell("invalid-currency");
        return false;
      }
      store.setState({ switching: true });
      try {
        selection.chooseCurrency(code);
        const config = await telling("load", readConfig);
        const currency = config.currencies.find((entry) => entry.code === selection.currency()) ?? config.currencies[0] ?? null;
        store.setState({ at: { ...at, config, currency }, epoch: store.getState().epoch + 1 });
        return true;
      } catch (error) {
        if (at.currency) selection.chooseCurrency(at.currency.code);
        throw error;
      } finally {
        store.setState({ switching: false });
      }
    },

    /** Another tab signed out. */
    forget(): void {
      store.setState({ phase: "signed-out", at: null, switching: false });
    },
  };
}
