import { useEffect, useRef, useState } from "react";
import { CallFailure, dataLines, describeFailure } from "../api/failure.ts";
import { problemText } from "../kit/messages/problem-text.ts";
import { text } from "../kit/texts/texts.ts";

/** Field → what is wrong with it; `all`: with none in particular. */
export type Wrong = Readonly<Record<string, string | undefined>>;

/** Problem code → the field it speaks of. */
type Blames = Readonly<Record<string, string>>;

/**
 * The refusal in the page's language: at the fields it speaks of, else for all. Of a 422 without data the catalogue's toast says
 * "Unprocessable Entity" only; here stands what the server said.
 */
function wrongOf(error: unknown, fields: readonly string[], blames: Blames = {}): Wrong {
  const failure = error instanceof CallFailure ? error : new CallFailure("unexpected");
  // the user turned back
  if (failure.kind === "aborted") return {};
  if (failure.status === 422 && typeof failure.data === "object" && failure.data !== null) {
    const named = Object.entries(failure.data).filter(([field]) => fields.includes(field));
    if (named.length > 0) return Object.fromEntries(named.map(([field, lines]) => [field, dataLines({ [field]: lines }).join(" ")]));
  }
  const { title, text: described } = describeFailure(failure, { text, problem: problemText });
  const said = dataLines(failure.data).length === 0 ? (problemText(failure.code, failure.data) ?? failure.serverMessage) : "";
  return { [blames[failure.code] ?? "all"]: said || described || title };
}

/** A step being sent: what is wrong, whether it is on its way. What was typed stays with the step; a wrong field takes the focus. */
export function useStep(fields: readonly string[], blames: Blames = {}) {
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<Wrong>({});
  const [refusals, setRefusals] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const field = refusals > 0 ? form.current?.querySelector("input[aria-invalid=true]") : null;
    if (field instanceof HTMLInputElement) field.focus();
  }, [refusals]);

  const refuse = (found: Wrong): void => {
    setWrong(found);
    setRefusals((count) => count + 1);
  };
  return {
    /** To be put on the form. */
    form,
    busy,
    wrong,
    refuse,
    clear: () => setWrong({}),
    /** A field typed in is no longer wrong; the others' errors stay. */
    mend: (field: string) => setWrong((before) => ({ ...before, [field]: undefined, all: undefined })),
    /** True where it went through. */
    async send(act: () => Promise<void>): Promise<boolean> {
      if (busy) return false;
      setBusy(true);
      setWrong({});
      try {
        await act();
        return true;
      } catch (error) {
        refuse(wrongOf(error, fields, blames));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
