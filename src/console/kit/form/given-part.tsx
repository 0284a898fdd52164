import { useSyncExternalStore } from "react";
import { useText } from "../texts/texts.ts";
import { readGiven, textOfGiven } from "./codecs.ts";
import type { FormField as Field } from "./fields.ts";
import { FormField } from "./form-field.tsx";
import { givenTexts } from "./given.ts";
import type { FormWords } from "./rules.ts";
import type { FormSession } from "./session.ts";

interface GivenPartProps {
  readonly session: FormSession;
  /** Holds the values of all of them. */
  readonly field: Field;
  readonly words: FormWords;
}

/** The fields that a chosen record brings along, among the form's own; their names are data, so they have no texts. */
export function GivenPart({ session, field: { name }, words }: GivenPartProps) {
  const t = useText();
  const { values, lines } = useSyncExternalStore(session.subscribe, session.getState);
  const given = session.given.of(name);
  if (typeof given === "string" || given.fields.length === 0) {
    const said = given === "none" ? words.hint(name) : given === "loading" ? t("palette.searching") : null;
    return (
      <p className="t2 w2" role="status">
        {said ?? t(given === "failed" ? "form.given.failed" : "form.given.none")}
      </p>
    );
  }
  const texts = givenTexts(given, values[name] ?? "");
  const own: FormWords = {
    label: (path) => path.slice(name.length + 1),
    hint: () => null,
    choice: (_, value) => (value === "true" ? t("form.given.yes") : value === "false" ? t("form.given.no") : value),
  };
  return given.fields.map((field) => (
    <FormField
      key={field.name}
      field={{ ...field, name: `${name}.${field.name}` }}
      value={texts[field.name] ?? ""}
      lines={lines}
      words={own}
      linked={session.linked}
      placeholder={field.example}
      onWrite={(text) =>
        session.write(name, textOfGiven({ ...readGiven(values[name] ?? ""), [field.name]: text }), `${name}.${field.name}`)
      }
    />
  ));
}
