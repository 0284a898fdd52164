import type { z } from "zod";
import type { FieldLines } from "../../contract/problems.ts";
import { CallFailure } from "../api/failure.ts";
import { reasonOf, refusalOf } from "../api/refusal.ts";
import type { Values } from "../kit/form/conflict.ts";
import type { FormField } from "../kit/form/fields.ts";
import { formField } from "../kit/form/fields.ts";
import type { Refusal } from "../kit/form/session.ts";
import { FormSession } from "../kit/form/session.ts";

/** Problem code → the field it speaks of. */
type Blames = Readonly<Record<string, string>>;

export interface StepForm {
  readonly fields: readonly FormField[];
  /** What stands in its fields at first; left out: nothing. */
  readonly begun?: Values;
  readonly blames?: Blames;
  /** What can be said before the server is asked, which judges by all of its rules; left out: nothing. */
  check?(values: Values): FieldLines;
  send(values: Values): Promise<void>;
}

/** A field of a step; none is marked as one to fill in, because a step asks for nothing else than what it shows. */
export const stepField = (name: string, schema: z.ZodType): FormField => ({ ...formField(name, schema), required: false });

/** The form session of a step: sign-in, a new password, a proof of who one is. `draw` tells it the step as it was drawn last. */
export function stepSession(step: StepForm): { readonly session: FormSession; draw(step: StepForm): void } {
  const { fields, begun = {}, blames = {} } = step;
  let latest = step;
  const names = fields.map(({ name }) => name);
  const session = new FormSession(
    {
      isAct: true,
      check(values) {
        const lines = latest.check?.(values) ?? {};
        return Object.keys(lines).length > 0 ? { lines } : { body: values };
      },
      async send(body) {
        await latest.send(body as Values); // as `check` has let it through
        return { uuid: "", version: 1 }; // what is no record is no row, and nobody asks for it
      },
      shows: (name) => names.includes(name),
      labelOf: (name) => name,
      refusalOf: (error) => stepRefusal(error, names, blames),
    },
    Object.fromEntries(names.map((name) => [name, begun[name] ?? ""])),
    null,
  );
  return {
    session,
    draw(drawn) {
      latest = drawn;
    },
  };
}

/** A refusal at the fields it speaks of, else for the whole step. */
function stepRefusal(error: unknown, names: readonly string[], blames: Blames): Refusal {
  const failure = error instanceof CallFailure ? error : new CallFailure("unexpected");
  const refusal = refusalOf(failure);
  const lines = Object.entries(refusal.lines).filter(([name]) => names.includes(name));
  if (lines.length > 0) return { ...refusal, lines: Object.fromEntries(lines) };
  const words = reasonOf(failure);
  const blamed = blames[failure.code];
  return { ...refusal, words, lines: blamed === undefined ? {} : { [blamed]: [words] } };
}
