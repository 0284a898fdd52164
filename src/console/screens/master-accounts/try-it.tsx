import { useState } from "react";
import { masterAccountRoutes as routes } from "../../../contract/master-accounts.ts";
import { isAllowed } from "../../../contract/permissions.ts";
import type { TriedCheck } from "../../../contract/provider-checks.ts";
import type { Sent } from "../../../contract/route.ts";
import { formatCount } from "../../../values/counts.ts";
import { refusalOf } from "../../api/refusal.ts";
import { useApi, useSignedIn } from "../../api/use-api.ts";
import { entityWords } from "../../entity/form-words.ts";
import type { RecordRow } from "../../kit/commands/desks.ts";
import { checkForm, formFields } from "../../kit/form/fields.ts";
import { ruleSayer } from "../../kit/form/rules.ts";
import type { FormSession } from "../../kit/form/session.ts";
import { amountDecimals } from "../../kit/look/amounts.ts";
import { text, useText } from "../../kit/texts/texts.ts";
import { Outcome } from "../../provider-checks/checks.tsx";
import "./master-accounts.css";

type Shown = { readonly tried: TriedCheck } | { readonly lines: readonly string[] };

const fields = [...formFields(routes.tryCreditCheck.body).values()];

/** Asks the provider once as the form says now: what was sent, what came, and what was read of it. */
export function TryIt({ session, row }: { readonly session: FormSession; readonly row: RecordRow | null }) {
  const t = useText();
  const { call } = useApi();
  const { context } = useSignedIn();
  const [shown, setShown] = useState<Shown | null>(null);
  const [isAsking, setAsking] = useState(false);

  async function tryIt(): Promise<void> {
    const words = entityWords({ subject: "master-account" }, text);
    const said = (lines: Readonly<Record<string, readonly string[]>>) =>
      Object.entries(lines).flatMap(([name, of]) => of.map((line) => `${words.label(name.split(".")[0] ?? name)}: ${line}`));
    const { values } = session.getState();
    const typed = Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? ""]));
    const say = ruleSayer(text, words.hint);
    const checked = checkForm(routes.tryCreditCheck.body, { ...typed, uuid: row?.uuid ?? null }, fields, say, amountDecimals());
    if ("lines" in checked) return setShown({ lines: said(checked.lines) });
    setAsking(true);
    try {
      const sent = { body: checked.body } as Sent<typeof routes.tryCreditCheck>; // `checkForm` has parsed it by that schema
      setShown({ tried: (await call(routes.tryCreditCheck, sent, { quiet: true })).data });
    } catch (error) {
      const { lines, words: told } = refusalOf(error);
      setShown({ lines: Object.keys(lines).length > 0 ? said(lines) : [told] });
    } finally {
      setAsking(false);
    }
  }

  if (!isAllowed(context.permissions, routes.tryCreditCheck.permission)) return null;
  return (
    <section className="try-it" aria-label={t("master-account.try")}>
      <button type="button" className="btn" disabled={isAsking} onClick={() => void tryIt()}>
        {t(isAsking ? "master-account.try.asking" : "master-account.try")}
      </button>
      <span className="note">{t("master-account.try.note")}</span>
      <div role="status">
        {shown !== null &&
          "lines" in shown &&
          shown.lines.map((line) => (
            <p key={line} className="fail">
              {line}
            </p>
          ))}
        {shown !== null && "tried" in shown && <Tried tried={shown.tried} />}
      </div>
    </section>
  );
}

function Tried({ tried }: { readonly tried: TriedCheck }) {
  const t = useText();
  const { request, answer, http_status, milliseconds } = tried;
  const sent = request && [
    `${request.method} ${request.url}`,
    ...request.headers.map(({ name, value }) => `${name}: ${value}`),
    ...(request.body === "" ? [] : ["", request.body]),
  ];
  return (
    <dl>
      <dt>{t("master-account.try.read")}</dt>
      <dd>
        <Outcome of={tried} />
      </dd>
      {sent && (
        <>
          <dt>{t("master-account.try.request")}</dt>
          <dd>
            <pre className="mono" dir="ltr" aria-label={t("master-account.try.request")}>
              {sent.join("\n")}
            </pre>
          </dd>
        </>
      )}
      {http_status !== null && (
        <>
          <dt>{t("master-account.try.answer")}</dt>
          <dd>
            <p className="t2">
              <bdi className="mono">HTTP {http_status}</bdi> · {t("master-account.check.took", { shown: formatCount(milliseconds) })}
            </p>
            {answer !== null && answer !== "" && (
              <pre className="mono" dir="ltr" aria-label={t("master-account.try.answer")}>
                {answer}
              </pre>
            )}
          </dd>
        </>
      )}
    </dl>
  );
}
