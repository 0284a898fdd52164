import type { ComponentType, KeyboardEvent } from "react";
import { useEffect, useRef } from "react";
import type { FieldLines } from "../../../contract/problems.ts";
import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";
import { useKit } from "../use-kit.ts";
import type { RowTexts } from "./codecs.ts";
import { emptyRow, rowsOf, textOfRows } from "./codecs.ts";
import type { ControlProps } from "./control-props.ts";

/**
 * A small table edited within a form, a control to each cell: Enter goes down the column and at its end adds a row, Alt+Up and Alt+Down
 * move the row, and each row has its buttons for the same. Blueprint's table is a grid of its own that knows no controls in its cells.
 */
export function RowsControl(props: ControlProps & { Cell: ComponentType<ControlProps> }) {
  const { id, field, path, value, lines, described, readOnly, words, linked, takeRef, onWrite, Cell } = props;
  const t = useText();
  const { services, keys } = useKit();
  const body = useRef<HTMLTableSectionElement>(null);
  const add = useRef<HTMLButtonElement | null>(null);
  const wanted = useRef<{ row: number; cell: number } | null>(null);
  const rows = rowsOf(value);
  const cells = field.rows;
  const write = (next: readonly RowTexts[]): void => onWrite(textOfRows(next));

  /** Where the focus is, by row and cell; its buttons count as the first cell. */
  function placeOf(target: Element): { row: number; cell: number } | null {
    const row = target.closest("tr");
    if (row === null || body.current === null) return null;
    const cell = [...row.children].findIndex((one) => one.contains(target));
    return { row: [...body.current.children].indexOf(row), cell: cell < cells.length ? cell : 0 };
  }
  function focusAt({ row, cell }: { row: number; cell: number }): void {
    body.current?.children[row]?.children[cell]?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }
  // a row that has just come takes the focus once it is drawn
  useEffect(() => {
    if (wanted.current === null) return;
    focusAt(wanted.current);
    wanted.current = null;
  });

  function addRow(cell = 0): void {
    wanted.current = { row: rows.length, cell };
    write([...rows, emptyRow(cells)]);
  }
  function removeRow(at: number): void {
    write(rows.filter((_, place) => place !== at));
    services.say("form.said.row-removed", { row: at + 1 });
    if (rows.length === 1) add.current?.focus();
    else wanted.current = { row: Math.min(at, rows.length - 2), cell: 0 };
  }
  function moveRow(at: number, by: number, cell: number): void {
    const to = at + by;
    const [row, other] = [rows[at], rows[to]];
    if (row === undefined || other === undefined) return;
    wanted.current = { row: to, cell };
    write(rows.map((one, place) => (place === at ? other : place === to ? row : one)));
    services.say("form.said.row-moved", { row: to + 1 });
  }

  const latest = useRef(moveRow);
  useEffect(() => {
    latest.current = moveRow;
    if (body.current === null || readOnly) return undefined;
    const move = (by: number) => () => {
      const place = document.activeElement && placeOf(document.activeElement);
      if (place) latest.current(place.row, by, place.cell);
    };
    return keys.claim(body.current, { "Alt+ArrowUp": move(-1), "Alt+ArrowDown": move(1) });
  });

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const isOwn = event.target instanceof HTMLInputElement && event.target.type === "text" && event.target.role !== "combobox";
    const { target } = event;
    if (event.key !== "Enter" || event.nativeEvent.isComposing || event.defaultPrevented || !isOwn || readOnly) return;
    const place = placeOf(target as Element); // its own field
    if (place === null) return;
    event.preventDefault();
    if (place.row < rows.length - 1) focusAt({ row: place.row + 1, cell: place.cell });
    else addRow(0);
  }

  const linesOf = (cell: string): FieldLines =>
    Object.fromEntries(Object.entries(lines).filter(([at]) => at === cell || at.startsWith(`${cell}.`)));

  return (
    <div className="rows-control" role="group" aria-labelledby={`${id}-label`} aria-describedby={described}>
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              {cells.map((cell) => (
                <th key={cell.name} scope="col">
                  {words.label(`${field.name}.${cell.name}`)}
                </th>
              ))}
              {!readOnly && (
                <th scope="col">
                  <span className="sr">{t("form.rows.acts")}</span>
                </th>
              )}
            </tr>
          </thead>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of its fields, which come up to it */}
          <tbody ref={body} onKeyDown={onKeyDown}>
            {rows.map((row, at) => (
              // rows have no names of their own while they are written
              <tr key={row["uuid"] ?? `new ${at}`} aria-label={t("form.rows.row", { row: at + 1 })}>
                {cells.map((cell, place) => {
                  const cellPath = `${path}.${at}.${cell.name}`;
                  const cellLines = linesOf(cellPath);
                  const line = Object.values(cellLines).flat().join(" ");
                  const cellId = `${id}-${at}-${cell.name}`;
                  return (
                    <td key={cell.name}>
                      <span id={`${cellId}-label`} className="sr">
                        {words.label(`${field.name}.${cell.name}`)}
                      </span>
                      <label className="sr" htmlFor={cellId}>
                        {t("form.rows.cell", { row: at + 1, label: words.label(`${field.name}.${cell.name}`) })}
                      </label>
                      <div className={line === "" ? undefined : "bad"}>
                        <Cell
                          id={cellId}
                          field={cell}
                          path={`${field.name}.${cell.name}`}
                          value={row[cell.name] ?? ""}
                          lines={cellLines}
                          described={line === "" ? undefined : `${cellId}-line`}
                          readOnly={readOnly}
                          words={words}
                          linked={linked}
                          takeRef={(element) => {
                            if (at === 0 && place === 0) takeRef(element);
                          }}
                          onWrite={(text) => write(rows.map((one, other) => (other === at ? { ...one, [cell.name]: text } : one)))}
                        />
                      </div>
                      {line !== "" && (
                        <span id={`${cellId}-line`} className="err">
                          <Icon name="warn" size="xs" />
                          {line}
                        </span>
                      )}
                    </td>
                  );
                })}
                {!readOnly && (
                  <td className="row-acts">
                    <RowButton icon="up" label={t("form.rows.up", { row: at + 1 })} off={at === 0} onClick={() => moveRow(at, -1, 0)} />
                    <RowButton
                      icon="down"
                      label={t("form.rows.down", { row: at + 1 })}
                      off={at === rows.length - 1}
                      onClick={() => moveRow(at, 1, 0)}
                    />
                    <RowButton icon="close" label={t("form.rows.remove", { row: at + 1 })} off={false} onClick={() => removeRow(at)} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.length === 0 && readOnly && <p className="t2">{t("form.rows.none")}</p>}
      {!readOnly && (
        <button
          ref={(element) => {
            add.current = element;
            if (rows.length === 0) takeRef(element);
          }}
          id={id}
          type="button"
          className="btn"
          onClick={() => addRow()}
        >
          <Icon name="plus" size="s" />
          {t("form.rows.add")}
        </button>
      )}
    </div>
  );
}

function RowButton({ icon, label, off, onClick }: { icon: "up" | "down" | "close"; label: string; off: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      className="row-button"
      aria-label={label}
      title={label}
      aria-disabled={off || undefined}
      onClick={() => !off && onClick()}
    >
      <Icon name={icon} size="s" />
    </button>
  );
}
