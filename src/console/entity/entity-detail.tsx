import type { RefObject } from "react";
import { useEffect } from "react";
import type { RecordEvent } from "../../contract/records.ts";
import { Instant } from "../api/instant.tsx";
import { useFormats } from "../api/use-api.ts";
import { amountDecimals } from "../kit/look/amounts.ts";
import { CommandButton, CommandKey } from "../kit/look/command-button.tsx";
import { hasText, text, useText } from "../kit/texts/texts.ts";
import { useKit } from "../kit/use-kit.ts";
import { Amount } from "../kit/look/amount.tsx";
import { StrongEnd } from "../kit/look/strong-end.tsx";
import { DetailFrame } from "../lists/detail-frame.tsx";
import type { ShownRecord } from "../lists/use-shown-record.ts";
import type { RecordRow } from "../kit/commands/desks.ts";
import type { Entity, RecordDetail } from "./entity.ts";
import { changedText } from "./changed-text.ts";
import { labelKey, noneKey } from "./entity.ts";
import { fieldOf } from "./named.ts";
import { DetailSection } from "./detail-section.tsx";
import { AuditLink } from "../lists/audit-link.tsx";
import { isQuiet } from "../kit/look/status.tsx";
import { Mark } from "./mark.tsx";
import { shownText } from "./shown.ts";

type EntityDetailProps = ShownRecord<RecordRow, RecordDetail> & { readonly entity: Entity };

/** One record whole: what it is called, its sections, its history, and the acts with their keys in fixed places. */
export function EntityDetail({ entity, ...shown }: EntityDetailProps) {
  const t = useText();
  const { registry } = useKit();
  // the commands that only these records have
  const own = registry
    .list()
    .filter(
      ({ id, subject, takes }) =>
        subject === entity.subject && takes !== "none" && ![entity.removedBy, ...(entity.unbuttoned ?? [])].includes(id),
    );
  const { row, detail, onShown } = shown;
  const uuid = row?.uuid;
  const version = detail?.row.version ?? 0;
  useEffect(() => {
    if (uuid === undefined) return undefined;
    onShown({ uuid, version, paintedAt: null });
    return () => onShown(null);
  }, [uuid, version, onShown]);
  const acts = (
    <>
      <CommandButton id="record.edit" look="go">
        {t("record.acts.edit")}
      </CommandButton>
      {own.map(({ id }) => (
        <CommandButton key={id} id={id} {...(entity.looks?.[id] && { look: entity.looks[id] })}>
          {actText(id)}
        </CommandButton>
      ))}
      <CommandButton id="record.change-status">{t("record.acts.change-status")}</CommandButton>
      {entity.removedBy === undefined ? (
        <CommandButton id="record.delete" look="no">
          {t("record.acts.delete")}
        </CommandButton>
      ) : (
        <CommandButton id={entity.removedBy} look="no" />
      )}
    </>
  );
  return (
    <DetailFrame
      {...shown}
      words="record"
      {...(hasText(noneKey(entity)) && { none: t(noneKey(entity)) })}
      head={row && <Head entity={entity} row={row} />}
      acts={acts}
    >
      {detail !== null && (
        <>
          {entity.sections
            .filter((section) => section.applies?.(detail) ?? true)
            .map((section) => (
              <DetailSection key={section.name} entity={entity} section={section} detail={detail} />
            ))}
          {detail.history !== undefined && (
            <History entity={entity} of={uuid} events={detail.history} whole={shown.wholeHistory} innerRef={shown.historyRef} />
          )}
        </>
      )}
    </DetailFrame>
  );
}

/** What an act's button says where its record stands above it: `<subject>.acts.<act>` where there is such a text, else the command's name. */
function actText(command: string): string | undefined {
  const key = command.replace(".", ".acts.");
  return hasText(key) ? text(key) : undefined;
}

function Head({ entity, row }: { entity: Entity; row: RecordRow }) {
  const formats = useFormats();
  const sum = entity.amountOf?.(row);
  return (
    <div className="decide">
      <div className="top">
        {["status", ...(entity.marks ?? [])].map((field) => {
          const value = fieldOf(row, field);
          return (
            typeof value === "string" &&
            !isQuiet(value) && <Mark key={field} value={value} word={shownText(entity, field, "status", value, formats)} />
          );
        })}
        {entity.codeOf(row) !== entity.titleOf(row) && (
          <span className="end">
            <StrongEnd id={entity.codeOf(row)} />
          </span>
        )}
      </div>
      {sum !== undefined && (
        <div className="amt">
          <Amount text={sum.amount} />
          <small>{sum.currency}</small>
        </div>
      )}
      <div className="payee cut">
        <bdi>{entity.titleOf(row)}</bdi>
      </div>
    </div>
  );
}

/** Events shown before `i` asks for all. */
const eventsShown = 4;

/** Whose fields a history names. */
type Recorded = Pick<Entity, "subject"> & { readonly form: Pick<Entity["form"], "fields"> };

interface HistoryProps {
  readonly entity: Recorded;
  /** The record it is of, to be found in the audit log; left out where it has none of its own there. */
  readonly of?: string | undefined;
  readonly events: readonly RecordEvent[];
  readonly whole: boolean;
  readonly innerRef: RefObject<HTMLElement | null>;
}

/** A record's history, its newest events first. */
export function History({ entity, of, events, whole, innerRef }: HistoryProps) {
  const t = useText();
  const written = { ...useFormats(), decimals: amountDecimals() };
  const newestFirst = events.toSorted((a, b) => (a.at < b.at ? 1 : -1));
  const shown = whole ? newestFirst : newestFirst.slice(0, eventsShown);
  return (
    <section className="sec last" ref={innerRef} tabIndex={-1}>
      <h2>
        {t("record.detail.history")}
        {newestFirst.length > shown.length && (
          <span className="end">
            {t("record.detail.all", { count: newestFirst.length })} <CommandKey id="list.history" />
          </span>
        )}
      </h2>
      {of !== undefined && <AuditLink of={of} />}
      {newestFirst.length === 0 && <p className="ln t3">{t("record.detail.no-history")}</p>}
      {shown.map((event) => (
        <div key={`${event.at} ${event.act}`} className="event">
          <div className="ln">
            <Instant at={event.at} />
            <span className="cut" title={event.reason ?? undefined}>
              {told(event, t)}
              {event.reason !== null && (
                <span className="t3">
                  {" · "}
                  <bdi>{event.reason}</bdi>
                </span>
              )}
            </span>
          </div>
          {changesOf(entity, event).map(([field, { before, after }]) => (
            <div key={field} className="ln change">
              <span className="t2 cut">{fieldName(entity, field, t)}</span>
              <bdi className="t3 cut">{changedText(entity, field, before, written)}</bdi>
              <span className="t3 flip-x" aria-hidden="true">
                →
              </span>
              <span className="sr">{t("record.detail.became")}</span>
              <bdi className="cut">{changedText(entity, field, after, written)}</bdi>
            </div>
          ))}
        </div>
      ))}
    </section>
  );
}

type Text = ReturnType<typeof useText>;

/** A record made or deleted has no "before": its fields are above. Of many permissions only those that went and came are told. */
const changesOf = (entity: Recorded, { act, changes }: RecordEvent): [string, RecordEvent["changes"][string]][] =>
  /\.(create|delete)$/.test(act)
    ? []
    : Object.entries(changes).map(([field, change]) => [
        field,
        entity.form.fields.some(({ name, control }) => name === field && control === "permissions") ? differing(change) : change,
      ]);

function differing({ before, after }: RecordEvent["changes"][string]): RecordEvent["changes"][string] {
  const [was, now]: (readonly unknown[])[] = [before, after].map((list) => (Array.isArray(list) ? list : []));
  return { before: was?.filter((one) => now?.includes(one) !== true), after: now?.filter((one) => was?.includes(one) !== true) };
}

/** "merchant.update" by Ann: in words where there are some for its act, whatever the entity. */
function told({ act, by }: RecordEvent, t: Text): string {
  const key = `record.event.${act.split(".").at(-1) ?? act}`;
  return hasText(key) ? t(key, { name: by }) : `${act} · ${by}`;
}

function fieldName(entity: Recorded, field: string, t: Text): string {
  const key = labelKey(entity, field);
  return hasText(key) ? t(key) : field;
}
