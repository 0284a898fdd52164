import { Fragment } from "react";
import type { RecordLink } from "./named.ts";
import { whereTo } from "./named.ts";
import { PlaceLink } from "../lists/place-link.tsx";
import { none } from "./shown.ts";
import { useSees } from "../lists/use-sees.ts";

/** The records that another names: a link opens one at its own screen; plain text where the operator may not see that screen. */
export function RecordLinks({ links }: { links: readonly RecordLink[] }) {
  const sees = useSees();
  if (links.length === 0) return <span className="t3">{none}</span>;
  return links.map((link, at) => (
    <Fragment key={`${link.screen} ${link.record ?? ""}`}>
      {at > 0 && ", "}
      {sees(link.screen) ? (
        <PlaceLink screen={link.screen} to={whereTo(link)}>
          <bdi>{link.text}</bdi>
        </PlaceLink>
      ) : (
        <bdi>{link.text}</bdi>
      )}
    </Fragment>
  ));
}
