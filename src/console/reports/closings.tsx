import { Fragment } from "react";
import type { ReportSummary } from "../../contract/reports.ts";
import { formatCount } from "../../values/counts.ts";
import { money } from "../../values/money.ts";
import { Amount } from "../kit/look/amount.tsx";
import { useText } from "../kit/texts/texts.ts";

interface ClosingsProps extends Pick<ReportSummary, "closings" | "others"> {
  readonly title: string;
}

/** Who closed with how much: a table with bars, which is read as one. */
export function Closings({ closings, others, title }: ClosingsProps) {
  const t = useText();
  const most = closings.reduce((high, { closing }) => (money(closing) > high ? money(closing) : high), 1n);
  return (
    <table className="tbl report-closings" aria-label={title}>
      <tbody>
        {closings.map(({ code, name, closing }) => (
          <tr key={code ?? ""}>
            <th scope="row" title={name}>
              {code === null ? <span className="t2">{t("report.chart.no-group")}</span> : <bdi className="mono">{code}</bdi>}{" "}
              <bdi className="t3">
                {/* each of several codes stays whole: "BSN-02" breaks at no hyphen */}
                {name.split(", ").map((part, at) => (
                  <Fragment key={part}>
                    {at > 0 && ", "}
                    <span className="whole">{part}</span>
                  </Fragment>
                ))}
              </bdi>
            </th>
            <td className="bar-cell" aria-hidden="true">
              <i style={{ inlineSize: `${Math.max(0, Number((money(closing) * 1000n) / most) / 10)}%` }} />
            </td>
            <td className="figure">
              <Amount text={closing} />
            </td>
          </tr>
        ))}
        {others !== null && (
          <tr>
            <th scope="row" className="t2">
              {t("report.chart.others", { shown: formatCount(others.count) })}
            </th>
            <td aria-hidden="true" />
            <td className="figure">
              <Amount text={others.closing} />
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
