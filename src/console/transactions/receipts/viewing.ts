import { isCapOf } from "../../kit/keys/cap-letter.ts";

/** How a file is looked at. */
export interface Viewing {
  /** 1: as wide as there is room. */
  readonly zoom: number;
  /** Quarter turns to the right. */
  readonly turns: 0 | 1 | 2 | 3;
  /** From 1. */
  readonly page: number;
}

/** What a key does in the viewer; "left" and "right" are screen directions. */
export type ViewKey = "nearer" | "farther" | "whole" | "turn" | "page-down" | "page-up" | "left" | "right";

export const atFirst: Viewing = { zoom: 1, turns: 0, page: 1 };

const step = 1.25;
const nearest = 8;
const farthest = 0.25;

/** The view after a key; the same object where it changes nothing. */
export function viewAfter(view: Viewing, key: ViewKey, pages: number): Viewing {
  switch (key) {
    case "nearer":
      return zoomed(view, view.zoom * step);
    case "farther":
      return zoomed(view, view.zoom / step);
    case "whole":
      return zoomed(view, 1);
    case "turn":
      return { ...view, turns: ((view.turns + 1) % 4) as Viewing["turns"] }; // 0 to 3
    case "page-down":
      return paged(view, Math.min(view.page + 1, pages));
    case "page-up":
      return paged(view, Math.max(view.page - 1, 1));
    default:
      return view;
  }
}

function zoomed(view: Viewing, zoom: number): Viewing {
  const within = Math.min(Math.max(zoom, farthest), nearest);
  // so that as often nearer as farther is where it began
  const even = Math.abs(within - 1) < 0.01 ? 1 : within;
  return even === view.zoom ? view : { ...view, zoom: even };
}

const paged = (view: Viewing, page: number): Viewing => (page === view.page ? view : { ...view, page });

type Press = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey">;

const named: Readonly<Record<string, ViewKey>> = {
  "+": "nearer",
  "=": "nearer",
  "-": "farther",
  "−": "farther",
  "0": "whole",
  PageDown: "page-down",
  PageUp: "page-up",
  ArrowLeft: "left",
  ArrowRight: "right",
};

/** What a key does; null: it is the browser's, or another command's. A letter counts by its cap on layouts that have no Latin one. */
export function viewKeyOf({ key, code, ctrlKey, metaKey, altKey }: Press): ViewKey | null {
  if (ctrlKey || metaKey || altKey) return null;
  if (isCapOf("r", { key, code })) return "turn";
  return named[key] ?? null;
}
