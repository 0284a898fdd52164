import { afterPaint } from "./after-paint.ts";

let underWay = 0;
let root: Pick<HTMLElement, "toggleAttribute"> | null = null;
let takeBack = (): void => {};

/** Waits for two paints: one for an answer, and one for what that answer makes the page request. */
function settle(): void {
  takeBack();
  if (underWay > 0) return;
  takeBack = afterPaint(() => {
    takeBack = afterPaint(() => root?.toggleAttribute("data-rest", true));
  });
}

/** Marks the start of a request, or of the wait before it; returns the function that marks its end. */
export function beginWork(): () => void {
  underWay++;
  takeBack();
  root?.toggleAttribute("data-rest", false);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    underWay--;
    settle();
  };
}

/**
 * From now on the element has `data-rest` while nothing is requested or about to be, the live connection (where allowed) is up to
 * date, and everything is painted.
 */
export function markRest(element: Pick<HTMLElement, "toggleAttribute">): void {
  root = element;
  settle();
}
