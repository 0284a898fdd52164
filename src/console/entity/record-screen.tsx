import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { Permission } from "../../contract/permissions.ts";
import { isAllowed } from "../../contract/permissions.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { Subjects, SubjectName } from "../../contract/index.ts";
import { usePlace } from "../api/place.ts";
import { useApi, useChanged, useFormats, useLive, useSignedIn } from "../api/use-api.ts";
import type { Desks } from "../kit/commands/desks.ts";
import type { PaneState, ShownDetail } from "../kit/commands/context.ts";
import { Pane } from "../kit/panes/panes.tsx";
import { usePane } from "../kit/panes/use-pane.ts";
import { useText } from "../kit/texts/texts.ts";
import { useKit } from "../kit/use-kit.ts";
import { PlaceLink } from "../lists/place-link.tsx";
import { useSees } from "../lists/use-sees.ts";
import { CallFailure } from "../api/failure.ts";
import type { Entity } from "./entity.ts";
import { EntityDetail } from "./entity-detail.tsx";
import { EntityForm } from "./entity-form.tsx";
import { EntityWork } from "./entity-work.ts";
import type { OpenForm } from "./record-form.ts";
import { readPlace } from "./filters.ts";
import "./entity.css";

interface RecordScreenProps {
  readonly entity: Entity;
  /** The list its record is of, to which the way leads back. */
  readonly list: ScreenName;
  readonly uuid: string;
  /** What the screen lends its own commands; the same object while it is mounted. */
  readonly lends?: Desks;
  /** Stands beside the way back. */
  readonly acts?: ReactNode;
}

const scopes: PaneState["scopes"] = ["pane"];
const none: PaneState["marked"] = [];

/** One record on a page of its own: the same sections, acts and form as beside its list, with the width of the page. */
export function RecordScreen({ entity, list, uuid, lends, acts }: RecordScreenProps) {
  const t = useText();
  const api = useApi();
  const { services } = useKit();
  const place = usePlace();
  const formats = useFormats();
  const queries = useQueryClient();
  const { tenant, currency, context } = useSignedIn();
  const [work] = useState(
    () => new EntityWork({ entity, api, services, queries, tenant: tenant.id, currency: currency?.code ?? null, params: {} }),
  );
  const sees = useSees();
  const [form, setForm] = useState<OpenForm | null>(null);
  const historyRef = useRef<HTMLElement>(null);
  const { permissions } = context;
  useLayoutEffect(() => {
    const may = (permission: Permission) => isAllowed(permissions, permission);
    const asked = readPlace(entity, place.search);
    work.draw({ now: { asked, place, formats }, showForm: setForm, sees, may });
  }, [work, entity, place, formats, sees, permissions]);

  // its list is the one record, which acts and others change
  const { source } = work.list;
  useEffect(() => {
    void work.list.load(() => ({ "filter[uuid]": uuid }));
    return () => work.list.close();
  }, [work, uuid]);
  useChanged(entity.subject, (rows) => work.took(rows));
  useLive(entity.live ?? "gap", (event) => void (event === null || event.more === true ? work.list.catchUp() : work.heard(event.uuids)));
  useLive("gap", () => void work.list.catchUp());
  useSyncExternalStore(work.list.subscribe, work.list.getState);
  const row = source.get(uuid) ?? null;
  const read = useQuery({ ...work.details.of(row ?? { uuid, version: 0 }), placeholderData: (before) => before });
  const detail = read.data?.row.uuid === uuid ? read.data : null;

  const ref = useRef<HTMLElement>(null);
  const shownRow = row ?? detail?.row ?? null;
  // another one is made beside the list
  const recordDesk = useMemo(() => {
    if (work.recordDesk === null) return null;
    const { create: _, duplicate: __, ...may } = work.recordDesk.may;
    return { ...work.recordDesk, may };
  }, [work]);
  const pane = usePane(ref, {
    id: `${entity.subject}.page`,
    scopes,
    cursor: shownRow as Subjects[SubjectName] | null, // its own list's row
    marked: none,
    grid: null,
    detail: null,
    aim: shownRow && { id: entity.codeOf(shownRow), note: entity.titleOf(shownRow) },
    ...lends,
    subject: entity.subject,
    record: recordDesk,
  });
  const [onShown] = useState(() => (shown: ShownDetail | null) => pane.publish({ detail: shown }));
  const failure = detail === null && read.error instanceof CallFailure ? read.error : null;

  return (
    <div className="entity record-page">
      <nav className="breadcrumbs" aria-label={t("record.breadcrumbs")}>
        <ol>
          <li>
            <PlaceLink screen={list} to={{ search: { record: uuid } }}>
              {t(`screen.${list}`)}
            </PlaceLink>
          </li>
          <li>
            <span aria-current="page">
              <bdi>{shownRow === null ? "" : entity.codeOf(shownRow)}</bdi>
            </span>
          </li>
        </ol>
        {acts}
      </nav>
      <Pane name="detail" innerRef={ref} className="detail-pane">
        <EntityDetail
          entity={entity}
          row={shownRow ?? (failure === null ? null : { uuid, version: 0 })}
          detail={detail}
          failure={failure}
          marked={0}
          wholeHistory
          historyRef={historyRef}
          onRetry={() => void read.refetch()}
          onShown={onShown}
        />
      </Pane>
      {form !== null && (
        <EntityForm entity={entity} form={form} onSave={() => void work.saveForm(form)} onLeave={() => void work.leaveForm(form)} />
      )}
    </div>
  );
}
