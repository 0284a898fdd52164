import type { Page } from "playwright";
import { quantile, workMeter } from "./keys.ts";

/** A wheel turned for five seconds. */
export interface WheelFigures {
  readonly what: string;
  /** ms between frames. */
  readonly p50: number;
  readonly p95: number;
  /** Share of frames that came a whole frame late or more, in percent. */
  readonly dropped: number;
  /** Main-thread work in a second of it, ms. */
  readonly cpu: number;
}

const pixels = 15_000;
const pixelsPerSecond = 3_000;

/** Turns the wheel over the middle of the page. */
export async function turnWheel(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Input.synthesizeScrollGesture", {
    x: 700,
    y: 500,
    yDistance: -pixels,
    speed: pixelsPerSecond,
    gestureSourceType: "mouse",
  });
  await session.detach();
}

/** Frames of the page while the wheel turns; 100 cells in and about the view change each second where the page has a source. */
export async function wheel(page: Page, what: string): Promise<WheelFigures> {
  await page.evaluate(() => {
    const source = "source" in window ? window.source : null;
    const frames: number[] = [];
    let [last, changed, first, running] = [0, 0, 0, true];
    const scroller = document.querySelector(".scroller[role=grid]");
    // read before the rows are written: later it would force a layout the product never pays
    addEventListener("scroll", () => scroller && (first = Math.floor(scroller.scrollTop / 28)), { passive: true, capture: true });
    const look = (now: number) => {
      if (last > 0) frames.push(now - last);
      last = now;
      if (running) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    const ticks = setInterval(() => {
      if (!source) return;
      for (let one = 0; one < 5; one++) {
        const row = source.at(Math.min(source.length - 1, first + ((changed * 7) % 32)));
        if (row) source.patch(row.uuid, { ...row, cells: row.cells.map((cell, at) => (at === 2 ? String(changed) : cell)) });
        changed += 1;
      }
    }, 50);
    Object.assign(window, {
      endWheel: () => {
        running = false;
        clearInterval(ticks);
        return frames;
      },
    });
  });
  const meter = await workMeter(page);
  const [before, began] = [await meter.read(), performance.now()];
  await turnWheel(page);
  const cpu = (((await meter.read()) - before) * 1000) / ((performance.now() - began) / 1000);
  await meter.close();
  const frames = await page.evaluate(() => (window as unknown as { endWheel(): number[] }).endWheel()); // put there above
  const late = frames.filter((ms) => ms > 25).length;
  return { what, p50: quantile(frames, 0.5), p95: quantile(frames, 0.95), dropped: (late / Math.max(1, frames.length)) * 100, cpu };
}

/** Script heap after a collection, MB. */
export async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 1e6;
}
