import { useRef, useSyncExternalStore } from "react";
import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";
import { FormAlert, useFirstWrong } from "./form-alert.tsx";
import { FormField } from "./form-field.tsx";
import { GivenPart } from "./given-part.tsx";
import type { FormField as Field } from "./fields.ts";
import { useKit } from "../use-kit.ts";
import type { FormWords } from "./rules.ts";
import type { FormSession } from "./session.ts";
import { shownValue } from "./shown-value.ts";
import "./form.css";

export interface FormGroup {
  readonly title: string;
  readonly fields: readonly Field[];
}

/** A field that this form cannot change. */
export interface FixedField {
  readonly field: Field;
  readonly value: string;
  /** Why not, and who can. */
  readonly note?: string;
}

interface FormBodyProps {
  readonly session: FormSession;
  readonly groups: readonly FormGroup[];
  readonly words: FormWords;
  /** What was set when it was created, and what it is. */
  readonly fixed?: readonly FixedField[];
  /** Gets the focus first. */
  readonly first?: { current: HTMLElement | null };
}

/** All fields of a form in their groups, under what is wrong with it; a refused save leads to the first wrong field. */
export function FormBody({ session, groups, words, fixed = [], first }: FormBodyProps) {
  const t = useText();
  const { sources } = useKit();
  const time = (instant: string): string => sources.writeMoment?.(instant) ?? instant;
  const { values, lines, others, refusals } = useSyncExternalStore(session.subscribe, session.getState);
  const body = useRef<HTMLDivElement>(null);
  useFirstWrong(body, refusals);
  const [start, ...more] = groups.flatMap(({ fields }) => fields);
  const alone = more.length === 0 && start?.rows.length === 0;
  return (
    <div ref={body} className="form-body">
      <FormAlert wrong={alone ? 0 : Object.keys(lines).length} others={others} />
      {fixed.length > 0 && (
        <fieldset>
          <legend>{t("record.form.fixed")}</legend>
          {fixed.map(({ field, value, note }) => (
            <div key={field.name} className="field">
              <span className="lb">{words.label(field.name)}</span>
              <span className="in1 fix">
                <bdi className="cut">{shownValue(field, value, words, { linked: session.linked, time })}</bdi>
                <Icon name="lock" size="xs" className="end" />
              </span>
              {note !== undefined && <span className="note">{note}</span>}
            </div>
          ))}
        </fieldset>
      )}
      {groups.map(({ title, fields }) => (
        <fieldset key={title}>
          <legend>{title}</legend>
          {fields.map((field) =>
            field.control === "given" ? (
              <GivenPart key={field.name} session={session} field={field} words={words} />
            ) : (
              <FormField
                key={field.name}
                field={field}
                value={values[field.name] ?? ""}
                lines={lines}
                words={words}
                placeholder={words.example?.(field.name) ?? undefined}
                linked={session.linked}
                form={{ values, saved: session.origin.values }}
                alone={alone}
                {...(field.fixed && session.isNew && { note: t("record.form.fixed-later") })}
                {...(field === start && first !== undefined && { takeRef: (element) => void (first.current = element) })}
                onWrite={(value) => session.write(field.name, value)}
              />
            ),
          )}
        </fieldset>
      ))}
    </div>
  );
}
