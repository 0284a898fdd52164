import { useId, useState } from "react";
import { z } from "zod";
import { control } from "../../../contract/controls.ts";
import type { FieldLines } from "../../../contract/problems.ts";
import type { TextControlProps } from "../form/control-props.ts";
import { FieldFrame } from "../form/field-frame.tsx";
import { formField } from "../form/fields.ts";
import { Line } from "../form/line.tsx";
import { Lines } from "../form/lines-controls.tsx";

type FreeTextProps = Pick<TextControlProps, "value" | "placeholder" | "takeRef" | "onWrite"> & {
  readonly label: string;
  /** Only heard, where the page leaves no doubt what is asked. */
  readonly unseenLabel?: boolean;
  readonly hint?: string | null;
  readonly maximum: number;
  /** Lines it begins with; one: Enter makes no other. */
  readonly rows: number;
  /** Why it cannot be taken; left out: it can. */
  readonly wrong?: string | null;
};

/**
 * A text in one's own words, as a question asks it. It has no form session, because it is the whole answer: whoever asked sends it, so that
 * no 422 and no other's change comes back to it. For the same reason typing stops at its maximum.
 */
export function FreeText({ label, unseenLabel = false, hint = null, maximum, rows, wrong = null, ...rest }: FreeTextProps) {
  const id = useId();
  const [field] = useState(() =>
    formField(
      "text",
      z
        .string()
        .max(maximum)
        .meta(control(rows === 1 ? "text" : "lines")),
    ),
  );
  const lines: FieldLines = wrong === null ? {} : { [field.name]: [wrong] };
  const props = { ...rest, id, field, lines, readOnly: false };
  return (
    <FieldFrame id={id} label={label} unseenLabel={unseenLabel} hint={hint} line={wrong ?? ""}>
      {(described) =>
        rows === 1 ? (
          <Line {...props} described={described} more={{ dir: "auto", maxLength: maximum, spellCheck: true }} />
        ) : (
          <Lines {...props} described={described} more={{ rows, dir: "auto", maxLength: maximum, spellCheck: true }} />
        )
      }
    </FieldFrame>
  );
}
