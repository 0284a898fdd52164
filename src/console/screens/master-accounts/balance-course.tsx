import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { MasterAccountDetail } from "../../../contract/master-accounts.ts";
import { courseDays, masterAccountRoutes as routes } from "../../../contract/master-accounts.ts";
import { money } from "../../../values/money.ts";
import { useFormats, useRead } from "../../api/use-api.ts";
import { Amount } from "../../kit/look/amount.tsx";
import { shortAmount } from "../../kit/look/short-amount.ts";
import { useText } from "../../kit/texts/texts.ts";
import { useContextState } from "../../kit/use-kit.ts";
import { mountCourse } from "./balance-plot.ts";
import "./master-accounts.css";

interface Reading {
  readonly at: string;
  readonly balance: string;
}

/** An account's balance over the last days, as a chart or as a table of its days. */
export function BalanceCourse({ detail: { row } }: { readonly detail: MasterAccountDetail }) {
  const t = useText();
  const read = useRead(routes.readMasterAccountBalances, { params: { uuid: row.uuid } });
  const [asTable, setAsTable] = useState(false);
  const { refetch } = read;
  const again = useEffectEvent(() => void refetch());
  useEffect(() => again(), [row.last_checked_at]);
  if (read.isError) {
    return (
      <p className="ln">
        {t("master-account.course.failed")}{" "}
        <button type="button" className="btn bare" onClick={() => void refetch()}>
          {t("page.retry")}
        </button>
      </p>
    );
  }
  const readings = read.data?.data;
  if (readings === undefined) return <p className="ln t3">{t("record.detail.loading")}</p>;
  if (readings.length === 0) return <p className="ln t3">{t("master-account.course.none", { count: courseDays })}</p>;
  return (
    <div className="course">
      {asTable ? <Days readings={readings} /> : <Chart readings={readings} threshold={row.threshold} />}
      <p className="section-acts">
        <button type="button" className="btn" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {t("master-account.course.as-table")}
        </button>
      </p>
    </div>
  );
}

const least = (of: readonly Reading[]): Reading => of.reduce((a, b) => (money(b.balance) < money(a.balance) ? b : a));
const most = (of: readonly Reading[]): Reading => of.reduce((a, b) => (money(b.balance) > money(a.balance) ? b : a));
const figure = (amount: string): number => Number(money(amount)) / 10_000;

function Chart({ readings, threshold }: { readonly readings: readonly Reading[]; readonly threshold: string }) {
  const t = useText();
  const formats = useFormats();
  const { rightToLeft } = useContextState();
  const host = useRef<HTMLDivElement>(null);
  const course = useMemo(
    () => ({
      at: readings.map(({ at }) => Date.parse(at) / 1_000),
      balances: readings.map(({ balance }) => figure(balance)),
      threshold: figure(threshold),
    }),
    [readings, threshold],
  );
  useEffect(() => {
    if (host.current === null) return undefined;
    const axes = {
      day: (seconds: number) => formats.day(seconds * 1_000).slice(5),
      amount: (value: number) => shortAmount(value.toFixed(2)),
    };
    return mountCourse(host.current, course, axes, rightToLeft);
  }, [course, formats, rightToLeft]);
  const [low, last] = [least(readings), readings.at(-1)];
  const told = t("master-account.course.told", {
    count: courseDays,
    now: formats.amount(last?.balance),
    lowest: formats.amount(low.balance),
    day: formats.day(low.at),
  });
  return <div ref={host} className="course-plot" dir="ltr" role="img" aria-label={told} />;
}

/** Each day of the currency's zone: its lowest, its highest, its last. */
function Days({ readings }: { readonly readings: readonly Reading[] }) {
  const t = useText();
  const formats = useFormats();
  const days = Map.groupBy(readings, ({ at }) => formats.day(at));
  const title = t("master-account.course", { count: courseDays });
  return (
    <table className="tbl" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{t("master-account.course.day")}</th>
          {(["lowest", "highest", "last"] as const).map((name) => (
            <th key={name} scope="col" className="figure">
              {t(`master-account.course.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...days].toReversed().map(([day, of]) => (
          <tr key={day}>
            <th scope="row">
              <bdi>{day}</bdi>
            </th>
            {[least(of), most(of), of.at(-1) ?? least(of)].map(({ balance }, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- three columns in their order
              <td key={at} className="figure">
                <Amount text={balance} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
