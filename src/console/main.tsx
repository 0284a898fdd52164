import "@blueprintjs/core/lib/css/blueprint.css";
import "./tokens.css";
import "./look.css";
import "./shell/shell.css";
import { QueryClientProvider } from "@tanstack/react-query";
import i18next from "i18next";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router-dom";
import { commands } from "../../commands/index.ts";
import { screens } from "../contract/screens.ts";
import type { ScreenName } from "../contract/screens.ts";
import { createApi } from "./api/api.ts";
import { describeFailure } from "./api/failure.ts";
import type { CallFailure } from "./api/failure.ts";
import { browserJar, cookieDays } from "./api/jar.ts";
import { browserPage } from "./api/live.ts";
import { browserLeaving, createPreferences } from "./api/preferences.ts";
import type { SessionMessage } from "./api/session.ts";
import { ApiContext } from "./api/use-api.ts";
import { createKeyDesk } from "./keys/desk.ts";
import { KeyLayer } from "./keys/key-layer.tsx";
import { ownDensity } from "./kit/grid/density.ts";
import { KitProvider } from "./kit/kit-provider.tsx";
import { createKit } from "./kit/kit.ts";
import { markRest } from "./kit/rest.ts";
import { startTexts } from "./kit/start-texts.ts";
import { problemText, setLanguage, text } from "./kit/texts.ts";
import { screenModules } from "./screens/index.ts";
import { createAppearance } from "./shell/appearance.ts";
import { besideParam, withoutRecords, writeBeside } from "./shell/beside.ts";
import { paletteSources } from "./shell/palette-sources.ts";
import { keepPalette } from "./shell/keep-palette.ts";
import { arrival, followLink, takeLink, writeLink } from "./shell/place-link.ts";
import { keepSizes } from "./shell/keep-sizes.ts";
import { loginPath } from "./shell/redirect.ts";
import { createProof } from "./shell/proof.ts";
import { ProofSheet } from "./shell/proof-sheet.tsx";
import { createRouter } from "./shell/router.tsx";
import { tellKeeping } from "./shell/tell-keeping.ts";
import { ShellContext } from "./shell/use-shell.ts";

const jar = browserJar(document, location);
// before the router reads the address
const linked = takeLink(window, (name) => sessionStorage.getItem(name) ?? jar.get(name));
const appearance = createAppearance(jar, document, matchMedia("(prefers-color-scheme: dark)"));
await startTexts(jar.get("language") ?? "en");
// what one has chosen lasts from the last time one was here
for (const name of ["language", "theme"]) {
  const chosen = jar.get(name);
  if (chosen !== null) jar.set(name, chosen, cookieDays.preference);
}

const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("countinghouse.session") : null;

const api = createApi(
  {
    jar,
    tab: sessionStorage,
    locks: "locks" in navigator ? { request: (name, act) => navigator.locks.request(name, act) } : null,
    page: browserPage(),
    announce: (message) => channel?.postMessage(message),
    sound: {
      read: () => localStorage.getItem("countinghouse.sound") !== "off",
      write: (on) => localStorage.setItem("countinghouse.sound", on ? "on" : "off"),
    },
  },
  {
    tell,
    tellSession(kind, failure) {
      if (kind === "load") {
        if (failure) tell(failure);
      } else if (kind === "profile") {
        const said = failure?.kind === "refused" ? (problemText(failure.code, failure.data) ?? failure.said) : "";
        const told = { title: text("failure.error"), text: said || text("failure.profile"), tone: "fail" } as const;
        kit.messages.toast({ ...told, requestId: failure?.requestId ?? null });
      } else {
        kit.toast({
          title: text("failure.fail"),
          text: text(kind === "invalid-currency" ? "failure.invalid-currency" : "failure.invalid-tenant"),
          tone: "fail",
        });
        if (kind === "tenant-gone") void enterTenant();
      }
    },
    ended(stillSignedIn) {
      void router.navigate(stillSignedIn ? "/forbidden" : loginPath(here()));
    },
    forbidden: () => void router.navigate("/forbidden"),
    proveAgain: () => proof.ask(),
    clearStorage() {
      localStorage.clear();
      sessionStorage.clear();
    },
    async flush() {
      kit.questions.dismiss();
    },
  },
);

function tell(failure: CallFailure) {
  const { title, text: message } = describeFailure(failure, { text, problem: problemText });
  kit.messages.toast({ title, text: message, tone: "fail", requestId: failure.requestId });
}

const proof = createProof(() => api.call);
const { router, routed, home, here } = createRouter(api, screenModules);
const { session, link } = api;
const preferences = createPreferences(() => api.call, session, link, sessionStorage, browserLeaving());

/** What a tab shows first of the tenant it has come to. */
async function enterTenant(): Promise<void> {
  await router.navigate(home());
  kit.services.say("shell.now-in", { tenant: session.store.getState().at?.tenant.name ?? "" });
}

/** Another screen beside the route's; null: none. */
function showBeside(screen: ScreenName | null, search: Readonly<Record<string, string>> = {}): void {
  const next = new URLSearchParams(window.location.search);
  if (screen === null) next.delete(besideParam);
  else next.set(besideParam, writeBeside(screen, search));
  void router.navigate({ pathname: window.location.pathname, search: next.size > 0 ? `?${next}` : "" });
}

async function changeLanguage(language: string): Promise<void> {
  try {
    await setLanguage(language);
  } catch {
    kit.services.say("shell.language-absent", {}, "fail");
    return;
  }
  jar.set("language", language, cookieDays.preference);
}

const kit = createKit({
  commands,
  routedScreens: routed,
  services: {
    call: api.call,
    // the side that had the focus last goes there; the other stays
    go(screen: ScreenName, search = {}) {
      const now = new URLSearchParams(window.location.search);
      const other = now.get(besideParam);
      if (other !== null && kit.context.getState().side === "beside") return showBeside(screen, search);
      const next = new URLSearchParams(search);
      if (other !== null) next.set(besideParam, other);
      void router.navigate({ pathname: screens[screen].path, search: next.size > 0 ? `?${next}` : "" });
    },
    changed: api.rows.changed,
    shell: {
      setTheme: appearance.setTheme,
      linkHere() {
        const { at } = session.store.getState();
        return writeLink(window.location.href, { tenant: at?.tenant.id ?? null, currency: at?.currency?.code ?? null });
      },
      splitScreen(screen, search = {}) {
        const { screens: shown } = kit.context.getState();
        if (screen !== undefined) return showBeside(screen, search);
        if (new URLSearchParams(window.location.search).has(besideParam)) showBeside(null);
        else if (shown.main !== null) showBeside(shown.main);
      },
      toggleSound: api.sound.toggle,
      async switchTenant(id) {
        if (!(await kit.leaving.may())) return;
        const before = session.store.getState().at?.tenant.id;
        if ((await session.switchTenant(id)) && before !== id) await enterTenant();
      },
      async switchCurrency(code) {
        if (!(await kit.leaving.may())) return;
        if (await session.switchCurrency(code)) kit.services.say("shell.now-currency", { code });
      },
      setLanguage: (language) => void changeLanguage(language),
      async signOut() {
        if (!(await kit.leaving.may())) return;
        // with the token goes the way to send it
        await preferences.flush();
        await router.navigate("/logout");
      },
      refresh() {
        void api.queries.invalidateQueries();
        void api.counters.refresh();
        api.live.miss();
      },
    },
  },
  sources: paletteSources(api, routed, () => i18next.language),
});

// what commands may know of the session
const publish = () => {
  const { at, switching } = session.store.getState();
  if (kit.context.getState().tenant !== (at?.tenant.id ?? null)) {
    // nothing of the old tenant can be taken back, answered or chosen any more
    kit.undo.clear();
    kit.questions.dismiss();
    kit.palette.close();
  }
  kit.context.setSession({
    tenant: at?.tenant.id ?? null,
    currency: at?.currency?.code ?? null,
    user: at?.user.uuid ?? null,
    permissions: at?.context.permissions ?? {},
  });
  kit.context.setSwitching(switching);
};
publish();
session.store.subscribe(publish);
session.store.subscribe((now, before) => {
  const { pathname, search } = window.location;
  // the record shown was the old tenant's, or of the old currency
  if (now.epoch !== before.epoch && withoutRecords(search) !== search)
    void router.navigate({ pathname, search: withoutRecords(search) }, { replace: true });
});
link.store.subscribe(({ online }) => kit.context.setOnline(online && navigator.onLine));

const keyDesk = createKeyDesk(kit, preferences, () => {
  const { at } = session.store.getState();
  const { reject_reasons: reasons = [], tiers = {} } = at?.config.withdrawals ?? {};
  return { reasons, confirmFrom: tiers[at?.currency?.code ?? ""]?.confirm_from ?? null };
});
keepSizes(kit.panes, preferences, ownDensity);
tellKeeping(preferences, kit.messages);
keepPalette(kit.palette, preferences);
followLink(linked, {
  session,
  ask: kit.services.ask,
  text,
  toast: kit.toast,
  arrived: () => arrival(router),
  navigate: (to) => void router.navigate(to, { replace: true }),
});

channel?.addEventListener("message", ({ data }: MessageEvent<SessionMessage>) => {
  const { at } = session.store.getState();
  if (data.kind === "signed-out" && at) {
    session.forget(data.ended);
    void router.navigate(loginPath(here()));
  }
  // somebody signed in from another tab: this one belongs to them now
  if (data.kind === "signed-in" && at?.user.uuid !== data.user) location.reload();
});

api.live.start();
markRest(document.documentElement);

const root = document.getElementById("root");
if (!root) throw new Error("no #root");
createRoot(root).render(
  <StrictMode>
    <ApiContext value={api}>
      <QueryClientProvider client={api.queries}>
        <ShellContext value={{ appearance, routed, setLanguage: changeLanguage, navigate: (path) => void router.navigate(path) }}>
          <KitProvider kit={kit}>
            <RouterProvider router={router} />
            <KeyLayer desk={keyDesk} />
            <ProofSheet proof={proof} />
          </KitProvider>
        </ShellContext>
      </QueryClientProvider>
    </ApiContext>
  </StrictMode>,
);
