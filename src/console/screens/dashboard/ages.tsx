import type { Dashboard } from "../../../contract/dashboard.ts";
import { useText } from "../../kit/texts/texts.ts";
import { ageText, ageTone } from "./day.ts";
import { None, Panel, Rows } from "./panel.tsx";
import { panelTitle } from "./panels.ts";

type Age = Dashboard["queue"]["ages"][number];

const idOf = ({ from }: Age) => String(from);

/** How many withdrawals have waited how long; amber and red beyond the tenant's limits. */
export function AgesPanel({ queue, at, asTable }: { queue: Dashboard["queue"]; at: number; asTable: boolean }) {
  const t = useText();
  const title = t(panelTitle("ages"));
  const most = Math.max(1, ...queue.ages.map(({ count }) => count));
  const late = queue.ages.filter(({ from }) => from >= queue.red_minutes).reduce((sum, { count }) => sum + count, 0);
  const tone = ({ from }: Age) => ageTone(from, queue);
  const word = { "": null, amber: t("dashboard.ages.amber"), red: t("dashboard.ages.red") };
  const table = {
    caption: title,
    rows: queue.ages,
    idOf,
    columns: [
      { title: t("dashboard.column.age"), cell: ({ from, to }: Age) => <bdi>{ageText(from, to)}</bdi> },
      { title: t("dashboard.column.open"), cell: ({ count }: Age) => count },
      {
        title: t("dashboard.column.sla"),
        cell: (age: Age) => word[tone(age)] ?? "",
        className: (age: Age) => ({ "": undefined, amber: "warn", red: "fail" })[tone(age)],
      },
    ],
  };
  return (
    <Panel
      name="ages"
      note={
        <>
          <span>{t("dashboard.open", { count: queue.open })}</span>
          <span className={late > 0 ? "fail" : undefined}>{t("dashboard.ages.late", { count: late, minutes: queue.red_minutes })}</span>
        </>
      }
    >
      {asTable ? (
        <div key="rows" className="rows">
          <Rows {...table} at={at} />
        </div>
      ) : (
        <>
          {queue.open === 0 && <None>{t("dashboard.ages.none")}</None>}
          <div className="bars" role="listbox" aria-orientation="horizontal" aria-label={t("dashboard.chart", { title })}>
            {queue.ages.map((age, n) => (
              <div
                key={idOf(age)}
                role="option"
                aria-selected={n === at}
                tabIndex={n === at ? 0 : -1}
                data-item={idOf(age)}
                className={`bar ${tone(age)}`}
              >
                <span className="sr">
                  {[
                    t("dashboard.minutes", { minutes: ageText(age.from, age.to) }),
                    t("dashboard.open", { count: age.count }),
                    word[tone(age)],
                  ]
                    .filter((part) => part !== null)
                    .join(", ")}
                </span>
                <b className={age.count === 0 ? "zero" : undefined} aria-hidden="true">
                  {age.count}
                </b>
                <i style={{ "--v": String(age.count / most) }} />
                <small aria-hidden="true">
                  <bdi>{ageText(age.from, age.to)}</bdi>
                </small>
              </div>
            ))}
          </div>
          <div key="sr" className="sr">
            <Rows {...table} />
          </div>
        </>
      )}
    </Panel>
  );
}
