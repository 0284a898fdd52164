import "./layers.css";
import "./kit/look/look.css";
import { QueryClientProvider } from "@tanstack/react-query";
import i18next from "i18next";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router-dom";
import { commands } from "../../commands/index.ts";
import { isAllowed } from "../contract/permissions.ts";
import { screens } from "../contract/screens.ts";
import { addressOf } from "../contract/addresses.ts";
import type { ScreenName } from "../contract/screens.ts";
import type { Whereto } from "../contract/addresses.ts";
import { createApi } from "./api/api.ts";
import { describeFailure } from "./api/failure.ts";
import type { CallFailure } from "./api/failure.ts";
import { browserJar, cookieDays } from "./api/jar.ts";
import { browserPage } from "./api/live.ts";
import { createFormats } from "./api/formats.ts";
import { browserLeaving, createPreferences } from "./api/preferences.ts";
import type { SessionMessage } from "./api/session.ts";
import { ApiContext } from "./api/use-api.ts";
import { createOwnKeys } from "./own-keys/own-keys.ts";
import { KeyLayer } from "./own-keys/key-layer.tsx";
import { ownDensity } from "./kit/grid/density.ts";
import { ExportLayer } from "./exports/export-layer.tsx";
import { ShiftLayer } from "./shifts/shift-layer.tsx";
import { KitProvider } from "./kit/kit-provider.tsx";
import { createKit } from "./kit/kit.ts";
import { discardQuestion } from "./kit/sheets/questions.ts";
import { loadChunk } from "./kit/loading/chunk.ts";
import { markRest } from "./kit/loading/rest.ts";
import { startTexts } from "./kit/texts/start-texts.ts";
import { problemText } from "./kit/messages/problem-text.ts";
import { setLanguage, text } from "./kit/texts/texts.ts";
import { screenModules } from "./screens/index.ts";
import { createAppearance } from "./frame/appearance.ts";
import { besideParam, firstBeside, writeBeside } from "./frame/beside.ts";
import { paletteSources } from "./frame/palette-sources.ts";
import { keepPalette } from "./frame/keep-palette.ts";
import { arrival, followLink, takeLink, writeLink } from "./frame/place-link.ts";
import { keepSizes } from "./frame/keep-sizes.ts";
import { loginPath } from "./frame/redirect.ts";
import { createProof } from "./frame/proof.ts";
import { ProofSheet } from "./frame/proof-sheet.tsx";
import { createRouter } from "./frame/router.tsx";
import { reportRefusedPreferences } from "./frame/report-refused-preferences.ts";
import { pins } from "./frame/pinned.ts";
import type { Pins } from "./frame/pins.ts";
import { ShellContext } from "./frame/use-shell.ts";

const jar = browserJar(document, location);
// runs before the router reads the address
const linked = takeLink(window, (name) => sessionStorage.getItem(name) ?? jar.get(name));
const appearance = createAppearance(jar, document, matchMedia("(prefers-color-scheme: dark)"));
await startTexts(jar.get("language") ?? "en");
// renews the cookies, because a choice lasts from the last visit
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
    report,
    reportSession(kind, failure) {
      if (kind === "load") {
        if (failure) report(failure);
      } else if (kind === "profile") {
        const said = failure?.kind === "refused" ? (problemText(failure.code, failure.data) ?? failure.serverMessage) : "";
        const toast = { title: text("failure.error"), text: said || text("failure.profile"), tone: "fail" } as const;
        kit.messages.toast({ ...toast, requestId: failure?.requestId ?? null });
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
    forbidden: (needed) => void router.navigate(needed.length === 0 ? "/forbidden" : `/forbidden?needed=${needed.join()}`),
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

function report(failure: CallFailure) {
  const { title, text: message } = describeFailure(failure, { text, problem: problemText });
  kit.messages.toast({ title, text: message, tone: "fail", requestId: failure.requestId });
}

const proof = createProof(() => api.call);
const routed = new Set(Object.keys(screenModules) as ScreenName[]); // Object.keys widens
const { session, link } = api;
const isOffered = (screen: ScreenName) =>
  routed.has(screen) && isAllowed(session.store.getState().at?.context.permissions ?? {}, screens[screen].permission);
const preferences = createPreferences(() => api.call, session, link, sessionStorage, browserLeaving());

/** Goes to the first page of the tenant that the tab has switched to. */
async function enterTenant(): Promise<void> {
  await router.navigate(home());
  kit.services.say("shell.now-in", { tenant: session.store.getState().at?.tenant.name ?? "" });
}

/** Asked because unsaved settings would be lost. */
const leaveSettingsQuestion = { ...discardQuestion, title: "setting.ask.leave", text: "setting.ask.leave-text" } as const;

/** Asks before the tenant or user changes, because unsaved input in this tab would be lost. */
async function mayLeave(): Promise<boolean> {
  if (!(await kit.leaving.may())) return false;
  return api.drafts.isEmpty() || (await kit.services.ask("confirm", leaveSettingsQuestion)) === true;
}

/** Shows a second screen beside the route's; null closes it. */
function showBeside(screen: ScreenName | null, to: Whereto = {}): void {
  const next = new URLSearchParams(window.location.search);
  if (screen === null) next.delete(besideParam);
  else next.set(besideParam, writeBeside(screen, to));
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

/** What pins views and keeps their figures: loaded after the first screen, and again where that failed. */
let pinning: Promise<Pins> | null = null;
const pinDesk = (): Promise<Pins> =>
  (pinning ??= loadChunk(() => import("./frame/pins.ts"))
    .then(({ createPins }) => createPins(api, { ...kit.services, toast: kit.messages.toast }))
    .catch((error: unknown) => {
      pinning = null;
      throw error;
    }));

const kit = createKit({
  commands,
  routedScreens: routed,
  services: {
    call: api.call,
    // the side that last had the focus goes there; the other one stays
    go(screen: ScreenName, to = {}) {
      const now = new URLSearchParams(window.location.search);
      const other = now.get(besideParam);
      if (other !== null && kit.context.getState().side === "beside") return showBeside(screen, to);
      void router.navigate(addressOf(screen, { ...to, search: { ...to.search, ...(other !== null && { [besideParam]: other }) } }));
    },
    changed: api.rows.changed,
    shell: {
      setTheme: appearance.setTheme,
      linkHere() {
        const { at } = session.store.getState();
        return writeLink(window.location.href, { tenant: at?.tenant.id ?? null, currency: at?.currency?.code ?? null });
      },
      splitScreen(screen, to = {}) {
        const { screens: shown } = kit.context.getState();
        if (screen !== undefined) return showBeside(screen, to);
        if (new URLSearchParams(window.location.search).has(besideParam)) showBeside(null);
        else if (shown.main !== null) {
          const other = firstBeside(shown.main, window.location.pathname, isOffered);
          showBeside(other.screen, other);
        }
      },
      toggleSound: api.sound.toggle,
      floatCounters: async () => (await loadChunk(() => import("./frame/float-counters.ts"))).floatCounters(kit),
      async pinView(view, whose, pin) {
        await (await pinDesk()).pin(view, whose, pin);
      },
      async setThreshold(view, here) {
        await (await pinDesk()).setThreshold(view, here);
      },
      openPinned(place) {
        const one = pins.getState().pinned[place - 1];
        if (one) kit.services.go(one.screen, { params: one.params, search: { ...one.view.state.search, saved: one.view.uuid } });
      },
      pinnedCount: () => pins.getState().pinned.length,
      async switchTenant(id) {
        if (!(await mayLeave())) return;
        const before = session.store.getState().at?.tenant.id;
        if ((await session.switchTenant(id)) && before !== id) await enterTenant();
      },
      async switchCurrency(code) {
        if (!(await kit.leaving.may())) return;
        if (await session.switchCurrency(code)) kit.services.say("shell.now-currency", { code });
      },
      setLanguage: (language) => void changeLanguage(language),
      async signOut() {
        if (!(await mayLeave())) return;
        // saved first, because nothing can be sent without the token
        await preferences.flush();
        await router.navigate("/logout");
      },
      refresh() {
        void api.queries.invalidateQueries();
        void api.counters.refresh();
        api.live.publishGap();
      },
    },
  },
  sources: paletteSources(api, routed, () => i18next.language),
});

/** A screen comes with the commands that apply only there. */
const { router, home, here } = createRouter(api, routed, async (screen) => {
  const load = screenModules[screen] ?? (() => Promise.reject(new Error(screen)));
  return (await Promise.all([load(), kit.registry.need(screen)]))[0];
});

// publishes the part of the session that commands may read
const publish = () => {
  const { at, switching } = session.store.getState();
  const before = kit.context.getState();
  // an act of another tenant or currency would be looked for in this one
  if (before.tenant !== (at?.tenant.id ?? null) || before.currency !== (at?.currency?.code ?? null)) kit.undo.clear();
  if (before.tenant !== (at?.tenant.id ?? null)) {
    // nothing of the old tenant can be answered or chosen any more
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
link.store.subscribe(({ online }) => kit.context.setOnline(online && navigator.onLine));

const ownKeys = createOwnKeys(kit, preferences, () => {
  const { at } = session.store.getState();
  const { reject_reasons: reasons = [], tiers = {} } = at?.config.withdrawals ?? {};
  return { reasons, confirmFrom: tiers[at?.currency?.code ?? ""]?.confirm_from ?? null };
});
keepSizes(kit.panes, preferences, ownDensity);
reportRefusedPreferences(preferences, kit.messages);
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
  // another user signed in from another tab, so this tab now belongs to them
  if (data.kind === "signed-in" && at?.user.uuid !== data.user) location.reload();
});

api.live.subscribe("scoreAlarm", async ({ uuids }) => {
  const { tellAlarm } = await loadChunk(() => import("./frame/score-alarm.ts"));
  await tellAlarm(api.call, kit.messages, uuids);
});

api.live.subscribe("downtimeNotice", async ({ uuids }) => {
  const { tellDowntimes } = await loadChunk(() => import("./frame/downtime-notice.ts"));
  const zone = api.session.store.getState().at?.currency?.country.timezone.gmt;
  await tellDowntimes(api.call, kit.messages, uuids, createFormats(zone), api.time.now());
});

const keepPins = (): void => {
  if (session.store.getState().at !== null) void pinDesk().catch(() => undefined); // without its chunk there are no pinned views
};
keepPins();
session.store.subscribe(keepPins);

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
            <KeyLayer ownKeys={ownKeys} />
            <ExportLayer />
            <ShiftLayer />
            <ProofSheet proof={proof} />
          </KitProvider>
        </ShellContext>
      </QueryClientProvider>
    </ApiContext>
  </StrictMode>,
);
