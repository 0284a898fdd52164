import "./plain-pages.css";
import { useEffect } from "react";
import type { ReactNode } from "react";
import { Link, useRouteError, useSearchParams } from "react-router-dom";
import { useStore } from "zustand";
import { permissions } from "../../contract/permissions.ts";
import { screens } from "../../contract/screens.ts";
import { useApi } from "../api/use-api.ts";
import type { MessageKey } from "../kit/texts/messages.ts";
import { useText } from "../kit/texts/texts.ts";
import { Brand } from "./brand.tsx";
import { safeRedirect } from "./redirect.ts";
import { PageMissing } from "./page-chunk.ts";
import { Title } from "./title.tsx";

/** `framed`: drawn within the frame, which has the main region already. */
function Plain({ title, children, acts, framed }: { title: MessageKey; children: ReactNode; acts?: ReactNode; framed?: true }) {
  const t = useText();
  const Tag = framed ? "section" : "main";
  return (
    <Tag className="plain">
      <Title screen={t(title)} />
      {!framed && <Brand name={t("shell.product")} />}
      <h1>{t(title)}</h1>
      {children}
      {acts && <div className="acts-row">{acts}</div>}
    </Tag>
  );
}

function Home() {
  const t = useText();
  return (
    <Link className="btn go" to="/">
      {t("page.home")}
    </Link>
  );
}

const known: ReadonlySet<string> = new Set(permissions);

/** Signed in, but without the right; names the missing right where it is known. */
export function ForbiddenPage() {
  const t = useText();
  const [search] = useSearchParams();
  const from = search.get("from");
  // of an act that was refused, or of the screen that was asked for
  const named = search
    .get("needed")
    ?.split(",")
    .filter((one) => known.has(one));
  const ofScreen = Object.values(screens).find(({ path }) => path === from)?.permission;
  const needed = named !== undefined && named.length > 0 ? named : ofScreen;
  return (
    <Plain
      framed
      title="page.forbidden.title"
      acts={
        <>
          <Home />
          <Link className="btn" to="/logout">
            {t("shell.sign-out")}
          </Link>
        </>
      }
    >
      <p>{t("page.forbidden.text")}</p>
      {needed !== undefined && (
        <p>
          {t("page.forbidden.needed")} <bdi className="mono">{typeof needed === "string" ? needed : [...needed].join(" · ")}</bdi>
        </p>
      )}
    </Plain>
  );
}

export function NotFoundPage() {
  const t = useText();
  return (
    <Plain title="page.not-found.title" acts={<Home />}>
      <p>{t("page.not-found.text")}</p>
    </Plain>
  );
}

export function UnauthorizedPage() {
  const t = useText();
  return (
    <Plain
      title="page.unauthorized.title"
      acts={
        <Link className="btn go" to="/login">
          {t("login.submit")}
        </Link>
      }
    >
      <p>{t("page.unauthorized.text")}</p>
    </Plain>
  );
}

export function ServerErrorPage() {
  const t = useText();
  return (
    <Plain title="page.server-error.title" acts={<Home />}>
      <p>{t("page.server-error.text")}</p>
    </Plain>
  );
}

/** The server did not answer when the page opened; continues by itself once it does. */
export function OfflinePage({ onBack }: { onBack(to: string): void }) {
  const t = useText();
  const { link } = useApi();
  const [search] = useSearchParams();
  const online = useStore(link.store, (state) => state.online);
  const to = safeRedirect(search.get("redirect"), window.location.origin) ?? "/";
  useEffect(() => {
    let left = false;
    const look = async () => {
      if ((await link.probe()) && !left) onBack(to);
    };
    // a page opened by hand while the server answers has nothing to wait for
    if (!search.has("redirect")) return;
    const timer = setInterval(() => void look(), 3_000);
    return () => {
      left = true;
      clearInterval(timer);
    };
  }, [link, onBack, to, search]);
  return (
    <Plain
      title="page.offline.title"
      acts={
        <button type="button" className="btn go" onClick={() => void link.probe().then((there) => there && onBack(to))}>
          {t("page.retry")}
        </button>
      }
    >
      <p role="status">{t(online ? "page.offline.back" : "page.offline.text")}</p>
    </Plain>
  );
}

const missingTexts = { late: "page.chunk.late", first: "page.chunk.text", again: "page.chunk.again" } as const;

/** A screen that did not load or threw; a reload is offered, because only that can bring a missing chunk. */
export function BrokenPage({ framed }: { framed?: true }) {
  const t = useText();
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  const missing = error instanceof PageMissing ? missingTexts[error.kind] : null;
  const title = missing === null ? "page.broken.title" : "page.chunk.title";
  return (
    <Plain
      {...(framed && { framed })}
      title={title}
      acts={
        <>
          <button type="button" className="btn go" onClick={() => window.location.reload()}>
            {t("page.retry")}
          </button>
          <Link className="btn" to="/" reloadDocument>
            {t("page.home")}
          </Link>
        </>
      }
    >
      <p role="alert">{t(missing ?? "page.broken.text")}</p>
    </Plain>
  );
}

export function Splash() {
  const t = useText();
  return (
    <div className="splash" role="status">
      {t("shell.loading")}
    </div>
  );
}
