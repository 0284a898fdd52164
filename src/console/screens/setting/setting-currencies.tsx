import { useRef, useSyncExternalStore } from "react";
import { currencyRoutes } from "../../../contract/currencies.ts";
import { CallFailure } from "../../api/failure.ts";
import { useRead } from "../../api/use-api.ts";
import { Failure } from "../../lists/failure.tsx";
import { FormAlert, useFirstWrong } from "../../kit/form/form-alert.tsx";
import { FormField } from "../../kit/form/form-field.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { currencyFields, currencyWords } from "./currency-work.ts";
import type { CurrencyWork } from "./currency-work.ts";

/** The tenant's currencies, and the form of one more; its decimals are those of ISO 4217. */
export function SettingCurrencies({ work, readOnly }: { work: CurrencyWork; readOnly: boolean }) {
  const t = useText();
  const read = useRead(currencyRoutes.listCurrencies, {});
  const { values, lines, others, refusals } = useSyncExternalStore(work.subscribe, work.getState);
  const form = useRef<HTMLDivElement>(null);
  useFirstWrong(form, refusals);
  if (read.error instanceof CallFailure && read.data === undefined) {
    return <Failure title={t("setting.currency.failed")} failure={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <p className="t2 about">{t("setting.about.currencies")}</p>
      <table className="currencies">
        <thead>
          <tr>
            {currencyFields.map((field) => (
              <th key={field} scope="col">
                {t(`setting.field.currency.${field}`)}
              </th>
            ))}
            <th scope="col">{t("setting.field.currency.minor_digits")}</th>
          </tr>
        </thead>
        <tbody>
          {(read.data?.data ?? []).map(({ code, name, minor_digits, country }) => (
            <tr key={code}>
              <td className="mono">{code}</td>
              <td>
                <bdi>{name}</bdi>
              </td>
              <td>
                <bdi>{country.name}</bdi>
              </td>
              <td>
                <bdi>{country.timezone.gmt}</bdi>
              </td>
              <td>{minor_digits}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <FormAlert wrong={0} others={others} />
      {!readOnly && (
        <div ref={form} className="fields" role="group" aria-label={t("setting.currency.add")}>
          {work.fields.map((field) => (
            <FormField
              key={field.name}
              field={field}
              value={values[field.name] ?? ""}
              lines={lines}
              words={currencyWords(t)}
              linked={work.linked}
              className={field.name === "code" || field.name === "zone" ? "coded" : undefined}
              onWrite={(value) => work.write(field.name, value)}
            />
          ))}
        </div>
      )}
    </>
  );
}
