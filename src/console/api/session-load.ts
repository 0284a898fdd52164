import { sessionRoutes } from "../../contract/session.ts";
import type { Config, Currency, Profile, SessionContext, Tenant } from "../../contract/session.ts";
import type { Call } from "./call.ts";
import { CallFailure } from "./failure.ts";
import type { Selection } from "./selection.ts";
import type { ServerTime } from "./server-time.ts";

export interface SignedIn {
  readonly context: SessionContext;
  readonly config: Config;
  readonly user: Profile;
  readonly tenant: Tenant;
  readonly currency: Currency | null;
}

// a switch waits for them
const background = { background: true, atOnce: true } as const;
// a first refusal may be mended by a second request; only what remains is reported
const quiet = { quiet: true, atOnce: true } as const;

/** Loads the parts of a session. `report` is called once for a failure that remains. */
export function createSessionLoad(
  call: () => Call,
  selection: Selection,
  time: ServerTime,
  report: (kind: "profile" | "load", failure: CallFailure) => void,
) {
  async function reporting<T>(kind: "profile" | "load", read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof CallFailure && !error.reported) {
        error.reported = true;
        report(kind, error);
      }
      throw error;
    }
  }

  /** Loads the context; a tenant that the server no longer accepts is dropped, and the request sent again without it. */
  async function readContext(options: typeof quiet | typeof background): Promise<{ context: SessionContext; tenant: Tenant }> {
    const read = async () => (await call()(sessionRoutes.readContext, {}, options)).data;
    const asked = selection.tenant();
    let context: SessionContext;
    try {
      context = await read();
    } catch (error) {
      const refused = error instanceof CallFailure && error.code === "tenant.invalid";
      if (!refused || asked === null || selection.tenant() !== asked) throw error;
      selection.forgetTenant();
      context = await read();
    }
    const tenant = context.available_tenants.find(({ id }) => id === context.current_tenant);
    if (!tenant) throw new CallFailure("unexpected", { message: "the current tenant is not among the available" });
    return { context, tenant };
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

  /** Selects the chosen currency where the tenant has it, else the tenant's first. */
  function settleCurrency({ currencies }: Config): Currency | null {
    const chosen = selection.currency();
    const currency = currencies.find(({ code }) => code === chosen) ?? currencies[0] ?? null;
    if (currency) selection.chooseCurrency(currency.code);
    else selection.forgetCurrency();
    return currency;
  }

  return {
    /** In the background, so that no failure is reported. */
    context: () => readContext(background),
    config: () => reporting("load", readConfig),
    profile: () => reporting("profile", readProfile),
    settleCurrency,

    /** Loads the context, which decides the tenant, and then at once the config, which decides the currency, and the profile. */
    async all(): Promise<SignedIn> {
      const { context, tenant } = await reporting("load", () => readContext(quiet));
      selection.chooseTenant(tenant.id);
      const configAnswer = reporting("load", readConfig);
      const profileAnswer = readProfile();
      profileAnswer.catch(() => undefined); // where both fail, only the config's failure is reported
      const config = await configAnswer;
      const currency = settleCurrency(config);
      const user = await reporting("profile", () => profileAnswer);
      return { context, config, user, tenant, currency };
    },
  };
}
