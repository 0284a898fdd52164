/** Outermost last; palette and dialogs come before all, because they hide the page's keys. One step per press. */
const rungs = ["tooltip", "menu", "cell-editor", "filter-text", "field", "detail", "selection", "queue"] as const;
export type Rung = (typeof rungs)[number];

export interface EscapeLadder {
  /** `step` returns whether there was anything to step out of; the one registered last is asked first. */
  register(rung: Rung, step: () => boolean): () => void;
  /** Takes one step out; false when there is none. It never decides, discards a form or signs out. */
  escape(): boolean;
}

export function createEscapeLadder(): EscapeLadder {
  const steps: { rung: Rung; step: () => boolean }[] = [];
  return {
    register(rung, step) {
      const entry = { rung, step };
      steps.unshift(entry);
      return () => void steps.splice(steps.indexOf(entry), 1);
    },
    escape: () => rungs.some((rung) => steps.filter((entry) => entry.rung === rung).some(({ step }) => step())),
  };
}
