import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import type { Route, Sent } from "../../contract/route.ts";
import { usePlace } from "../api/place.ts";
import { useApi, useReadKey } from "../api/use-api.ts";
import { useText } from "../kit/texts/texts.ts";
import type { Entity } from "./entity.ts";
import type { Ancestor } from "./parent.ts";
import { ancestorsOf } from "./parent.ts";
import { PlaceLink } from "../lists/place-link.tsx";

/** The way down to a nested screen: each list above and the record of it that was opened, outermost first. */
export function Breadcrumbs({ entity }: { entity: Entity }) {
  const t = useText();
  const { params } = usePlace();
  return (
    <nav className="breadcrumbs" aria-label={t("record.breadcrumbs")}>
      <ol>
        {ancestorsOf(entity, params).map((ancestor) => (
          <Fragment key={ancestor.parent.screen}>
            <li>
              <PlaceLink screen={ancestor.parent.screen} to={ancestor.list}>
                {t(`screen.${ancestor.parent.screen}`)}
              </PlaceLink>
            </li>
            <li>
              <RecordAbove ancestor={ancestor} />
            </li>
          </Fragment>
        ))}
        <li>
          <span aria-current="page">{t(`screen.${entity.screen}`)}</span>
        </li>
      </ol>
    </nav>
  );
}

function RecordAbove({ ancestor: { parent, record, params } }: { ancestor: Ancestor }) {
  const t = useText();
  const { call } = useApi();
  const sent: object = { params };
  const read = useQuery({
    queryKey: useReadKey(parent.read, sent),
    queryFn: async ({ signal }) => (await call(parent.read, sent as Sent<Route>, { background: true, signal })).data, // its path names what is in it
  });
  if (read.isSuccess) {
    return (
      <PlaceLink screen={parent.screen} to={record}>
        <bdi>{parent.titleOf(read.data)}</bdi>
      </PlaceLink>
    );
  }
  if (read.isPending) return <span className="bone late" role="status" aria-label={t("record.detail.loading")} />;
  return (
    <span role="alert">
      {t("record.breadcrumbs.failed")}{" "}
      <button type="button" className="btn bare" onClick={() => void read.refetch()}>
        {t("page.retry")}
      </button>
    </span>
  );
}
