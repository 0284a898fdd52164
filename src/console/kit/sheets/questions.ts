import { createStore } from "zustand/vanilla";
import type { QuestionKind, Questions } from "../commands/services.ts";

/** An open question, which the sheets draw. */
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
  /** Cancels all questions, including diverted ones, because the screen they belong to is gone. */
  dismiss(): void;
  /** Offers each new question to `taker` first; one it takes has no sheet. null ends that. */
  divert(taker: Taker | null): void;
}

/** Returns whether it shows the question itself. */
type Taker = (question: OpenQuestion) => boolean;

export function createQuestionHost(): QuestionHost {
  const store = createStore<readonly OpenQuestion[]>()(() => []);
  const taken = new Set<OpenQuestion>();
  let taker: Taker | null = null;
  let last = 0;
  return {
    getState: store.getState,
    subscribe: (listener) => store.subscribe(listener),
    ask<K extends QuestionKind>(kind: K, asked: Questions[K]["asked"]) {
      return new Promise<Questions[K]["answer"] | null>((resolve) => {
        const id = ++last;
        const answer = (given: Questions[K]["answer"] | null): void => {
          store.setState((open) => (open.includes(question) ? open.filter((other) => other !== question) : open), true);
          taken.delete(question);
          resolve(given);
        };
        const question = { id, kind, asked, answer } as unknown as OpenQuestion; // kind and asked come from the same K
        if (taker?.(question) === true) taken.add(question);
        else store.setState((open) => [...open, question], true);
      });
    },
    dismiss: () => [...store.getState(), ...taken].forEach((question) => question.answer(null)),
    divert(next) {
      taker = next;
    },
  };
}

/** Asked before typed text is discarded. */
export const discardQuestion = {
  title: "record.ask.discard",
  text: "record.ask.discard-text",
  words: {},
  buttons: { yes: "record.ask.discard-yes", no: "record.ask.discard-no" },
} as const satisfies Questions["confirm"]["asked"];
