/** Runs when the frame being prepared has been drawn; at once where none is: in a hidden tab, without a page. Returns what takes it back. */
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
