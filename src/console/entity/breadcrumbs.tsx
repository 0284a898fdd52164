import { useQuery } from "@tanstack/react-query";
import type { Route, Sent } from "../../contract/route.ts";
import { usePlace } from "../api/place.ts";
import { useApi, useReadKey, useSignedIn } from "../api/use-api.ts";
import { useText } from "../kit/texts/texts.ts";
import type { Entity } from "./entity.ts";
import type { Ancestor } from "./parent.ts";
import { placesOf, seenAncestors } from "./parent.ts";
import { PlaceLink } from "../lists/place-link.tsx";

/** The way down to a nested screen: each list above and the record of it that was opened, outermost first. */
export function Breadcrumbs({ entity }: { entity: Entity }) {
  const t = useText();
  const { params } = usePlace();
  const { context } = useSignedIn();
  return (
    <nav className="breadcrumbs" aria-label={t("record.breadcrumbs")}>
      <ol>
        {seenAncestors(entity, params, context.permissions).map((ancestor) => (
          <Above key={ancestor.parent.screen} ancestor={ancestor} />
        ))}
        <li>
          <span aria-current="page">{t(`screen.${entity.screen}`)}</span>
        </li>
      </ol>
    </nav>
  );
}

/** A list above and the record of it; where only the record tells which list it stands in, the list is no link before it has come. */
function Above({ ancestor }: { ancestor: Ancestor }) {
  const t = useText();
  const { call } = useApi();
  const { parent, params } = ancestor;
  const sent: object = { params };
  const read = useQuery({
    queryKey: useReadKey(parent.read, sent),
    queryFn: async ({ signal }) => (await call(parent.read, sent as Sent<Route>, { background: true, signal })).data, // its path names what is in it
  });
  const title = t(`screen.${parent.screen}`);
  const places = read.isSuccess ? placesOf(ancestor, read.data) : parent.paramsOf === undefined ? ancestor : null;
  return (
    <>
      <li>
        {places === null ? (
          <span>{title}</span>
        ) : (
          <PlaceLink screen={parent.screen} to={places.list}>
            {title}
          </PlaceLink>
        )}
      </li>
      <li>
        {read.isSuccess && places !== null && (
          <PlaceLink screen={parent.screen} to={places.record}>
            <bdi>{parent.titleOf(read.data)}</bdi>
          </PlaceLink>
        )}
        {read.isPending && <span className="bone late" role="status" aria-label={t("record.detail.loading")} />}
        {read.isError && (
          <span role="alert">
            {t("record.breadcrumbs.failed")}{" "}
            <button type="button" className="btn bare" onClick={() => void read.refetch()}>
              {t("page.retry")}
            </button>
          </span>
        )}
      </li>
    </>
  );
}
