import { createStore } from "zustand/vanilla";
import type { QuestionKind, Questions } from "./services.ts";

/** A question on the screen; the sheets draw it. */
export type OpenQuestion = {
  [K in QuestionKind]: {
    readonly id: number;
    readonly kind: K;
    readonly asked: Questions[K]["asked"];
    answer(answer: Questions[K]["answer"] | null): void;
  };
}[QuestionKind];

export interface QuestionHost {
  /** Oldest first; the last is on top. */
  getState(): readonly OpenQuestion[];
  subscribe(listener: () => void): () => void;
  /** Resolves with the answer, or null on Esc. */
  ask<K extends QuestionKind>(kind: K, asked: Questions[K]["asked"]): Promise<Questions[K]["answer"] | null>;
  /** Answers all with null: the screen they belong to is gone. */
  dismiss(): void;
}

export function createQuestionHost(): QuestionHost {
  const store = createStore<readonly OpenQuestion[]>()(() => []);
  let last = 0;
  return {
    getState: store.getState,
    subscribe: (listener) => store.subscribe(listener),
    ask<K extends QuestionKind>(kind: K, asked: Questions[K]["asked"]) {
      return new Promise<Questions[K]["answer"] | null>((resolve) => {
        const id = ++last;
        const answer = (given: Questions[K]["answer"] | null): void => {
          store.setState((open) => open.filter((question) => question.id !== id), true);
          resolve(given);
        };
        const question = { id, kind, asked, answer } as unknown as OpenQuestion; // kind and asked come from the same K
        store.setState((open) => [...open, question], true);
      });
    },
    dismiss: () => store.getState().forEach((question) => question.answer(null)),
  };
}
