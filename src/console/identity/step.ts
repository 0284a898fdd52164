import { useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import type { FormField } from "../kit/form/fields.ts";
import { linesOf } from "../kit/form/fields.ts";
import { useFirstWrong } from "../kit/form/form-alert.tsx";
import type { StepForm } from "./step-session.ts";
import { stepSession } from "./step-session.ts";

/** A step being sent. What was typed stays with the step; a wrong field takes the focus. */
export function useStep(step: StepForm) {
  const [{ session, draw }] = useState(() => stepSession(step));
  useLayoutEffect(() => draw(step));
  const { values, lines, others, saving, refusals } = useSyncExternalStore(session.subscribe, session.getState);
  const form = useRef<HTMLFormElement>(null);
  useFirstWrong(form, refusals);

  /** A field typed in is no longer wrong, nor is the whole; other fields' errors stay. */
  const type = ({ name }: FormField, written: string): void => {
    session.write(name, written);
    session.dropOthers();
  };
  return {
    /** To be put on the form. */
    form,
    values,
    others,
    busy: saving,
    type,
    /** Empties a field without a hand of the user's, so what is wrong with the step is still said. */
    clear: ({ name }: FormField): void => session.write(name, ""),
    /** What a field of it is drawn from. */
    propsOf: (field: FormField) => ({
      field,
      value: values[field.name] ?? "",
      lines: linesOf(field, lines),
      onWrite: (written: string) => type(field, written),
    }),
    /** unsent: it is wrong as it stands, or on its way already. */
    async submit(): Promise<"done" | "refused" | "unsent"> {
      if (session.getState().saving) return "unsent";
      const coming = session.save();
      const isSent = session.getState().saving;
      return (await coming) !== "open" ? "done" : isSent ? "refused" : "unsent";
    },
  };
}
