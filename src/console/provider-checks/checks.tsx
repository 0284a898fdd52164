import type { MasterAccountDetail } from "../../contract/master-accounts.ts";
import type { CreditCheck, TriedCheck } from "../../contract/provider-checks.ts";
import { formatCount } from "../../values/counts.ts";
import { Instant } from "../api/instant.tsx";
import { Amount } from "../kit/look/amount.tsx";
import { Icon } from "../kit/look/icon.tsx";
import { useText } from "../kit/texts/texts.ts";
import "./checks.css";

/** What a check has read, or why it has read nothing, in words. */
export function Outcome({ of: { failure, about, balance, has_credit } }: { readonly of: CreditCheck | TriedCheck }) {
  const t = useText();
  if (failure !== null) {
    return (
      <span className="fail">
        {t(`master-account.failure.${failure}`)}
        {about !== null && about !== "" && (
          <>
            {" "}
            <bdi className="mono">{about}</bdi>
          </>
        )}
      </span>
    );
  }
  return (
    <>
      {balance !== null && <Amount text={balance} />}{" "}
      <span className="t2">{t(has_credit === true ? "master-account.check.credit" : "master-account.check.no-credit")}</span>
    </>
  );
}

/** The newest checks, each with its answer behind it. */
export function Checks({ detail: { checks } }: { readonly detail: Pick<MasterAccountDetail, "checks"> }) {
  const t = useText();
  if (checks.length === 0) return <p className="ln t3">{t("master-account.check.none")}</p>;
  return (
    <ol className="checks" aria-label={t("master-account.check.newest")}>
      {checks.map((check) => (
        <li key={check.uuid}>
          <details>
            <summary>
              <Instant at={check.at} /> <Outcome of={check} />
              {check.in_downtime && (
                <span className="st pending">
                  <Icon name="clock" />
                  {t("status.maintenance")}
                </span>
              )}
              <span className="end t3">{t("master-account.check.took", { shown: formatCount(check.milliseconds) })}</span>
            </summary>
            <p className="t2">
              {check.http_status !== null && <bdi className="mono">HTTP {check.http_status} </bdi>}
              {check.by === null ? t("master-account.check.by-turn") : t("master-account.check.by", { name: check.by })}
            </p>
            {check.answer !== null && check.answer !== "" && (
              <pre className="mono" dir="ltr" aria-label={t("master-account.try.answer")}>
                {check.answer}
              </pre>
            )}
          </details>
        </li>
      ))}
    </ol>
  );
}
