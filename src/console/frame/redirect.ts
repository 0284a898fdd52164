import type { PermissionMap } from "../../contract/permissions.ts";
import { isAllowed } from "../../contract/permissions.ts";
import { pages, places, screens } from "../../contract/screens.ts";
import type { ScreenName } from "../../contract/screens.ts";

/** A path of this origin that a sign-in may lead to, other than signing in and out; null for anything else. */
export function safeRedirect(wanted: string | null, origin: string): string | null {
  // a browser reads "/\" as "//", and drops tabs and line breaks
  if (!wanted || !/^\/(?![/\\])/.test(wanted) || /[\s\p{Cc}\\]/u.test(wanted) || !URL.canParse(wanted, origin)) return null;
  const url = new URL(wanted, origin);
  // "/.//host" and "/x/..//host" become "//host", which is another site's address
  if (url.origin !== origin || url.pathname.startsWith("//")) return null;
  const path = decoded(url.pathname);
  if (path === null || excludedPaths.has(path.toLowerCase().replace(/\/+$/, ""))) return null;
  return url.pathname + url.search + url.hash;
}

const excludedPaths: ReadonlySet<string> = new Set([pages.login.path, pages.logout.path]);

/** The path without escapes, however often it was escaped; null where they hid another path or are invalid. */
function decoded(path: string): string | null {
  let now = path;
  for (let before = ""; before !== now;) {
    before = now;
    try {
      now = decodeURIComponent(before);
    } catch {
      return null;
    }
  }
  const steps = now.split("/");
  const isOther = steps.length !== path.split("/").length || steps.some((step) => step === "." || step === "..");
  return isOther || /[\s\p{Cc}\\]/u.test(now) ? null : now;
}

/** Screens in navigation order that have a route and that the user may see. */
export function visibleScreens(routed: ReadonlySet<ScreenName>, permissions: PermissionMap): ScreenName[] {
  return places.filter((name) => routed.has(name) && isAllowed(permissions, screens[name].permission));
}

/** The dashboard, else the first visible screen, else the page that says there is none. */
export function homePath(routed: ReadonlySet<ScreenName>, permissions: PermissionMap): string {
  const [first] = visibleScreens(routed, permissions);
  return first ? screens[first].path : pages.forbidden.path;
}

/** /login with the full path to return to. */
export function loginPath(from: string): string {
  return from === "/" || from.startsWith("/login") || from.startsWith("/logout") ? "/login" : `/login?redirect=${encodeURIComponent(from)}`;
}
