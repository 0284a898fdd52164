import { Fragment } from "react";
import type { RecordLink } from "./named.ts";
import { PlaceLink } from "../lists/place-link.tsx";
import { none } from "./shown.ts";
import { useSees } from "../lists/use-sees.ts";

/** The records that another names: a link opens one at its own screen; plain text where the operator may not see that screen. */
export function RecordLinks({ links }: { links: readonly RecordLink[] }) {
  const sees = useSees();
  if (links.length === 0) return <span className="t3">{none}</span>;
  return links.map(({ screen, params = {}, search = {}, record, text }, at) => (
    <Fragment key={`${screen} ${record}`}>
      {at > 0 && ", "}
      {sees(screen) ? (
        <PlaceLink screen={screen} to={{ params, search: { ...search, record } }}>
          <bdi>{text}</bdi>
        </PlaceLink>
      ) : (
        <bdi>{text}</bdi>
      )}
    </Fragment>
  ));
}
