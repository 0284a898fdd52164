import { Checkbox, HTMLSelect, Switch } from "@blueprintjs/core";
import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";
import { splitList } from "./codecs.ts";
import type { ControlProps } from "./control-props.ts";
import { saidOf } from "./control-props.ts";

/** One of a few: the browser's own list, which letters find in. */
export function ChoiceControl(props: ControlProps) {
  const { field, value, path, readOnly, words, takeRef, onWrite } = props;
  const t = useText();
  return (
    <HTMLSelect {...saidOf(props)} ref={takeRef} value={value} disabled={readOnly} fill onChange={(event) => onWrite(event.target.value)}>
      {!field.required && <option value="">{t("record.form.no-choice")}</option>}
      {field.choices.map((choice) => (
        <option key={choice} value={choice}>
          {words.choice(path, choice)}
        </option>
      ))}
    </HTMLSelect>
  );
}

/** Any of a few, each with its box: all of them are seen at once, which MultiSelect's list over the form would hide. */
export function ChoicesControl(props: ControlProps) {
  const { id, field, value, path, readOnly, words, takeRef, onWrite } = props;
  const chosen = splitList(value);
  return (
    <div {...saidOf(props)} aria-required={undefined} role="group" aria-labelledby={`${id}-label`} className="choices">
      {field.choices.map((choice, at) => (
        <Checkbox
          key={choice}
          inputRef={at === 0 ? takeRef : undefined}
          label={words.choice(path, choice)}
          checked={chosen.includes(choice)}
          aria-disabled={readOnly || undefined}
          onChange={(event) => {
            if (readOnly) return;
            const { checked } = event.currentTarget;
            // in the order of the choices, so that the same ones are the same text
            onWrite(field.choices.filter((one) => (one === choice ? checked : chosen.includes(one))).join(", "));
          }}
        />
      ))}
    </div>
  );
}

/** On or off; what cannot be changed stays reachable, so that it can be heard. */
export function SwitchControl(props: ControlProps) {
  const { value, path, readOnly, locked, words, takeRef, onWrite } = props;
  return (
    <Switch
      {...saidOf(props)}
      aria-required={undefined}
      inputRef={takeRef}
      checked={value === "on"}
      aria-disabled={readOnly || undefined}
      labelElement={
        <span className="switch-label">
          <span>{words.label(path)}</span>
          {locked === true && <Icon name="lock" size="xs" />}
        </span>
      }
      onChange={(event) => {
        if (!readOnly) onWrite(event.currentTarget.checked ? "on" : "off");
      }}
    />
  );
}
