import type { ReactNode } from "react";
import { useEffect, useMemo } from "react";
import type { RateLimitGroup, RateLimitGroupDetail, RateScope, RateUsage } from "../../../contract/rate-limit-groups.ts";
import { mostUsage, rateLimitGroupRoutes as routes, rateScopes } from "../../../contract/rate-limit-groups.ts";
import { formatCount } from "../../../values/counts.ts";
import { money } from "../../../values/money.ts";
import { atMostEvery } from "../../api/at-most-every.ts";
import { Instant } from "../../api/instant.tsx";
import { useLive, useRead } from "../../api/use-api.ts";
import { shownAmount } from "../../kit/look/amounts.ts";
import { Icon } from "../../kit/look/icon.tsx";
import { LimitLine } from "../../kit/look/limit-line.tsx";
import { spanText } from "../../kit/texts/span-text.ts";
import { useText } from "../../kit/texts/texts.ts";
import "./usage.css";

/** ms between two readings, however fast transactions come. */
const pause = 1_000;

/** What accounts and customers have used of a group's windows, the latest first; kept up to date while it is shown. */
export function Usage({ detail: { row } }: { readonly detail: RateLimitGroupDetail }) {
  const t = useText();
  const read = useRead(routes.readRateLimitUsage, { params: { uuid: row.uuid } });
  const { refetch } = read;
  const again = useMemo(() => atMostEvery(pause, () => void refetch()), [refetch]);
  useEffect(() => again.stop, [again]);
  // other limits, other accounts
  useEffect(() => again.soon(), [again, row.version]);
  useLive("paymentAccount", again.soon);
  useLive("deposit", again.soon);
  useLive("withdraw", again.soon);
  useLive("gap", again.soon);
  const usage = read.data?.data;
  if (usage === undefined) {
    return read.isError ? (
      <p className="ln">
        {t("rate-limit-group.usage.failed")}{" "}
        <button type="button" className="btn bare" onClick={() => void refetch()}>
          {t("page.retry")}
        </button>
      </p>
    ) : (
      <p className="ln t3">{t("record.detail.loading")}</p>
    );
  }
  const scopes = rateScopes.filter((scope) => row[`${scope}_window_minutes`] !== null);
  return (
    <div className="rate-usage">
      {row.status === "inactive" && <p className="ln t2">{t("rate-limit-group.usage.off")}</p>}
      {scopes.length === 0 && <p className="ln t3">{t("rate-limit-group.usage.none")}</p>}
      {scopes.map((scope) => (
        <Scope key={scope} scope={scope} group={row} {...usage[`${scope}s`]} />
      ))}
    </div>
  );
}

interface ScopeProps {
  readonly scope: RateScope;
  readonly group: RateLimitGroup;
  readonly rows: readonly RateUsage[];
  readonly more: boolean;
}

function Scope({ scope, group, rows, more }: ScopeProps) {
  const t = useText();
  const title = t(`rate-limit-group.usage.${scope}s`, { window: spanText(group[`${scope}_window_minutes`] ?? 0) });
  return (
    <>
      <h3>{title}</h3>
      {rows.length === 0 && <p className="ln t3">{t("rate-limit-group.usage.none")}</p>}
      <ul aria-label={title}>
        {rows.map((one) => (
          <Used key={`${one.uuid} ${one.kind}`} one={one} maxCount={group[`${scope}_max_count`]} turnover={group[`${scope}_turnover`]} />
        ))}
      </ul>
      {more && <p className="ln t3">{t("rate-limit-group.usage.more", { count: mostUsage, shown: formatCount(mostUsage) })}</p>}
    </>
  );
}

interface UsedProps {
  readonly one: RateUsage;
  readonly maxCount: number | null;
  readonly turnover: string | null;
}

function Used({ one, maxCount, turnover }: UsedProps) {
  const t = useText();
  const { kind, name, of, count, open, amount, left_count, left_amount, reached, resets_at } = one;
  const left = (shown: string) => t("rate-limit-group.usage.left", { shown });
  return (
    <li>
      <div className="ln">
        <Icon name={kind} size="xs" />
        <span className="sr">{t(`rate-limit-group.kind.${kind}`)}</span>
        <bdi className="mono strong cut">{name}</bdi>
        <bdi className="t2 cut grow">{of}</bdi>
        {reached && <span className="tag fail">{t("rate-limit-group.usage.reached")}</span>}
        <span className="t3">
          {resets_at === null ? (
            t("rate-limit-group.usage.open-only")
          ) : (
            <>
              {t("rate-limit-group.usage.resets")} <Instant at={resets_at} as="clock" />
            </>
          )}
        </span>
      </div>
      {maxCount === null ? (
        <Plain title={<Counted open={open} />} used={formatCount(count)} />
      ) : (
        <LimitLine
          title={<Counted open={open} />}
          used={formatCount(count)}
          limit={formatCount(maxCount)}
          note={left(formatCount(left_count ?? 0))}
          share={(count / maxCount) * 100}
        />
      )}
      {turnover === null ? (
        <Plain title={t("rate-limit-group.usage.turnover")} used={shownAmount(amount)} />
      ) : (
        <LimitLine
          title={t("rate-limit-group.usage.turnover")}
          used={shownAmount(amount)}
          limit={shownAmount(turnover)}
          note={left(shownAmount(left_amount))}
          share={Number((money(amount) * 1000n) / money(turnover)) / 10}
        />
      )}
    </li>
  );
}

/** "Transactions", and how many of them are open. */
function Counted({ open }: { readonly open: number }) {
  const t = useText();
  return (
    <>
      {t("rate-limit-group.usage.count")}
      {open > 0 && <span className="t3"> · {t("rate-limit-group.usage.open", { count: open, shown: formatCount(open) })}</span>}
    </>
  );
}

/** What is counted without a limit. */
function Plain({ title, used }: { readonly title: ReactNode; readonly used: string }) {
  return (
    <div className="ln">
      <span className="cut grow">{title}</span>
      <bdi>{used}</bdi>
    </div>
  );
}
