import type { Page } from "playwright";
import { turn } from "../pace.ts";
import { timeKeys } from "./time-keys.ts";

/** One printed line: what was measured, in ms. */
export interface KeyFigures {
  readonly what: string;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Main-thread work for one key, ms. */
  readonly cpu: number;
  readonly keys: number;
}

/** The value below which `share` of the values lie; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Main-thread work of the page up to now, seconds. */
export async function workMeter(page: Page): Promise<{ read(): Promise<number>; close(): Promise<void> }> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  return {
    read: async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0,
    close: () => session.detach(),
  };
}

/** Presses keys `count` times at a rate, as a held key repeats, and answers what the page measured. */
export async function press(page: Page, what: string, chords: readonly string[], count: number, perSecond: number): Promise<KeyFigures> {
  await page.evaluate(timeKeys);
  const meter = await workMeter(page);
  const before = await meter.read();
  const start = performance.now();
  for (let index = 0; index < count; index++) {
    await turn(start, index, perSecond);
    const chord = chords[index % chords.length] ?? "";
    if (chord.includes("+")) await page.keyboard.press(chord);
    else await page.keyboard.down(chord);
  }
  await page.waitForFunction((expected) => window.keyTimes.length >= expected, count);
  const cpu = ((await meter.read()) - before) * 1000;
  for (const chord of chords) if (!chord.includes("+")) await page.keyboard.up(chord);
  const times = await page.evaluate(() => window.keyTimes);
  await meter.close();
  return { what, p50: quantile(times, 0.5), p95: quantile(times, 0.95), p99: quantile(times, 0.99), cpu: cpu / count, keys: times.length };
}
