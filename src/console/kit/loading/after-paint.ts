/** Runs after the next frame is painted; at once where none will be (hidden tab, no page). Returns the function that cancels it. */
export function afterPaint(act: () => void): () => void {
  if (typeof document === "undefined" || document.visibilityState === "hidden") {
    act();
    return () => {};
  }
  let task: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    task = setTimeout(act);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(task);
  };
}
