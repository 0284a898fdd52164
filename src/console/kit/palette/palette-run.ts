import type { Context } from "../commands/context.ts";
import type { Kit } from "../kit.ts";
import type { PaletteQuestion } from "./palette-store.ts";
import type { OpenQuestion } from "../sheets/questions.ts";
import type { Ran } from "../commands/registry.ts";

type Reply = Parameters<PaletteQuestion["answer"]>[0];

/** A question that was answered, with its answer and the text typed. */
interface Step {
  readonly answer: Reply;
  readonly written: string;
}

type Deps = Pick<Kit, "registry" | "palette" | "questions" | "context" | "onRan">;

/** Whether the palette can ask it; money, irreversible acts and texts of several lines keep their sheets. */
function asPage(question: OpenQuestion): PaletteQuestion["question"] | null {
  // a page is confirmed by plain Enter
  if (question.kind === "choice") return question.asked.money === true ? null : question;
  if (question.kind === "reason") return question;
  return question.kind === "text" && question.asked.hint !== undefined ? question : null;
}

/** Whether a sheet is open, so that the next question belongs over it. The palette itself closes with the next paint. */
function coversPage({ context }: Deps): boolean {
  const { dialog } = context.read();
  return dialog !== null && dialog.name !== "palette";
}

/** Answers in the question's own form. */
function giveAnswer(question: PaletteQuestion["question"], { id, text }: Reply): void {
  if (question.kind === "reason") question.answer(id === "other" ? { code: id, text } : { code: id });
  else question.answer(question.kind === "choice" ? id : text);
}

/**
 * Runs a command that was started in the palette, with each of its questions as a page. Going back to an earlier page ends the
 * command and runs it again with the earlier answers; that is safe only while nothing but questions has happened. Otherwise, and
 * from the first page, back leads to the list. `behind` is the text typed in that list.
 */
export function runFromPalette(kit: Deps, id: string, context: Context, behind: string): Promise<Ran> {
  return run(kit, id, context, behind, [], null);
}

async function run(
  kit: Deps,
  id: string,
  context: Context,
  behind: string,
  replayed: readonly Step[],
  written: string | null,
): Promise<Ran> {
  const { registry, palette, questions } = kit;
  const steps: Step[] = [];
  let again: { readonly steps: readonly Step[]; readonly written: string } | null = null;
  // a server's answer takes a task of its own, so a question in the same task depends only on the answer before it
  let sameTask = true;
  const mark = (): void => {
    sameTask = true;
    setTimeout(() => (sameTask = false));
  };

  const stopTaking = (): void => {
    questions.divert(null);
    stopWatching();
  };
  // once another command has run, questions may belong to that one
  const stopWatching = kit.onRan((command) => command.id === id || stopTaking());

  questions.divert((open) => {
    const question = asPage(open);
    if (question === null || coversPage(kit)) return false;
    if (!sameTask) steps.length = 0;
    const before = sameTask ? replayed[steps.length] : undefined;
    if (before !== undefined) {
      steps.push(before);
      queueMicrotask(() => {
        mark();
        giveAnswer(question, before.answer);
      });
      return true;
    }
    let settled = false;
    const settle = (act: () => void): void => {
      if (settled) return;
      settled = true;
      stopFollowing();
      act();
    };
    const page: PaletteQuestion = {
      question,
      written: written ?? (question.kind === "text" ? question.asked.initial : ""),
      answer: (given) =>
        settle(() => {
          steps.push({ answer: given, written: palette.getState().text });
          palette.close();
          mark();
          giveAnswer(question, given);
        }),
      back: () =>
        settle(() => {
          const last = steps.at(-1);
          if (last === undefined) palette.open(context, behind);
          else {
            again = { steps: steps.slice(0, -1), written: last.written };
            palette.close();
          }
          question.answer(null);
        }),
    };
    written = null;
    palette.ask(context, page, behind);
    // closed from elsewhere (a click beside it, another tenant): the question is cancelled too
    const stopFollowing = palette.subscribe(() => {
      if (palette.getState().question !== page) settle(() => question.answer(null));
    });
    return true;
  });

  mark();
  let ran: Ran = "ran";
  let ending: Promise<Ran> | null = null;
  palette.from(behind, () => (ending = registry.run(id, "palette", { ...context, now: performance.now() })));
  try {
    ran = (await ending) ?? ran;
  } finally {
    stopTaking();
  }
  const next = again as { readonly steps: readonly Step[]; readonly written: string } | null; // may have been set by a page meanwhile
  return next === null ? ran : run(kit, id, context, behind, next.steps, next.written);
}
