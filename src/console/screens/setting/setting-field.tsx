import { instantTitle } from "../../api/instant.tsx";
import { useFormats } from "../../api/use-api.ts";
import type { FieldLines } from "../../../contract/problems.ts";
import { FormField } from "../../kit/form/form-field.tsx";
import type { LinkedNames } from "../../kit/form/linked.ts";
import { ownWay } from "../../kit/look/printed-page.ts";
import { useText } from "../../kit/texts/texts.ts";
import type { SettingField } from "./setting-fields.ts";
import { fieldLabel, writtenValue } from "./setting-fields.ts";

export interface FieldProps {
  readonly setting: SettingField;
  readonly value: string;
  /** What holds where nothing is set. */
  readonly standard: string;
  /** Written and not saved. */
  readonly changed: boolean;
  /** Who changed it last. */
  readonly by: { readonly by: string; readonly at: string } | null;
  /** What is wrong with the settings, by field. */
  readonly lines: FieldLines;
  readonly linked: LinkedNames;
  readonly readOnly: boolean;
  /** What stands in for an empty text. */
  readonly placeholder: string | undefined;
  onWrite(value: string): void;
}

/** One setting as a form's field, with its default, who changed it last, and a mark while it is not saved. */
export function Field({ setting, standard, changed, by, readOnly, ...rest }: FieldProps) {
  const t = useText();
  const formats = useFormats();
  const { name, field, unit, wide, fixed, part } = setting;
  const last = by === null ? "" : t("setting.last", { name: ownWay(by.by), time: ownWay(formats.time(by.at)) });
  return (
    <FormField
      {...rest}
      field={field}
      readOnly={readOnly || fixed === true}
      locked={fixed === true}
      unit={unit && t(unit)}
      className={[wide && "wide", changed && "changed"].filter(Boolean).join(" ")}
      words={{ label: (path) => fieldLabel(t, path), hint: () => null, choice: (_, value) => value }}
      note={
        <>
          {changed && <b className="dirty">{t("setting.changed")}</b>}
          {fixed !== true && part !== "reject_reasons" && (
            <span className="cut">{t("setting.default", { value: writtenValue(t, name, standard) })}</span>
          )}
          {fixed === true && <span className="cut">{t("setting.always")}</span>}
          {by !== null && (
            <span className="cut by" title={`${last} · ${instantTitle(formats, by.at, "whole")}`}>
              {last}
            </span>
          )}
        </>
      }
    />
  );
}
