declare global {
  interface Window {
    /** ms from each key press to the frame that shows its effect handed to the compositor. */
    keyTimes: number[];
  }
}

/**
 * Keeps how long each key took to its painted frame, from the event's own time stamp; prevents nothing. Runs in the page, of any
 * kind: nothing but its own text may be used here.
 */
export function timeKeys(): void {
  const known = "keyTimes" in window;
  window.keyTimes = [];
  if (known) return;
  const channel = new MessageChannel();
  const waiting: number[] = [];
  // a message posted in a frame callback is delivered after that frame was drawn
  channel.port1.addEventListener("message", () => {
    const now = performance.now();
    for (const start of waiting.splice(0)) window.keyTimes.push(now - start);
  });
  channel.port1.start();
  window.addEventListener(
    "keydown",
    ({ timeStamp, key }) => {
      if (key === "Control") return; // half a chord
      requestAnimationFrame(() => {
        waiting.push(timeStamp);
        channel.port2.postMessage(0);
      });
    },
    true,
  );
}

/** Runs `act` on each key, and nothing else does. */
export function onKeys(act: (event: KeyboardEvent) => void): void {
  window.addEventListener("keydown", (event) => {
    event.preventDefault();
    act(event);
  });
}
