import type { QuestionKind, Questions } from "../commands/services.ts";

/** Props of every sheet: the question, and where its answer goes (null: left by Esc). */
export interface SheetProps<K extends QuestionKind> {
  readonly asked: Questions[K]["asked"];
  answer(answer: Questions[K]["answer"] | null): void;
}
