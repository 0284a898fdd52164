import { Instant } from "../api/instant.tsx";
import { useFormats } from "../api/use-api.ts";
import { Amount } from "../kit/look/amount.tsx";
import { useText } from "../kit/texts/texts.ts";
import type { Entity, RecordDetail, Section } from "./entity.ts";
import { labelKey, sectionKey } from "./entity.ts";
import { LimitBar } from "../kit/look/limit-bar.tsx";
import { Marked } from "./mark.tsx";
import type { Named, Table, Value } from "./named.ts";
import { fieldOf, valueOf } from "./named.ts";
import { RecordLinks } from "./record-links.tsx";
import { isFigure, none, shownMark, shownText } from "./shown.ts";

interface DetailSectionProps {
  readonly entity: Entity;
  readonly section: Section<RecordDetail>;
  readonly detail: RecordDetail;
}

/** One section of a record: its lines, and beneath them its table. */
export function DetailSection({ entity, section, detail }: DetailSectionProps) {
  const t = useText();
  const { name, lines = [], linesOf, table, draw: Drawn, alone, sparse } = section;
  if (alone && Drawn) return <Drawn detail={detail} />;
  const title = t(sectionKey(entity, name));
  const named = [...lines, ...(linesOf?.(detail) ?? [])]
    .map((line) => (typeof line === "string" ? { field: line } : line))
    .filter((line) => sparse !== true || saysSomething(line, detail));
  return (
    <section className="sec">
      <h2>{title}</h2>
      {named.map((line) => (
        <Line key={line.label ?? line.field} entity={entity} line={line} detail={detail} />
      ))}
      {table && <Rows entity={entity} title={title} table={table} rows={table.rows(detail)} />}
      {Drawn && <Drawn detail={detail} />}
    </section>
  );
}

function saysSomething(line: Named<RecordDetail>, detail: RecordDetail): boolean {
  if (line.links && line.links(detail).length > 0) return true;
  if (line.links && line.value === undefined) return false;
  const value = valueOf(line, detail, detail.row);
  return value !== null && value !== undefined && value !== "";
}

function Line({ entity, line, detail }: { entity: Entity; line: Named<RecordDetail>; detail: RecordDetail }) {
  return (
    <div className="ln">
      <span className="t2 cut name">
        <Label entity={entity} named={line} />
      </span>
      <span className="value">
        <Told entity={entity} named={line} of={detail} row={detail.row} />
      </span>
    </div>
  );
}

interface RowsProps {
  readonly entity: Entity;
  readonly title: string;
  readonly table: Table<RecordDetail>;
  readonly rows: readonly object[];
}

function Rows({ entity, title, table, rows }: RowsProps) {
  if (rows.length === 0) return <p className="ln t3">{none}</p>;
  const sideOf = ({ as = "text" }: Named<object>) => (isFigure(as) ? "figure" : undefined);
  return (
    <table className="tbl" aria-label={title}>
      <thead>
        <tr>
          {table.columns.map((column) => (
            <th key={column.field} scope="col" className={sideOf(column)}>
              <Label entity={entity} named={column} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={String(fieldOf(row, "uuid") ?? at)}>
            {table.columns.map((column) => (
              <td key={column.field} className={sideOf(column)}>
                <Told entity={entity} named={column} of={row} row={row} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Label({ entity, named: { field, label } }: { entity: Entity; named: Pick<Named<never>, "field" | "label"> }) {
  const t = useText();
  return label === undefined ? t(labelKey(entity, field)) : <bdi title={label}>{label}</bdi>;
}

interface ToldProps<Of extends object> {
  readonly entity: Entity;
  readonly named: Named<Of>;
  readonly of: Of;
  /** Holds the field that is shown as it is. */
  readonly row: object;
}

/** What a line or a cell says: its value, or links to the records it names. */
function Told<Of extends object>({ entity, named, of, row }: ToldProps<Of>) {
  const formats = useFormats();
  const { field, as = "text" } = named;
  const links = named.links?.(of);
  if (links && (links.length > 0 || named.value === undefined)) return <RecordLinks links={links} />;
  const value = valueOf(named, of, row);
  return <Shown as={as} value={value} shown={shownText(entity, field, as, value, formats)} />;
}

function Shown({ as = "text", value, shown }: { as: Named<never>["as"]; value: Value; shown: string }) {
  if (shown === none) return <span className="t3">{none}</span>;
  if (as === "amount" && typeof value === "string") return <Amount text={value} />;
  if (as === "time" && typeof value === "string") return <Instant at={value} />;
  const mark = shownMark(as, value);
  if (mark !== null) return <Marked mark={mark} word={shown} />;
  if (typeof value === "object" && value !== null) return <LimitBar use={value} />;
  return (
    <bdi className={as === "mono" || as === "account-number" ? "mono" : undefined} title={shown}>
      {shown}
    </bdi>
  );
}
