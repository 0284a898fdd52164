import { lazy } from "react";
import { createBrowserRouter, Outlet, redirect } from "react-router-dom";
import type { LoaderFunctionArgs, RouteObject } from "react-router-dom";
import { isAllowed } from "../../contract/permissions.ts";
import { screens } from "../../contract/screens.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { Api } from "../api/api.ts";
import type { ScreenModule } from "../screens/index.ts";
import { Frame } from "./frame.tsx";
import { LoginPage } from "./login-page.tsx";
import { BrokenPage, ForbiddenPage, NotFoundPage, OfflinePage, ServerErrorPage, Splash, UnauthorizedPage } from "./plain-pages.tsx";
import { homePath, loginPath, safeRedirect } from "./redirect.ts";
import { ScreenHost } from "./screen-host.tsx";
import type { Screens } from "./screen-host.tsx";
import { withinTime } from "./time-limit.ts";

export type Router = ReturnType<typeof createRouter>;

/** The routes of the specification's point 2, from contract/screens.ts; only screens with a module are routed. */
export function createRouter(api: Api, modules: Partial<Record<ScreenName, () => Promise<ScreenModule>>>) {
  const routed = new Set(Object.keys(modules) as ScreenName[]); // Object.keys widens
  const { session } = api;

  /** Settles who is signed in; a page that finds the server silent waits on the offline page. */
  async function settled(request: Request) {
    if (session.store.getState().phase !== "signed-in") await session.start();
    const state = session.store.getState();
    const { pathname, search } = new URL(request.url);
    if (state.phase === "unreachable") throw redirect(`/offline?redirect=${encodeURIComponent(pathname + search)}`);
    return state.at;
  }

  async function signedIn({ request }: LoaderFunctionArgs) {
    const { pathname, search } = new URL(request.url);
    const at = await settled(request);
    if (!at) throw redirect(loginPath(pathname + search));
    return at;
  }

  const home = () => homePath(routed, session.store.getState().at?.context.permissions ?? {});

  const load = (name: ScreenName) => withinTime(modules[name] ?? (() => Promise.reject(new Error(name))));
  const beside: Screens = Object.fromEntries(
    [...routed].map((name) => [name, lazy(() => load(name).then(({ Component }) => ({ default: Component })))]),
  );

  const isLeaving = (): boolean => {
    const { location, navigation } = router.state;
    return navigation.location !== undefined && navigation.location.pathname !== location.pathname;
  };

  const screenRoutes = [...routed].map((name): RouteObject => {
    const { path, permission } = screens[name];
    return {
      path,
      errorElement: <BrokenPage framed />,
      loader: async (args) => {
        const at = await signedIn(args);
        if (!isAllowed(at.context.permissions, permission)) throw redirect(`/forbidden?from=${encodeURIComponent(path)}`);
        return null;
      },
      lazy: async () => {
        const { Component } = await load(name);
        return { Component: () => <ScreenHost name={name} Screen={Component} all={beside} isLeaving={isLeaving} /> };
      },
    };
  });

  const router = createBrowserRouter([
    {
      element: <Outlet />,
      errorElement: <BrokenPage />,
      hydrateFallbackElement: <Splash />,
      children: [
        {
          path: "/",
          loader: async ({ request }) => redirect((await settled(request)) ? home() : "/login"),
        },
        {
          path: "/login",
          loader: async ({ request }) => {
            const wanted = safeRedirect(new URL(request.url).searchParams.get("redirect"), window.location.origin);
            return (await settled(request)) ? redirect(wanted ?? home()) : null;
          },
          Component: () => <LoginPage onSignedIn={() => void router.navigate(afterSignIn(), { replace: true })} />,
        },
        {
          path: "/logout",
          loader: async () => {
            await session.signOut();
            return redirect("/login");
          },
          element: null,
        },
        { path: "/unauthorized", element: <UnauthorizedPage /> },
        { path: "/not-found", element: <NotFoundPage /> },
        { path: "/internal-server-error", element: <ServerErrorPage /> },
        { path: "/offline", Component: () => <OfflinePage onBack={(to) => void router.navigate(to, { replace: true })} /> },
        {
          element: <Frame />,
          children: [{ path: "/forbidden", loader: signedIn, element: <ForbiddenPage /> }, ...screenRoutes],
        },
        { path: "*", loader: () => redirect("/not-found") },
      ],
    },
  ]);

  function afterSignIn(): string {
    return safeRedirect(new URLSearchParams(window.location.search).get("redirect"), window.location.origin) ?? home();
  }

  return {
    router,
    routed,
    home,
    /** Where the user is, as a path to come back to. */
    here: () => window.location.pathname + window.location.search,
  };
}
