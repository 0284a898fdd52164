import type { FieldLines } from "../../../contract/problems.ts";
import type { FormField } from "./fields.ts";
import type { LinkedNames } from "./linked.ts";
import type { FormWords } from "./rules.ts";

/** What every control is drawn from. It holds no value of its own: what is written is the form's text. */
export interface ControlProps {
  readonly id: string;
  readonly field: FormField;
  /** Where it stands in the form: "name", or of a row's cell "attributes.0.name". */
  readonly path: string;
  readonly value: string;
  /** What is wrong with it, and within it. */
  readonly lines: FieldLines;
  /** Ids of what is said of it: hint, error. */
  readonly described: string | undefined;
  readonly readOnly: boolean;
  /** Set by the form: cannot be changed at all, which its glyph says. */
  readonly locked?: boolean;
  readonly placeholder?: string | undefined;
  readonly words: FormWords;
  readonly linked: LinkedNames;
  /** Takes what gets the focus of the whole control. */
  takeRef(element: HTMLElement | null): void;
  onWrite(text: string): void;
}

export const isWrong = ({ lines }: Pick<ControlProps, "lines">): boolean => Object.keys(lines).length > 0;

/** What every control's focused element says of itself. */
export const saidOf = (props: ControlProps) => ({
  id: props.id,
  "aria-required": props.field.required || undefined,
  "aria-invalid": isWrong(props) || undefined,
  "aria-describedby": props.described,
});
