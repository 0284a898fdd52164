import type { MessageKey, Words } from "../texts/messages.ts";

/** A menu of commands at a place on the page; commands without permission are left out, refused ones give their reason. */
export interface Menu {
  readonly title: MessageKey;
  readonly words: Words;
  /** The element's box under which it opens, in px of the window. */
  readonly at: DOMRectReadOnly;
  /** Groups are separated by a line. */
  readonly groups: readonly (readonly MenuItem[])[];
}

interface MenuItem {
  readonly command: string;
  /** Its label here; by default the command's name. */
  readonly name?: MessageKey;
}
