import { createStore } from "zustand/vanilla";
import type { Tone } from "../commands/services.ts";

/** A message that was shown to the operator. */
interface Message {
  readonly id: number;
  /** Date.now() */
  readonly at: number;
  readonly tone: Tone;
  readonly title: string | null;
  readonly text: string;
  /** The id of the failed request, for support; null for other messages. */
  readonly requestId: string | null;
  /** It was also shown as a toast. */
  readonly toast: boolean;
}

const logLength = 200;

export interface MessageLog {
  /** Newest first. */
  getState(): readonly Message[];
  subscribe(listener: () => void): () => void;
  /** Shows a text on the status bar and in the live region only. */
  say(text: string, tone: Tone): void;
  /** Shows a toast as well: top right, 5 s, at most 5, newest first (specification, point 9). */
  toast(toast: { title: string; text: string; tone: Tone; requestId?: string | null }): void;
}

export function createMessageLog(): MessageLog {
  const store = createStore<readonly Message[]>()(() => []);
  let last = 0;
  const add = (message: Omit<Message, "id" | "at">): void =>
    store.setState((messages) => [{ ...message, id: ++last, at: Date.now() }, ...messages].slice(0, logLength), true);
  return {
    getState: store.getState,
    subscribe: (listener) => store.subscribe(listener),
    say: (text, tone) => add({ tone, title: null, text, requestId: null, toast: false }),
    toast: ({ title, text, tone, requestId = null }) => add({ tone, title, text, requestId, toast: true }),
  };
}
