import type { PermissionMap } from "../../contract/permissions.ts";
import { isAllowed } from "../../contract/permissions.ts";
import { screens } from "../../contract/screens.ts";
import type { ScreenName } from "../../contract/screens.ts";

/** Where a signing in may lead: a path of this origin other than signing in and out; null for anything else. */
export function safeRedirect(wanted: string | null, origin: string): string | null {
  // a browser reads "/\" as "//", and drops tabs and line breaks
  if (!wanted || !/^\/(?![/\\])/.test(wanted) || /[\s\\]/.test(wanted)) return null;
  let url: URL;
  try {
    url = new URL(wanted, origin);
  } catch {
    return null;
  }
  if (url.origin !== origin || url.pathname === "/login" || url.pathname === "/logout") return null;
  return url.pathname + url.search + url.hash;
}

/** Screens in navigation order that are routed and may be seen. */
export function visibleScreens(routed: ReadonlySet<ScreenName>, permissions: PermissionMap): ScreenName[] {
  return (Object.keys(screens) as ScreenName[]).filter((name) => routed.has(name) && isAllowed(permissions, screens[name].permission)); // Object.keys widens
}

/** The dashboard, else the first screen there is for this user, else the page that says there is none. */
export function homePath(routed: ReadonlySet<ScreenName>, permissions: PermissionMap): string {
  const [first] = visibleScreens(routed, permissions);
  return first ? screens[first].path : "/forbidden";
}

/** /login carrying the earlier full path. */
export function loginPath(from: string): string {
  return from === "/" || from.startsWith("/login") || from.startsWith("/logout") ? "/login" : `/login?redirect=${encodeURIComponent(from)}`;
}
