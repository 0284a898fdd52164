import { afterPaint } from "./after-paint.ts";

let underWay = 0;
let root: Pick<HTMLElement, "toggleAttribute"> | null = null;
let takeBack = (): void => {};

/** Drawn twice over: an answer is drawn first, and what follows from that is asked for after it. */
function settle(): void {
  takeBack();
  if (underWay > 0) return;
  takeBack = afterPaint(() => {
    takeBack = afterPaint(() => root?.toggleAttribute("data-rest", true));
  });
}

/** Something is asked of the server, or is about to be. Returns what says that it is over. */
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
 * From now on the element bears `data-rest` while nothing is on its way from the server or about to be asked for, the live line is
 * joined where it may be and has caught up, and whatever came is drawn.
 */
export function markRest(element: Pick<HTMLElement, "toggleAttribute">): void {
  root = element;
  settle();
}
