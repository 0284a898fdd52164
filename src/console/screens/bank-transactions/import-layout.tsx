import { HTMLSelect } from "@blueprintjs/core";
import { useId } from "react";
import type { BankField, BankLayout, LayoutQuestion } from "../../../contract/bank-layouts.ts";
import { bankFields, dateOrders, decimalMarks, delimiters, fileEncodings } from "../../../contract/bank-layouts.ts";
import type { BankImport } from "../../../contract/bank-imports.ts";
import type { MessageKey } from "../../kit/texts/messages.ts";
import { useText } from "../../kit/texts/texts.ts";

interface ImportLayoutProps {
  readonly file: BankImport;
  onChange(change: Partial<BankLayout>): void;
}

/** How a staged file is read: what only a person can tell comes first and says so, the rest may be corrected. */
export function ImportLayout({ file, onChange }: ImportLayoutProps) {
  const t = useText();
  const { layout, questions, sheets } = file;
  const asks = (question: LayoutQuestion): string | null => (questions.includes(question) ? t(`bank-line.question.${question}`) : null);
  return (
    <>
      {file.is_remembered && questions.length === 0 && <p className="t2">{t("bank-line.import.remembered")}</p>}
      <div className="statement-layout">
        {layout.encoding !== null && (
          <Choice
            label={t("bank-line.layout.encoding")}
            asked={asks("encoding")}
            value={layout.encoding}
            options={fileEncodings.map((id) => [id, id.toUpperCase()])}
            onChange={(encoding) => onChange({ encoding })}
          />
        )}
        {layout.delimiter !== null && (
          <Choice
            label={t("bank-line.layout.delimiter")}
            asked={null}
            value={layout.delimiter}
            options={delimiters.map((id) => [id, t(`bank-line.delimiter.${id}`)])}
            onChange={(delimiter) => onChange({ delimiter })}
          />
        )}
        {layout.sheet !== null && sheets.length > 1 && (
          <Choice
            label={t("bank-line.layout.sheet")}
            asked={null}
            value={String(layout.sheet)}
            options={sheets.map((name, place) => [String(place), name])}
            onChange={(place) => onChange({ sheet: Number(place) })}
          />
        )}
        <Choice
          label={t("bank-line.layout.date_order")}
          asked={asks("date_order")}
          value={layout.date_order}
          options={dateOrders.map((id) => [id, t(`bank-line.date_order.${id}`)])}
          onChange={(date_order) => onChange({ date_order })}
        />
        <Choice
          label={t("bank-line.layout.decimal")}
          asked={asks("decimal")}
          value={layout.decimal}
          options={decimalMarks.map((id) => [id, id === "." ? "1,234.56" : "1.234,56"])}
          onChange={(decimal) => onChange({ decimal })}
        />
        {(layout.unsigned !== null || questions.includes("unsigned")) && (
          <Choice
            label={t("bank-line.layout.unsigned")}
            asked={asks("unsigned")}
            value={layout.unsigned}
            options={(["credit", "debit"] as const).map((id) => [id, t(`bank-line.direction.${id}`)])}
            onChange={(unsigned) => onChange({ unsigned })}
          />
        )}
      </div>
      {questions.includes("columns") && <p className="warn">{t("bank-line.question.columns")}</p>}
      <Columns file={file} onChange={onChange} />
    </>
  );
}

interface ChoiceProps<Id extends string> {
  readonly label: string;
  /** The open question this answers; null: none. */
  readonly asked: string | null;
  readonly value: Id | null;
  readonly options: readonly (readonly [id: Id, text: string])[];
  onChange(id: Id): void;
}

function Choice<Id extends string>({ label, asked, value, options, onChange }: ChoiceProps<Id>) {
  const id = useId();
  const t = useText();
  return (
    <div className={asked === null ? "field" : "field bad"}>
      <label htmlFor={id}>{label}</label>
      <HTMLSelect
        id={id}
        fill
        value={value ?? ""}
        aria-invalid={asked === null ? undefined : true}
        aria-describedby={asked === null ? undefined : `${id}-asked`}
        onChange={({ currentTarget }) => {
          const chosen = options.find(([one]) => one === currentTarget.value);
          if (chosen) onChange(chosen[0]);
        }}
      >
        {value === null && <option value="">{t("record.form.no-choice")}</option>}
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </HTMLSelect>
      {asked !== null && (
        <span id={`${id}-asked`} className="err">
          {asked}
        </span>
      )}
    </div>
  );
}

const fieldKey = (field: BankField): MessageKey => `bank-line.column.${field}`;

/** The first rows as they stand in the file, and above each column what it holds. */
function Columns({ file: { head, layout }, onChange }: ImportLayoutProps) {
  const t = useText();
  const width = Math.max(layout.columns.length, ...head.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, place) => layout.columns[place] ?? null);
  return (
    <div className="statement-columns" role="group" aria-label={t("bank-line.layout.columns")}>
      <table className="tbl">
        <thead>
          <tr>
            {columns.map((field, place) => (
              <th key={place} scope="col">
                <HTMLSelect
                  aria-label={t("bank-line.layout.column", { n: place + 1 })}
                  value={field ?? ""}
                  onChange={({ currentTarget: { value } }) => {
                    const chosen = bankFields.find((one) => one === value) ?? null;
                    // one field stands in one column
                    onChange({ columns: columns.map((one, at) => (at === place ? chosen : one === chosen ? null : one)) });
                  }}
                >
                  <option value="">{t("bank-line.column.none")}</option>
                  {bankFields.map((one) => (
                    <option key={one} value={one}>
                      {t(fieldKey(one))}
                    </option>
                  ))}
                </HTMLSelect>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {head.map(({ n, cells }) => (
            <tr key={n} className={n === layout.header ? "strong" : undefined}>
              {columns.map((_, place) => (
                <td key={place} title={cells[place]}>
                  <bdi>{cells[place] ?? ""}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
