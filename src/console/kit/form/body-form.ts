import type { z } from "zod";
import { amountDecimals } from "../look/amounts.ts";
import { emptyText } from "./codecs.ts";
import type { Values } from "./conflict.ts";
import type { FormField, SayRule } from "./fields.ts";
import { checkForm, formFields } from "./fields.ts";
import type { FormDeps } from "./session.ts";
import { FormSession } from "./session.ts";

/** A form whose body has no version: it makes something new, or is about oneself, so nobody else can be faster. */
export interface BodyForm extends Pick<FormDeps, "labelOf" | "refusalOf"> {
  readonly schema: z.ZodType | undefined;
  /** What stands there now, or what something new begins with. */
  readonly values: Values;
  /** Fields that are sent as they are given, and not on the form. */
  readonly given?: Values;
  readonly isNew: boolean;
  readonly say: SayRule;
  send(body: Readonly<Record<string, unknown>>, idempotencyKey: string): Promise<void>;
}

/** The fields of a route's body and the session that writes them. */
export function bodyForm({ schema, values, given = {}, isNew, say, send, ...deps }: BodyForm): {
  readonly fields: readonly FormField[];
  readonly session: FormSession;
} {
  const fields = [...formFields(schema).values()].filter(({ name }) => !(name in given));
  const begun = { ...given, ...Object.fromEntries(fields.map((field) => [field.name, values[field.name] ?? emptyText(field)])) };
  const session = new FormSession(
    {
      ...deps,
      check: (typed) => checkForm(schema, typed, fields, say, amountDecimals()),
      async send(body, key) {
        await send(body, key);
        return { uuid: "", version: 1 }; // what has no version is no row, and nobody asks for it
      },
      shows: (path) => fields.some(({ name }) => name === path.split(".")[0]),
    },
    begun,
    isNew ? null : 1,
  );
  return { fields, session };
}
