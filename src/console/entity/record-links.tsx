import type { MouseEvent } from "react";
import { Fragment, useEffect, useRef } from "react";
import { isAllowed } from "../../contract/permissions.ts";
import { addressOf, screens } from "../../contract/screens.ts";
import { useSignedIn } from "../api/use-api.ts";
import { spokenChord } from "../kit/keys/chord.ts";
import { useKit } from "../kit/use-kit.ts";
import type { RecordLink } from "./named.ts";
import { none } from "./shown.ts";

/** The records that another names: a link opens one at its own screen; plain text where the operator may not see that screen. */
export function RecordLinks({ links }: { links: readonly RecordLink[] }) {
  const { context } = useSignedIn();
  if (links.length === 0) return <span className="t3">{none}</span>;
  return links.map((link, at) => (
    <Fragment key={`${link.screen} ${link.record}`}>
      {at > 0 && ", "}
      {isAllowed(context.permissions, screens[link.screen].permission) ? <LinkOf link={link} /> : <bdi>{link.text}</bdi>}
    </Fragment>
  ));
}

const beside = "$mod+Enter";

function LinkOf({ link: { screen, params = {}, search = {}, record, text } }: { link: RecordLink }) {
  const { keys, services } = useKit();
  const element = useRef<HTMLAnchorElement>(null);
  const to = { params, search: { ...search, record } };
  const openBeside = () => services.shell.splitScreen(screen, to);
  useEffect(() => (element.current === null ? undefined : keys.claim(element.current, { [beside]: openBeside })));
  function open(event: MouseEvent): void {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) openBeside();
    else services.go(screen, to);
  }
  return (
    <a ref={element} className="record-link" href={addressOf(screen, to)} aria-keyshortcuts={spokenChord(beside)} onClick={open}>
      <bdi>{text}</bdi>
    </a>
  );
}
