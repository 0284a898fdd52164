import { useEffect, useId, useRef, useSyncExternalStore } from "react";
import { currencyRoutes } from "../../../contract/currencies.ts";
import { CallFailure } from "../../api/failure.ts";
import { useRead } from "../../api/use-api.ts";
import { Failure } from "../../lists/failure.tsx";
import { Icon } from "../../kit/icon.tsx";
import { useText } from "../../kit/texts.ts";
import { currencyFields } from "./currency-work.ts";
import type { CurrencyField, CurrencyWork } from "./currency-work.ts";

/** The tenant's currencies, and the form of one more; its decimals are those of ISO 4217. */
export function SettingCurrencies({ work, readOnly }: { work: CurrencyWork; readOnly: boolean }) {
  const t = useText();
  const read = useRead(currencyRoutes.listCurrencies, {});
  const { draft, lines, other, refusals } = useSyncExternalStore(work.subscribe, work.getState);
  const form = useRef<HTMLDivElement>(null);
  const toldAt = useRef(refusals);
  useEffect(() => {
    if (refusals === toldAt.current) return;
    toldAt.current = refusals;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusals]);
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
      {other !== null && (
        <div className="alert" role="alert">
          <Icon name="warn" size="s" />
          {other}
        </div>
      )}
      {!readOnly && (
        <div ref={form} className="fields" role="group" aria-label={t("setting.currency.add")}>
          {currencyFields.map((field) => (
            <NewField
              key={field}
              field={field}
              value={draft[field]}
              line={lines[field]?.join(" ") ?? null}
              onWrite={(value) => work.write(field, value)}
            />
          ))}
        </div>
      )}
    </>
  );
}

interface NewFieldProps {
  readonly field: CurrencyField;
  readonly value: string;
  readonly line: string | null;
  onWrite(value: string): void;
}

function NewField({ field, value, line, onWrite }: NewFieldProps) {
  const t = useText();
  const id = useId();
  const mono = field === "code" || field === "zone";
  return (
    <div className={line === null ? "f" : "f bad"}>
      <label htmlFor={id}>{t(`setting.field.currency.${field}`)}</label>
      <input
        id={id}
        type="text"
        className={mono ? "bp6-input mono" : "bp6-input"}
        value={value}
        maxLength={mono ? 10 : 60}
        dir={mono ? "ltr" : "auto"}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={line !== null || undefined}
        aria-describedby={line === null ? undefined : `${id}-line`}
        onChange={(event) => onWrite(event.target.value)}
      />
      {line !== null && (
        <span id={`${id}-line`} className="err">
          <Icon name="warn" size="xs" />
          {line}
        </span>
      )}
    </div>
  );
}
