import { describe, expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import type { SessionState } from "../../../src/console/api/session.ts";
import type { LinkDeps } from "../../../src/console/frame/place-link.ts";
import { arrival, followLink, readLink, takeLink, writeLink } from "../../../src/console/frame/place-link.ts";

const origin = "https://pay.example";
const plain = `${origin}/payment/withdrawals?view=all&q=a%26b&beside=%2Fpayment%2Fdeposits%3Fq%3Dx`;
const link = writeLink(plain, { tenant: "t2", currency: "PHP" });

describe("a copied link", () => {
  test("names tenant and currency, and leads back to its own address", () => {
    expect(new URL(link).searchParams.get("tenant")).toBe("t2");
    const read = readLink(link);
    expect(read).toMatchObject({ tenant: "t2", currency: "PHP" });
    expect(Object.fromEntries(new URL(read?.to ?? "", origin).searchParams)).toEqual(Object.fromEntries(new URL(plain).searchParams));
  });
  test("copied again after it was opened, it names each once", () => {
    expect(writeLink(link, { tenant: "t1", currency: "MYR" }).match(/tenant=/g)).toHaveLength(1);
  });
  test.each(["//x", "//evil.example/x", "///x", "/.//x"])("%s in it is a path of this origin, not another site", (path) => {
    const { to } = readLink(`${origin}${path}?tenant=t2`) ?? { to: "" };
    expect(new URL(to, origin).origin).toBe(origin);
    expect(to).toMatch(/^\/[^/]/);
  });
  test("an address without a tenant is no copied link", () => expect(readLink(plain)).toBeNull());
});

/** A page opened at an address, in a tab with this tenant and currency. */
function opened(href: string, tab: { tenant_id: string | null; currency: string | null }) {
  let shown = href;
  const history = { replaceState: (_: unknown, __: string, to?: string | URL | null) => void (shown = String(to)) };
  const taken = takeLink({ location: { href }, history }, (name) => tab[name]);
  return { taken, shown };
}

describe("opening it", () => {
  test("in a tab with that tenant and currency it simply opens, and the address is cleaned", () => {
    const { taken, shown } = opened(link, { tenant_id: "t2", currency: "PHP" });
    expect(taken).toBeNull();
    expect(shown).toMatch(/^\/payment\/withdrawals\?view=all/);
    expect(shown).not.toContain("tenant=");
  });
  test.each([
    { tenant_id: "t1", currency: "PHP" },
    { tenant_id: "t2", currency: "MYR" },
    { tenant_id: null, currency: null },
  ])("in a tab that is elsewhere nothing of it is read yet", (tab) => {
    const { taken, shown } = opened(link, tab);
    expect([taken?.tenant, shown]).toEqual(["t2", "/payment/withdrawals"]);
  });
});

/** Signed in to a tenant; `answer` is the operator's choice. */
function fixture(at: { tenant: string; currency: string }, answer: string | null) {
  const deeds: unknown[] = [];
  const tenants = ["t1", "t2"].map((id) => ({ id, name: `Tenant ${id}` }));
  const currencies = [{ code: "MYR" }, { code: "PHP" }];
  const store = createStore<{ phase: string; at: unknown }>()(() => ({ phase: "starting", at: null }));
  const stand = (tenant: string, currency: string) =>
    store.setState({
      phase: "signed-in",
      at: {
        context: { available_tenants: tenants },
        config: { currencies },
        tenant: tenants.find(({ id }) => id === tenant),
        currency: { code: currency },
      } as unknown as SessionState["at"], // what the link looks at
    });
  const deps = {
    session: {
      store,
      async switchTenant(id: string) {
        deeds.push(["tenant", id]);
        stand(id, "MYR");
        return true;
      },
      async switchCurrency(code: string) {
        deeds.push(["currency", code]);
        return true;
      },
    },
    ask: async (_: string, asked: { words: object }) => {
      deeds.push(["asked", asked.words]);
      return answer;
    },
    text: (key: string) => key,
    toast: ({ text }: { text: string }) => deeds.push(["toast", text]),
    arrived: async () => undefined,
    navigate: (to: string) => deeds.push(["went", to]),
  } as unknown as LinkDeps; // the deps a link uses
  const done = async () => {
    await new Promise((resolve) => setTimeout(resolve));
    return deeds;
  };
  return { deps, begin: () => stand(at.tenant, at.currency), done };
}

describe("before the tab switches to another tenant or currency", () => {
  const read = readLink(link);
  const went = ["went", read?.to];

  test("it asks, and switches both and opens only on yes", async () => {
    const { deps, begin, done } = fixture({ tenant: "t1", currency: "MYR" }, "switch");
    followLink(read, deps);
    expect(await done()).toEqual([]);
    begin();
    expect(await done()).toEqual([["asked", { place: "Tenant t2 · PHP" }], ["tenant", "t2"], ["currency", "PHP"], went]);
  });
  test.each(["stay", null])("%s: nothing is switched or opened", async (answer) => {
    const { deps, begin, done } = fixture({ tenant: "t1", currency: "MYR" }, answer);
    begin();
    followLink(read, deps);
    expect(await done()).toEqual([["asked", { place: "Tenant t2 · PHP" }]]);
  });
  test("asks for another currency alone too", async () => {
    const { deps, begin, done } = fixture({ tenant: "t2", currency: "MYR" }, "switch");
    begin();
    followLink(read, deps);
    expect(await done()).toEqual([["asked", { place: "Tenant t2 · PHP" }], ["currency", "PHP"], went]);
  });
  test("for the tenant the user has just signed in to, it opens without asking", async () => {
    const { deps, begin, done } = fixture({ tenant: "t2", currency: "PHP" }, null);
    begin();
    followLink(read, deps);
    expect(await done()).toEqual([went]);
  });
  test("a tenant without access is reported, and nothing else happens", async () => {
    const { deps, begin, done } = fixture({ tenant: "t1", currency: "MYR" }, "switch");
    begin();
    followLink(readLink(`${origin}/payment/withdrawals?tenant=t9`), deps);
    expect(await done()).toEqual([["toast", "failure.invalid-tenant"]]);
  });
});

test("waits for the sign-in, and for the page behind it", async () => {
  const state = { navigation: { state: "idle" }, location: { pathname: "/login" } };
  const listeners = new Set<() => void>();
  let arrived = false;
  const router = {
    state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const waiting = arrival(router).then(() => (arrived = true));
  const move = async (pathname: string, navigation: string) => {
    state.location.pathname = pathname;
    state.navigation.state = navigation;
    listeners.forEach((listener) => listener());
    await Promise.resolve();
    await Promise.resolve();
    return arrived;
  };
  expect([await move("/login", "loading"), await move("/payment/withdrawals", "loading")]).toEqual([false, false]);
  expect(await move("/payment/withdrawals", "idle")).toBe(true);
  await waiting;
  expect(listeners.size).toBe(0);
});
