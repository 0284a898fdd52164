import { lazy } from "react";
import type { ComponentType } from "react";
import { createBrowserRouter, Outlet, redirect } from "react-router-dom";
import type { LoaderFunctionArgs, RouteObject } from "react-router-dom";
import { isAllowed } from "../../contract/permissions.ts";
import { pages, screens } from "../../contract/screens.ts";
import { screenAt } from "../../contract/addresses.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { Api } from "../api/api.ts";
import type { ScreenModule } from "../screens/index.ts";
import type { Standing } from "./address.ts";
import { withoutRecords } from "./beside.ts";
import { needStepTexts } from "../identity/step-texts.ts";
import { latePage, loadPage } from "./page-chunk.ts";
import { Frame } from "./frame.tsx";
import { BrokenPage, ForbiddenPage, NotFoundPage, OfflinePage, ServerErrorPage, Splash, UnauthorizedPage } from "./plain-pages.tsx";
import { homePath, loginPath, safeRedirect } from "./redirect.ts";
import { ScreenHost } from "./screen-host.tsx";
import type { Screens } from "./screen-host.tsx";

/** ms after the first screen when the sign-in is fetched in advance. */
const loginSoon = 2_000;

/** Routes of the specification's point 2, from contract/screens.ts; `load` fetches a screen's chunk and what must come with it. */
export function createRouter(api: Api, routed: ReadonlySet<ScreenName>, load: (screen: ScreenName) => Promise<ScreenModule>) {
  const { session } = api;

  /** Settles whether a user is signed in; where the server does not answer, the offline page is shown. */
  async function settled(request: Request) {
    if (session.store.getState().phase !== "signed-in") await session.start();
    const state = session.store.getState();
    if (state.phase === "unreachable") throw redirect(`${pages.offline.path}?redirect=${encodeURIComponent(wanted(request))}`);
    return state.at;
  }

  /** The full path a loader is asked for, with the hash, which the router leaves out of its request. */
  function wanted(request: Request): string {
    const { pathname, search } = new URL(request.url);
    const { navigation, location } = router.state;
    return pathname + search + (navigation.location ?? location).hash;
  }

  async function signedIn({ request }: LoaderFunctionArgs) {
    const at = await settled(request);
    if (!at) throw redirect(loginPath(wanted(request)));
    return at;
  }

  const home = () => homePath(routed, session.store.getState().at?.context.permissions ?? {});

  const beside: Screens = Object.fromEntries(
    [...routed].map((name) => [name, lazy(async () => ({ default: (await loadPage(name, () => load(name))).Component }))]),
  );

  const standing = (path: string): Standing => {
    const { location, navigation } = router.state;
    if (location.pathname !== path) return "elsewhere";
    return navigation.location === undefined || navigation.location.pathname === path ? "here" : "leaving";
  };

  /** What is drawn is never as many replacements behind. */
  const mostKeys = 20;
  /** The newest keys the present place in the history has had: each replacement of its address gives it another, which is drawn later. */
  let keysHere: readonly string[] = [];
  /** Those of the place at which tenant or currency changed: its address names a record of the old one until it is replaced. */
  let outdated: readonly string[] = [];
  const isOutdated = (key = router.state.location.key): boolean => outdated.includes(key);
  session.store.subscribe((now, before) => {
    if (now.epoch === before.epoch) return;
    const { key, pathname, search } = router.state.location;
    const rest = withoutRecords(search);
    if (rest === search) return;
    // what is drawn still may be an address that has been replaced since
    outdated = [...keysHere, key];
    void router.navigate({ pathname, search: rest }, { replace: true });
  });

  // whoever loses the right to what is before them is told so at once, not at their next request
  session.store.subscribe((now, before) => {
    if (now.epoch !== before.epoch || !now.at || !before.at || now.at.context === before.at.context) return;
    const { pathname } = router.state.location;
    const shown = screenAt(pathname)?.screen;
    if (shown === undefined) return;
    const { path, permission } = screens[shown];
    if (isAllowed(before.at.context.permissions, permission) && !isAllowed(now.at.context.permissions, permission))
      void router.navigate(`${pages.forbidden.path}?from=${encodeURIComponent(path)}`, { replace: true });
  });

  const screenRoutes = [...routed].map((name): RouteObject => {
    const { path: named, permission } = screens[name];
    const path = named.replaceAll(/\{(\w+)\}/g, ":$1");
    const page = latePage(name, async () => (await load(name)).Component);
    return {
      path,
      errorElement: <BrokenPage framed />,
      loader: async (args) => {
        // both start at once; without the right the user is sent away even if the chunk fails
        const coming = page.ready();
        coming.catch(() => undefined);
        const at = await signedIn(args);
        if (!isAllowed(at.context.permissions, permission)) throw redirect(`${pages.forbidden.path}?from=${encodeURIComponent(named)}`);
        await coming;
        return null;
      },
      // a new sort or filter does not run the loader, so that the page draws it before the next key
      shouldRevalidate: ({ currentUrl, nextUrl }) =>
        currentUrl.pathname !== nextUrl.pathname || session.store.getState().phase !== "signed-in",
      Component: () => <ScreenHost name={name} Screen={page.Component} all={beside} standing={standing} isOutdated={isOutdated} />,
    };
  });

  const login = signInPage("login", async () => {
    const { LoginPage } = await import("./sign-in/login-page.tsx");
    return () => <LoginPage onSignedIn={() => void router.navigate(afterSignIn(), { replace: true })} />;
  });
  // fetched in advance, because a session may end after the server has the next deployment's files
  setTimeout(() => void login.ready().catch(() => undefined), loginSoon);

  const router = createBrowserRouter([
    {
      element: <Outlet />,
      errorElement: <BrokenPage />,
      hydrateFallbackElement: <Splash />,
      children: [
        {
          path: "/",
          loader: async ({ request }) => redirect((await settled(request)) ? home() : pages.login.path),
        },
        {
          path: pages.login.path,
          loader: async ({ request }) => {
            const coming = login.ready();
            coming.catch(() => undefined);
            const next = safeRedirect(new URL(request.url).searchParams.get("redirect"), window.location.origin);
            if (await settled(request)) return redirect(next ?? home());
            await coming;
            return null;
          },
          Component: login.Component,
        },
        {
          path: pages["forgot-password"].path,
          ...routeOf(signInPage("forgot-password", async () => (await import("./sign-in/forgot-page.tsx")).ForgotPage)),
        },
        {
          path: pages["reset-password"].path,
          ...routeOf(signInPage("reset-password", async () => (await import("./sign-in/reset-page.tsx")).ResetPage)),
        },
        {
          path: pages.invitation.path,
          ...routeOf(signInPage("invitation", async () => (await import("./sign-in/invitation-page.tsx")).InvitationPage)),
        },
        {
          path: pages.logout.path,
          loader: async () => {
            await session.signOut();
            return redirect(pages.login.path);
          },
          element: null,
        },
        { path: pages.unauthorized.path, element: <UnauthorizedPage /> },
        { path: pages["not-found"].path, element: <NotFoundPage /> },
        { path: pages["internal-server-error"].path, element: <ServerErrorPage /> },
        { path: pages.offline.path, Component: () => <OfflinePage onBack={(to) => void router.navigate(to, { replace: true })} /> },
        {
          element: <Frame />,
          children: [{ path: pages.forbidden.path, loader: signedIn, element: <ForbiddenPage /> }, ...screenRoutes],
        },
        { path: "*", loader: () => redirect(pages["not-found"].path) },
      ],
    },
  ]);

  router.subscribe(({ historyAction, location: { key } }) => {
    if (keysHere.at(-1) !== key) keysHere = historyAction === "REPLACE" ? [...keysHere.slice(-mostKeys), key] : [key];
  });

  function afterSignIn(): string {
    return safeRedirect(new URLSearchParams(window.location.search).get("redirect"), window.location.origin) ?? home();
  }

  return {
    router,
    home,
    /** The current path, to come back to. */
    here: () => window.location.pathname + window.location.search + window.location.hash,
  };
}

type LatePage = ReturnType<typeof latePage>;

/** A page for which nobody need be signed in, with the texts of its steps. */
const signInPage = (name: string, load: () => Promise<ComponentType>): LatePage =>
  latePage(name, async () => (await Promise.all([load(), needStepTexts()]))[0]);

function routeOf(page: LatePage): Pick<RouteObject, "loader" | "Component"> {
  return {
    async loader() {
      await page.ready();
      return null;
    },
    Component: page.Component,
  };
}
