import type { Session } from "../api/session.ts";
import type { MessageKey, Words } from "../kit/texts/messages.ts";
import type { Services, Tone } from "../kit/commands/services.ts";

/** Search parameters in a copied link that name its tenant and currency. */
const tenantParam = "tenant";
const currencyParam = "currency";

interface Whereabouts {
  readonly tenant: string | null;
  readonly currency: string | null;
}

/** The tenant and currency of a link, and its address without them. */
interface PlaceLink extends Whereabouts {
  /** Path and search. */
  readonly to: string;
}

export function writeLink(href: string, { tenant, currency }: Whereabouts): string {
  const url = new URL(href);
  if (tenant !== null) url.searchParams.set(tenantParam, tenant);
  if (currency !== null) url.searchParams.set(currencyParam, currency);
  return url.href;
}

/** null where the address names no tenant. */
export function readLink(href: string): PlaceLink | null {
  const url = new URL(href);
  const tenant = url.searchParams.get(tenantParam);
  if (tenant === null || tenant === "") return null;
  const currency = url.searchParams.get(currencyParam);
  url.searchParams.delete(tenantParam);
  url.searchParams.delete(currencyParam);
  // "//x" would be the address of another site
  return { tenant, currency, to: url.pathname.replace(/^\/+/, "/") + url.search };
}

/**
 * Takes the tenant and currency of a copied link out of the address before anything reads it. For another tenant or currency only
 * the screen opens, until the operator has answered (`followLink`).
 */
export function takeLink(
  window: { readonly location: { readonly href: string }; readonly history: Pick<History, "replaceState"> },
  selected: (name: "tenant_id" | "currency") => string | null,
): PlaceLink | null {
  const link = readLink(window.location.href);
  if (link === null) return null;
  const isHere = selected("tenant_id") === link.tenant && (link.currency === null || selected("currency") === link.currency);
  window.history.replaceState(null, "", isHere ? link.to : (link.to.split("?")[0] ?? "/"));
  return isHere ? null : link;
}

export interface LinkDeps {
  readonly session: Pick<Session, "store" | "switchTenant" | "switchCurrency">;
  readonly ask: Services["ask"];
  text(key: MessageKey, words?: Words): string;
  toast(toast: { title: string; text: string; tone: Tone }): void;
  /** Settles once the signed-in user's page is shown. */
  arrived(): Promise<void>;
  navigate(to: string): void;
}

interface Routes {
  readonly state: { readonly navigation: { readonly state: string }; readonly location: { readonly pathname: string } };
  subscribe(listener: () => void): () => void;
}

/** Settles once the router is idle on a page other than sign-in. */
export function arrival(router: Routes): Promise<void> {
  const rests = (): boolean => router.state.navigation.state === "idle" && router.state.location.pathname !== "/login";
  if (rests()) return Promise.resolve();
  return new Promise((done) => {
    const stop = router.subscribe(() => {
      if (!rests()) return;
      stop();
      done();
    });
  });
}

/** Once somebody is signed in, asks before the tab switches to the link's tenant or currency, and opens the link. */
export function followLink(link: PlaceLink | null, deps: LinkDeps): void {
  if (link === null) return;
  const { session } = deps;
  const begin = (): boolean => {
    if (session.store.getState().phase !== "signed-in") return false;
    void follow(link, deps);
    return true;
  };
  if (begin()) return;
  const stop = session.store.subscribe(() => {
    if (begin()) stop();
  });
}

async function follow(link: PlaceLink, { session, ask, text, toast, arrived, navigate }: LinkDeps): Promise<void> {
  await arrived();
  const here = session.store.getState().at;
  if (here === null) return;
  const tenant = here.context.available_tenants.find(({ id }) => id === link.tenant);
  const refuse = (key: MessageKey): void => toast({ title: text("failure.fail"), text: text(key), tone: "fail" });
  if (tenant === undefined) return refuse("failure.invalid-tenant");
  const otherTenant = tenant.id !== here.tenant.id;
  const otherCurrency = link.currency !== null && link.currency !== here.currency?.code;
  if (!otherTenant && !otherCurrency) return navigate(link.to);
  if (!otherTenant && !here.config.currencies.some(({ code }) => code === link.currency)) return refuse("failure.invalid-currency");

  const place = [tenant.name, link.currency].filter(Boolean).join(" · ");
  const answer = await ask("choice", {
    title: "link.ask",
    words: { place },
    options: [
      { id: "switch", label: text("link.ask.switch", { place }), note: "", refused: null },
      {
        id: "stay",
        label: text("link.ask.stay", { place: [here.tenant.name, here.currency?.code].filter(Boolean).join(" · ") }),
        note: "",
        refused: null,
      },
    ],
  });
  if (answer !== "switch") return;
  if (otherTenant && !(await session.switchTenant(tenant.id))) return;
  const { at } = session.store.getState();
  if (link.currency !== null && at?.currency?.code !== link.currency && !(await session.switchCurrency(link.currency))) return;
  navigate(link.to);
}
