import type { Jar } from "./jar.ts";
import { cookieDays } from "./jar.ts";

/** This tab's tenant and currency; the cookie is only the default of a new tab. */
export interface Selection {
  tenant(): string | null;
  currency(): string | null;
  chooseTenant(id: string): void;
  chooseCurrency(code: string): void;
  forgetTenant(): void;
  forgetCurrency(): void;
}

/** The part of sessionStorage that is used. */
export type TabStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export function createSelection(jar: Jar, tab: TabStorage): Selection {
  const read = (name: string) => tab.getItem(name) ?? jar.get(name);
  const write = (name: string, value: string, days: number) => {
    tab.setItem(name, value);
    jar.set(name, value, days);
  };
  const forget = (name: string) => {
    tab.removeItem(name);
    jar.remove(name);
  };
  return {
    tenant: () => read("tenant_id"),
    currency: () => read("currency"),
    chooseTenant: (id) => write("tenant_id", id, cookieDays.session),
    chooseCurrency: (code) => write("currency", code, cookieDays.currency),
    forgetTenant: () => forget("tenant_id"),
    forgetCurrency: () => forget("currency"),
  };
}
