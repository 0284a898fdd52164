import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { actWord } from "../../../contract/audit-log.ts";
import { isAllowed } from "../../../contract/permissions.ts";
import type { OtherSession, UserDetail } from "../../../contract/users.ts";
import { userRoutes as routes } from "../../../contract/users.ts";
import { Instant } from "../../api/instant.tsx";
import { useApi, useChanged, useRead, useReadKey, useSignedIn } from "../../api/use-api.ts";
import { agentName } from "../../identity/agent-name.ts";
import { CommandButton } from "../../kit/look/command-button.tsx";
import { useKit } from "../../kit/use-kit.ts";
import { hasText, text, useText } from "../../kit/texts/texts.ts";
import "./users.css";

/** "Withdrawal: Approved"; an act of no kind of record, as signing in, by itself. */
function actText(code: string): string {
  const [act, of] = [`audit-entry.act.${actWord(code)}`, `audit-entry.entity.${code.slice(0, code.lastIndexOf("."))}`];
  if (!hasText(act)) return code;
  return hasText(of) ? `${text(of)}: ${text(act)}` : text(act);
}

/** Where somebody is signed in, since when, and what they did last: each with its end, and all at once. */
export function SessionsSection({ detail: { row } }: { readonly detail: UserDetail }) {
  const t = useText();
  const { call } = useApi();
  const { services } = useKit();
  const { context, user } = useSignedIn();
  const place = useRef<HTMLDivElement>(null);
  const queries = useQueryClient();
  const sent = { params: { uuid: row.uuid } };
  const queryKey = useReadKey(routes.listUserSessions, sent);
  const { data, isError, refetch } = useRead(routes.listUserSessions, sent);
  useChanged("user", () => void queries.invalidateQueries({ queryKey }));
  const mayEnd = isAllowed(context.permissions, routes.endUserSession.permission) && row.uuid !== user.uuid;

  async function end({ uuid }: OtherSession) {
    const button = document.activeElement;
    // a refusal is told as a toast; the list then says what is
    const ended = await call(routes.endUserSession, { params: { uuid: row.uuid, session: uuid } }).catch(() => null);
    if (ended !== null) services.say("user.said.ended", { count: 1 }, "done");
    // the line and its button go; who went on meanwhile stays where they are
    if ([button, document.body].includes(document.activeElement)) place.current?.focus();
    services.changed("user", [{ uuid: row.uuid }]);
  }

  if (isError)
    return (
      <p role="alert" className="ln">
        {t("user.sessions.failed")}
        <button type="button" className="btn" onClick={() => void refetch()}>
          {t("page.retry")}
        </button>
      </p>
    );
  if (data === undefined) return <div className="ck" role="status" aria-label={t("record.detail.loading")} />;
  const { sessions, last_act } = data.data;
  return (
    <div ref={place} tabIndex={-1} className="sessions-of">
      {last_act !== null && (
        <p className="ln">
          <span className="t2">{t("user.sessions.last-act")}</span>
          <bdi className="cut end" title={last_act.act}>
            {actText(last_act.act)}
          </bdi>
          <Instant at={last_act.at} />
        </p>
      )}
      {sessions.length === 0 && <p className="ln t3">{t("user.sessions.none")}</p>}
      {sessions.map((session) => (
        <div key={session.uuid} className="one">
          <span className="cut" title={session.agent ?? undefined}>
            <bdi>{agentName(session.agent) ?? t("user.sessions.unknown")}</bdi> <bdi className="mono t3">{session.ip ?? ""}</bdi>
          </span>
          <span className="t2 cut">
            {t("user.sessions.since")} <Instant at={session.started_at} /> · {t("user.sessions.seen")} <Instant at={session.renewed_at} />
          </span>
          {mayEnd && (
            <button type="button" className="btn" onClick={() => void end(session)}>
              {t("user.sessions.end")}
              <span className="sr"> {agentName(session.agent)}</span>
            </button>
          )}
        </div>
      ))}
      {sessions.length > 0 && (
        <p className="section-acts">
          <CommandButton id="user.end-sessions" look="no" />
        </p>
      )}
    </div>
  );
}
