import type { Page } from "playwright";
import { turnWheel } from "./wheel.ts";

/** Rows in view that were not there, as painted and as read. */
export interface BlankFigures {
  readonly what: string;
  /** Frames the compositor handed out while the wheel turned, and those that showed a place without its row. */
  readonly frames: number;
  readonly blankFrames: number;
  /** Share of the view without its row over all those frames, percent. */
  readonly blankShare: number;
  /** 300 ms after the wheel: the same share, and rows in view whose cells do not say what the source says. */
  readonly restShare: number;
  readonly restRows: number;
}

/** What lies behind the rows; no row is that colour. */
const behind = ".grid .rows, .grid > .scroller { background: #f0f !important; }";

/**
 * Turns the wheel once more, untimed, and judges the pictures the compositor made: behind the rows lies a colour no row
 * has, so that wherever it is seen a row was missing on the screen, whatever the document said.
 */
export async function findBlanks(page: Page, what: string): Promise<BlankFigures> {
  // a sheet made by script: the product's policy forbids a style element
  await page.evaluate(async (css) => {
    const sheet = await new CSSStyleSheet().replace(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }, behind);
  const session = await page.context().newCDPSession(page);
  const pictures: string[] = [];
  session.on("Page.screencastFrame", ({ data, sessionId }) => {
    pictures.push(data);
    void session.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined); // the last come after the session
  });
  await session.send("Page.startScreencast", { format: "jpeg", quality: 60, maxWidth: 800, maxHeight: 450, everyNthFrame: 1 });
  await turnWheel(page);
  await session.send("Page.stopScreencast");
  await session.detach();
  await page.waitForTimeout(300);
  const rest = (await page.screenshot({ type: "jpeg" })).toString("base64");
  const restRows = await page.evaluate(wrongRows);
  await page.evaluate(() => void (document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1)));
  const judge = await page.context().browser()?.newPage();
  if (!judge) throw new Error("the browser has gone");
  const shares = await judge.evaluate(blankShares, [...pictures, rest]);
  await judge.close();
  const moving = shares.slice(0, -1);
  return {
    what,
    frames: moving.length,
    blankFrames: moving.filter((share) => share > 0).length,
    blankShare: (moving.reduce((sum, share) => sum + share, 0) / Math.max(1, moving.length)) * 100,
    restShare: (shares.at(-1) ?? 0) * 100,
    restRows,
  };
}

/** Runs in a page: of each picture, the share of its height where the colour behind the rows is seen a quarter across. */
async function blankShares(pictures: readonly string[]): Promise<number[]> {
  const shares: number[] = [];
  for (const picture of pictures) {
    const bytes = Uint8Array.from(atob(picture), (character) => character.codePointAt(0) ?? 0);
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
    const context = new OffscreenCanvas(1, bitmap.height).getContext("2d");
    if (!context) throw new Error("no canvas");
    context.drawImage(bitmap, -Math.floor(bitmap.width / 4), 0);
    const { data } = context.getImageData(0, 0, 1, bitmap.height);
    let seen = 0;
    for (let y = 0; y < bitmap.height; y++) {
      const [red = 0, green = 0, blue = 0] = data.subarray(4 * y, 4 * y + 3);
      if (red > 180 && blue > 180 && green < 100) seen += 1;
    }
    shares.push(seen / bitmap.height);
    bitmap.close();
  }
  return shares;
}

/** Runs in the page: places in view where another row stands than belongs there, or where a cell does not show its row's text. */
function wrongRows(): number {
  const scroller = document.querySelector(".scroller[role=grid]");
  const header = document.querySelector(".head-rows");
  if (!scroller || !header) return 0;
  const { left, bottom, width } = scroller.getBoundingClientRect();
  const source = "source" in window ? window.source : null;
  let [wrong, expected] = [0, -1];
  for (let y = header.getBoundingClientRect().bottom + 14; y < bottom - 14; y += 28) {
    const row = document.elementFromPoint(left + width / 4, y)?.closest<HTMLElement>(".rows > .row");
    const index = row ? Number(row.ariaRowIndex) - 2 : -1;
    if (expected >= 0 && index !== expected) wrong += 1;
    else if (index < 0) wrong += 1;
    else if (row && source) {
      const texts = source.at(index)?.cells ?? [];
      const stale = [...row.querySelectorAll(".cell:not(.mono)")].some((cell) => {
        const { left: x, right } = cell.getBoundingClientRect();
        return right > left && x < left + width && cell.textContent !== texts[Number(cell.ariaColIndex) - 2];
      });
      if (stale) wrong += 1;
    }
    expected = index < 0 ? -1 : index + 1;
  }
  return wrong;
}
