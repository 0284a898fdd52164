import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { profileRoutes } from "../../../contract/profile.ts";
import type { OwnSession } from "../../../contract/profile.ts";
import { Instant } from "../../api/instant.tsx";
import { useApi, useChanged, useRead, useReadKey } from "../../api/use-api.ts";
import { agentName } from "../../identity/agent-name.ts";
import { CommandButton } from "../../kit/look/command-button.tsx";
import { useKit } from "../../kit/use-kit.ts";
import { useText } from "../../kit/texts/texts.ts";

/** Where one is signed in: each with its sign-out, and all others at once. */
export function OwnSessions() {
  const t = useText();
  const { call } = useApi();
  const { services } = useKit();
  const heading = useRef<HTMLHeadingElement>(null);
  const queries = useQueryClient();
  const queryKey = useReadKey(profileRoutes.listOwnSessions, {});
  const { data, isError, refetch } = useRead(profileRoutes.listOwnSessions, {});
  const again = () => void queries.invalidateQueries({ queryKey });
  useChanged("own-session", again);

  async function end({ uuid }: OwnSession) {
    const button = document.activeElement;
    // a refusal is told as a toast; the list then says what is
    const ended = await call(profileRoutes.endOwnSession, { params: { uuid } }).catch(() => null);
    if (ended !== null) services.say("profile.ended", { count: 1 }, "done");
    // the line and its button go; who went on meanwhile stays where they are
    if ([button, document.body].includes(document.activeElement)) heading.current?.focus();
    again();
  }

  return (
    <section className="sec last">
      <h2 ref={heading} tabIndex={-1}>
        {t("profile.sessions")}
        <span className="end">
          <CommandButton id="profile.end-others">{t("profile.end-others")}</CommandButton>
        </span>
      </h2>
      {isError ? (
        <p role="alert" className="alt">
          {t("profile.sessions.failed")}
          <button type="button" className="btn" onClick={() => void refetch()}>
            {t("page.retry")}
          </button>
        </p>
      ) : (
        <table className="own-sessions" aria-busy={data === undefined}>
          <thead>
            <tr>
              <th scope="col">{t("profile.session.agent")}</th>
              <th scope="col">{t("profile.session.ip")}</th>
              <th scope="col">{t("profile.session.started")}</th>
              <th scope="col">{t("profile.session.renewed")}</th>
              <th scope="col">
                <span className="sr">{t("profile.session.end")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data?.data.map((session) => (
              <Line key={session.uuid} session={session} onEnd={() => void end(session)} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Line({ session, onEnd }: { session: OwnSession; onEnd(): void }) {
  const t = useText();
  const browser = agentName(session.agent);
  return (
    <tr>
      <td className="cut" title={session.agent ?? undefined}>
        <bdi>{browser ?? t("profile.session.unknown")}</bdi>
      </td>
      <td>
        <bdi className="mono">{session.ip ?? "–"}</bdi>
      </td>
      <td data-label={t("profile.session.started")}>
        <Instant at={session.started_at} />
      </td>
      <td data-label={t("profile.session.renewed")}>
        <Instant at={session.renewed_at} />
      </td>
      <td>
        {session.current ? (
          <span className="tag acc">{t("profile.session.this")}</span>
        ) : (
          <button type="button" className="btn" onClick={onEnd}>
            {t("profile.session.end")}
            <span className="sr"> {browser}</span>
          </button>
        )}
      </td>
    </tr>
  );
}
