declare global {
  interface Window {
    /** ms from each key press to the frame that shows its effect handed to the compositor. */
    keyTimes: number[];
  }
}

/** As `timeKeys` of the grid's bench, for keys that go into a field: nothing is prevented. */
export function timeTyping(): void {
  window.keyTimes = [];
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
    (event) =>
      requestAnimationFrame(() => {
        waiting.push(event.timeStamp);
        channel.port2.postMessage(0);
      }),
    true,
  );
}
