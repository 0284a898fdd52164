import type { FieldLines } from "../../../contract/problems.ts";
import type { Values } from "./conflict.ts";
import type { FormField } from "./fields.ts";
import type { LinkedNames } from "./linked.ts";
import type { FormWords } from "./rules.ts";

/** What a control of one text is drawn from, in a form or alone. It holds no value of its own: what is written is the form's text. */
export interface TextControlProps {
  readonly id: string;
  readonly field: FormField;
  readonly value: string;
  /** What is wrong with it, and within it. */
  readonly lines: FieldLines;
  /** Ids of what is said of it: hint, error. */
  readonly described: string | undefined;
  readonly readOnly: boolean;
  readonly placeholder?: string | undefined;
  /** Takes what gets the focus of the whole control. */
  takeRef(element: HTMLElement | null): void;
  onWrite(text: string): void;
}

/** What every control of a form is drawn from. */
export interface ControlProps extends TextControlProps {
  /** Where it stands in the form: "name", or of a row's cell "attributes.0.name". */
  readonly path: string;
  /** Set by the form: cannot be changed at all, which its glyph says. */
  readonly locked?: boolean;
  readonly words: FormWords;
  readonly linked: LinkedNames;
  /** The form it stands in: what is written, and what is saved; left out where it stands alone. */
  readonly form?: { readonly values: Values; readonly saved: Values } | undefined;
}

export const isWrong = ({ lines }: Pick<TextControlProps, "lines">): boolean => Object.keys(lines).length > 0;

/** What every control's focused element says of itself. */
export const saidOf = (props: TextControlProps) => ({
  id: props.id,
  "aria-required": props.field.required || undefined,
  "aria-invalid": isWrong(props) || undefined,
  "aria-describedby": props.described,
});
