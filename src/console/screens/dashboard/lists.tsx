import type { Dashboard } from "../../../contract/dashboard.ts";
import { formatCount } from "../../../values/counts.ts";
import { Amount } from "../../kit/look/amount.tsx";
import { spanText } from "../../api/formats.ts";
import { initials } from "../../api/initials.ts";
import { instantTitle } from "../../api/instant.tsx";
import { useApi, useFormats, useSignedIn } from "../../api/use-api.ts";
import { Icon } from "../../kit/look/icon.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { None, Panel, Rows } from "./panel.tsx";
import { panelTitle } from "./panels.ts";

/** Percent below which a share (approvals, callbacks delivered at the first try) is coloured. */
const least = 90;

const idOf = ({ uuid }: { uuid: string }) => uuid;
const percentText = (percent: number | null) => (percent === null ? "–" : `${percent.toFixed(1)} %`);
const quiet = () => "t2";

/** Time since an instant. */
function Since({ at }: { at: string | null }) {
  const { time } = useApi();
  const formats = useFormats();
  if (at === null) return "–";
  return <bdi title={instantTitle(formats, at, "part")}>{spanText(time.now() - Date.parse(at))}</bdi>;
}

export function MerchantsPanel({ merchants, at }: Pick<Dashboard, "merchants"> & { at: number }) {
  const t = useText();
  return (
    <Panel name="merchants" note={t("dashboard.merchants.note")}>
      {merchants.length === 0 && <None>{t("dashboard.merchants.none")}</None>}
      {merchants.length > 0 && (
        <Rows
          caption={t(panelTitle("merchants"))}
          rows={merchants}
          idOf={idOf}
          at={at}
          columns={[
            { title: t("dashboard.column.merchant"), cell: ({ name }) => <bdi>{name}</bdi>, className: () => "cut" },
            { title: t("dashboard.column.items"), cell: ({ count }) => formatCount(count), className: quiet },
            { title: t("dashboard.column.volume"), cell: ({ amount }) => <Amount text={amount} /> },
            {
              title: t("dashboard.column.approved"),
              cell: (row) => <bdi>{percentText(row.approval_rate)}</bdi>,
              className: (row) => (row.approval_rate !== null && row.approval_rate < least ? "warn" : "t2"),
            },
          ]}
        />
      )}
    </Panel>
  );
}

export function AccountsPanel({ accounts, at }: Pick<Dashboard, "accounts"> & { at: number }) {
  const t = useText();
  return (
    <Panel name="accounts" note={t("dashboard.accounts.note")}>
      {accounts.length === 0 && <None>{t("dashboard.accounts.none")}</None>}
      {accounts.length > 0 && (
        <Rows
          caption={t(panelTitle("accounts"))}
          rows={accounts}
          idOf={idOf}
          at={at}
          columns={[
            {
              title: t("dashboard.column.account"),
              cell: ({ code }) => (
                <span className="with-icon h-critical">
                  <Icon name="critical" size="s" className="hue" />
                  <bdi className="mono">{code}</bdi>
                </span>
              ),
            },
            { title: t("dashboard.column.balance"), cell: ({ balance }) => <Amount text={balance} /> },
            { title: t("dashboard.column.threshold"), cell: ({ threshold }) => <Amount text={threshold} />, className: quiet },
            {
              title: t("dashboard.column.since"),
              cell: ({ since }) => <Since at={since} />,
              className: quiet,
            },
          ]}
        />
      )}
    </Panel>
  );
}

export function CallbacksPanel({ callbacks, at }: Pick<Dashboard, "callbacks"> & { at: number }) {
  const t = useText();
  const fails = (row: Dashboard["callbacks"][number]) => row.first_try !== null && row.first_try < least && row.waiting > 0;
  return (
    <Panel name="callbacks" note={t("dashboard.callbacks.note")}>
      {callbacks.length === 0 && <None>{t("dashboard.callbacks.none")}</None>}
      {callbacks.length > 0 && (
        <Rows
          caption={t(panelTitle("callbacks"))}
          rows={callbacks}
          idOf={idOf}
          at={at}
          columns={[
            { title: t("dashboard.column.merchant"), cell: ({ name }) => <bdi>{name}</bdi>, className: () => "cut" },
            { title: t("dashboard.column.sent"), cell: ({ sent }) => formatCount(sent), className: quiet },
            {
              title: t("dashboard.column.first-try"),
              cell: (row) => <bdi>{percentText(row.first_try)}</bdi>,
              className: (row) => (fails(row) ? "fail strong" : "t2"),
            },
            { title: t("dashboard.column.waiting"), cell: ({ waiting }) => waiting },
            {
              title: t("dashboard.column.oldest"),
              cell: (row) => <Since at={row.oldest_at} />,
              className: (row) => (fails(row) ? "fail" : "t2"),
            },
          ]}
        />
      )}
    </Panel>
  );
}

export function OperatorsPanel({ operators, at }: Pick<Dashboard, "operators"> & { at: number }) {
  const t = useText();
  const { user } = useSignedIn();
  return (
    <Panel name="operators" note={t("dashboard.operators.note")}>
      {operators.length === 0 && <None>{t("dashboard.operators.none")}</None>}
      {operators.length > 0 && (
        <Rows
          caption={t(panelTitle("operators"))}
          rows={operators}
          idOf={({ name }, n) => `${name} ${n}`}
          at={at}
          columns={[
            {
              title: t("dashboard.column.operator"),
              cell: ({ name }) => (
                <span className="with-icon">
                  <span className={name === user.name ? "av me" : "av"} aria-hidden="true">
                    {initials(name)}
                  </span>
                  <bdi>{name}</bdi>
                </span>
              ),
            },
            {
              title: t("dashboard.column.doing"),
              cell: ({ doing }) =>
                doing === null ? (
                  "–"
                ) : (
                  <>
                    {t("counters.deciding")} <bdi className="mono">…{doing.slice(-6)}</bdi>
                  </>
                ),
              className: quiet,
            },
            { title: t("dashboard.column.decided"), cell: ({ decided }) => decided },
          ]}
        />
      )}
    </Panel>
  );
}
