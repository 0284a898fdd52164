/** Tells screens, caches and panes which rows an act has changed. */
interface RowPublisher {
  changed(subject: string, rows: readonly { uuid: string }[]): void;
  /** Returns the function that stops listening. */
  onChanged(subject: string, handler: (rows: readonly { uuid: string }[]) => void): () => void;
}

export function createRowPublisher(): RowPublisher {
  const handlers = new Map<string, Set<(rows: readonly { uuid: string }[]) => void>>();
  return {
    changed(subject, rows) {
      for (const handler of handlers.get(subject) ?? []) handler(rows);
    },
    onChanged(subject, handler) {
      const set = handlers.get(subject) ?? new Set();
      handlers.set(subject, set.add(handler));
      return () => set.delete(handler);
    },
  };
}
