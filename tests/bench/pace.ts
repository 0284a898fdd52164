/**
 * Waits for the turn of the `index`-th key of a held or typed row of them, pressed since `start` (ms of performance.now()). Each
 * comes up to a frame later than its turn, a little more each time: 30 a second is every second frame exactly and 12 every
 * fifth, and all presses would meet the frame at one point, which is luck.
 */
export async function turn(start: number, index: number, perSecond: number): Promise<void> {
  const due = start + (index * 1000) / perSecond + ((index * 0.618) % 1) * (1000 / 60);
  await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now())));
}
