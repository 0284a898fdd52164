import type { MouseEvent, ReactNode } from "react";
import { useEffect, useRef } from "react";
import type { ScreenName } from "../../contract/screens.ts";
import type { Whereto } from "../../contract/addresses.ts";
import { addressOf } from "../../contract/addresses.ts";
import { spokenChord } from "../kit/keys/chord.ts";
import { useKit } from "../kit/use-kit.ts";

const beside = "$mod+Enter";

/** A link to a screen: Enter goes there, Mod+Enter opens it beside. */
export function PlaceLink({ screen, to, children }: { screen: ScreenName; to: Whereto; children: ReactNode }) {
  const { keys, services } = useKit();
  const element = useRef<HTMLAnchorElement>(null);
  const openBeside = () => services.shell.splitScreen(screen, to);
  useEffect(() => (element.current === null ? undefined : keys.claim(element.current, { [beside]: openBeside })));
  function open(event: MouseEvent): void {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) openBeside();
    else services.go(screen, to);
  }
  return (
    <a ref={element} className="record-link" href={addressOf(screen, to)} aria-keyshortcuts={spokenChord(beside)} onClick={open}>
      {children}
    </a>
  );
}
