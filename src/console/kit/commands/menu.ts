import type { MessageKey, Words } from "../texts/messages.ts";

/** A menu of commands at a place of the page; one that has no right here is not in it, one that is refused now says why. */
export interface Menu {
  readonly title: MessageKey;
  readonly words: Words;
  /** What it hangs under, in px of the window. */
  readonly at: DOMRectReadOnly;
  /** A line stands between two groups. */
  readonly groups: readonly (readonly MenuItem[])[];
}

interface MenuItem {
  readonly command: string;
  /** What it is called here; left out: the command's own name. */
  readonly name?: MessageKey;
}
