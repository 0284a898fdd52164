declare global {
  interface Window {
    /** ms from each key press to the frame that shows its effect handed to the compositor. */
    keyTimes: number[];
  }
}

/** Runs `act` on each key and keeps how long the key took to its painted frame, from the event's own time stamp. */
export function timeKeys(act: (event: KeyboardEvent) => void): void {
  window.keyTimes = [];
  const channel = new MessageChannel();
  const waiting: number[] = [];
  // a message posted in a frame callback is delivered after that frame was drawn
  channel.port1.addEventListener("message", () => {
    const now = performance.now();
    for (const start of waiting.splice(0)) window.keyTimes.push(now - start);
  });
  channel.port1.start();
  window.addEventListener("keydown", (event) => {
    event.preventDefault();
    act(event);
    requestAnimationFrame(() => {
      waiting.push(event.timeStamp);
      channel.port2.postMessage(0);
    });
  });
}
