import { outgoingMailRoutes } from "../../../contract/outgoing-mails.ts";
import { CallFailure } from "../../api/failure.ts";
import { Instant } from "../../api/instant.tsx";
import { useRead } from "../../api/use-api.ts";
import { Failure } from "../../lists/failure.tsx";
import { Icon } from "../../kit/look/icon.tsx";
import { useText } from "../../kit/texts/texts.ts";

/** Mails are kept for seven days: one page holds what a tenant writes in that time. */
const most = 200;

/** Mails that were written and not sent, since no mail server is set; each opens to its text. */
export function OutgoingMails() {
  const t = useText();
  const read = useRead(outgoingMailRoutes.listOutgoingMails, { query: { limit: most } });
  if (read.error instanceof CallFailure && read.data === undefined) {
    return <Failure title={t("setting.mail.failed")} failure={read.error} onRetry={() => void read.refetch()} />;
  }
  if (read.data === undefined) return <p className="instead t2">{t("setting.loading")}</p>;
  const { data: mails, meta } = read.data;
  if (mails.length === 0) {
    return (
      <div className="empty">
        <Icon name="info" />
        <p className="strong">{t("setting.mail.none")}</p>
        <p className="t2">{t("setting.mail.about")}</p>
      </div>
    );
  }
  return (
    <div className="mails">
      <p className="t2 about">{t("setting.mail.about")}</p>
      {mails.map(({ uuid, to, subject, text, created_at }) => (
        <details key={uuid}>
          <summary>
            <Instant at={created_at} />
            <bdi className="to cut">{to}</bdi>
            <span className="strong cut" dir="auto">
              {subject}
            </span>
            <span className="st neutral">{t("setting.mail.kept")}</span>
          </summary>
          {text === null ? <p className="t2">{t("setting.mail.elsewhere")}</p> : <pre dir="auto">{text}</pre>}
        </details>
      ))}
      {meta.next !== null && <p className="t2 about">{t("setting.mail.more", { count: mails.length })}</p>}
    </div>
  );
}
