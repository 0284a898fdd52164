import type { KeyboardEvent } from "react";
import { memo, useContext, useEffect, useId, useMemo, useRef, useState } from "react";
import type { Permission } from "../../../contract/permissions.ts";
import { permissions } from "../../../contract/permissions.ts";
import { isCapOf } from "../keys/cap-letter.ts";
import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";
import { useKit } from "../use-kit.ts";
import { isRightToLeft } from "./chips.tsx";
import { splitList } from "./codecs.ts";
import type { ControlProps } from "./control-props.ts";
import { saidOf } from "./control-props.ts";
import type { AreaRow, ColumnName, Motion, Rights } from "./rights.ts";
import { actionOf, boxesOf, columns, difference, found, holds, moved, sections, turned } from "./rights.ts";
import { RightsContext } from "./rights-context.ts";
import { actionWord, areaLines, areaWord, rightWord } from "./rights-words.ts";
import "./permissions-control.css";

const allRows = sections.flatMap(({ rows }) => rows);

/**
 * Permissions as a table of areas and actions, one stop of Tab. Arrows go from box to box as they stand, Space turns one, "a" all of its
 * row, Shift+A all of its column, "/" searches. What a group gives is ticked and stays so; what the operator does not hold can be neither
 * given nor taken. What differs from what is saved is marked, and said in words beneath.
 */
export function PermissionsControl(props: ControlProps) {
  const { id, value, readOnly, takeRef, onWrite, form } = props;
  const t = useText();
  const { keys } = useKit();
  const { of, mayGive, given } = useContext(RightsContext);
  const box = useRef<HTMLDivElement>(null);
  const find = useRef<HTMLInputElement>(null);
  const infoId = useId();
  const [typed, setTyped] = useState("");
  const [stop, setStop] = useState<Permission | null>(null);

  const now: Rights = { direct: new Set(splitList(value)), given: given(form?.values ?? {}) };
  const savedText = form?.saved?.[props.field.name];
  const before: Rights = { direct: new Set(splitList(savedText ?? "")), given: given(form?.saved ?? {}) };
  const { gives, takes } = difference(before, now);
  const isMarked = (permission: Permission): boolean => gives.includes(permission) || takes.includes(permission);

  const wordsOf = useMemo(
    () => (row: AreaRow) => [
      areaWord(t, row.area),
      row.area,
      ...boxesOf(row).flatMap((one) => [actionWord(t, actionOf(one)), actionOf(one)]),
    ],
    [t],
  );
  const rows = useMemo(() => found(allRows, typed, wordsOf), [typed, wordsOf]);
  const shown = rows.flatMap(boxesOf);
  const at = stop !== null && shown.includes(stop) ? stop : (shown[0] ?? null);
  const mayTurn = (permission: Permission): boolean => !readOnly && !now.given.has(permission) && mayGive(permission);
  const turn = (which: readonly Permission[]): void => {
    const open = which.filter(mayTurn);
    if (open.length === 0) return;
    const next = turned(now.direct, open);
    // in the table's order, so that the same ones are the same text
    onWrite(permissions.filter((one) => next.has(one)).join(", "));
  };
  const columnOf = (column: ColumnName): Permission[] => rows.flatMap(({ inColumns }) => inColumns[columns.indexOf(column)] ?? []);

  // Esc empties the search before it leaves the form
  useEffect(() => {
    if (find.current === null || typed === "") return undefined;
    return keys.claim(find.current, { Escape: () => setTyped("") });
  }, [keys, typed]);

  // the form opened before this part came, and had nothing to give the focus to
  const isFirst = takeRef !== undefined;
  useEffect(() => {
    if (isFirst && document.activeElement === document.body) box.current?.querySelector<HTMLElement>("[data-permission]")?.focus();
  }, [isFirst]);

  const focus = (permission: Permission | null): void => {
    if (permission === null) return;
    setStop(permission);
    box.current?.querySelector<HTMLElement>(`[data-permission="${permission}"]`)?.focus();
  };

  function onKeyDown(event: KeyboardEvent<HTMLElement>, permission: Permission): void {
    const isApart = event.altKey || event.nativeEvent.isComposing;
    const command = event.ctrlKey || event.metaKey;
    const forward = isRightToLeft(event.currentTarget) ? "ArrowLeft" : "ArrowRight";
    const backward = forward === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
    const motions: Readonly<Record<string, Motion>> = {
      [forward]: "next",
      [backward]: "previous",
      ArrowDown: "down",
      ArrowUp: "up",
      Home: command ? "first" : "row-start",
      End: command ? "last" : "row-end",
    };
    const motion = motions[event.key];
    const isA = isCapOf("a", event);
    if (isApart) return;
    if (motion !== undefined) focus(moved(rows, permission, motion));
    else if (command) return;
    else if (isA && event.shiftKey) turn(columns.flatMap((column) => (columnOf(column).includes(permission) ? columnOf(column) : [])));
    else if (isA) turn(rows.filter((row) => boxesOf(row).includes(permission)).flatMap(boxesOf));
    else if (event.key === "/") find.current?.focus();
    else return;
    event.preventDefault();
  }

  const whyOf = (permission: Permission): string => {
    const groups = now.given.get(permission);
    if (groups) return t("permission.from", { groups: groups.join(", ") });
    return mayGive(permission)
      ? now.direct.has(permission)
        ? t(of === "group" ? "permission.given" : "permission.direct")
        : t("permission.none")
      : t("permission.not-yours");
  };
  const counts = {
    group: now.given.size,
    direct: [...now.direct].filter((one) => !now.given.has(one)).length,
    beyond: permissions.filter((one) => !mayGive(one) && !now.given.has(one)).length,
  };
  const boxProps = (permission: Permission): BoxProps => ({
    permission,
    word: actionWord(t, actionOf(permission)),
    name: rightWord(t, permission),
    why: whyOf(permission),
    checked: holds(now, permission),
    kind: now.given.has(permission) ? "of-group" : mayGive(permission) ? "own" : "beyond",
    marked: isMarked(permission),
    locked: !mayTurn(permission),
    isStop: permission === at,
    takeRef: permission === at ? takeRef : undefined,
    onFocus: () => setStop(permission),
    onKeyDown: (event) => onKeyDown(event, permission),
    onTurn: () => turn([permission]),
  });

  return (
    <div ref={box} {...saidOf(props)} aria-required={undefined} role="group" aria-labelledby={`${id}-label`} className="rights">
      <div className="rights-bar">
        <Legend kind="of-group" text={t("permission.legend.group", { n: counts.group })} shown={counts.group > 0} />
        <Legend kind="own" text={t(of === "group" ? "permission.legend.given" : "permission.legend.direct", { n: counts.direct })} shown />
        <Legend kind="beyond" text={t("permission.legend.not-yours", { n: counts.beyond })} shown={counts.beyond > 0} />
        <span className="rights-find">
          <Icon name="find" size="s" />
          <input
            ref={find}
            type="text"
            className="bp6-input"
            value={typed}
            placeholder={t("permission.find")}
            aria-label={t("permission.find")}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if ((event.key !== "ArrowDown" && event.key !== "Enter") || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey)
                return;
              event.preventDefault();
              focus(shown[0] ?? null);
            }}
          />
          <kbd aria-hidden="true">/</kbd>
        </span>
      </div>
      <div className="rights-row rights-head" aria-hidden="true">
        <span>{t("permission.area")}</span>
        {columns.map((column) => (
          <button
            key={column}
            type="button"
            tabIndex={-1}
            className="cut"
            title={t("permission.turn-column")}
            onClick={() => turn(columnOf(column))}
          >
            {actionWord(t, column)}
          </button>
        ))}
      </div>
      {sections.map(({ name, rows: ofSection }) => {
        const here = ofSection.filter((row) => rows.includes(row));
        return here.length === 0 ? null : (
          <div key={name} role="group" aria-label={t(`permission.section.${name}`)}>
            <div className="rights-section" aria-hidden="true">
              {t(`permission.section.${name}`)}
            </div>
            {here.map((row) => (
              <div
                key={row.area}
                role="group"
                aria-label={areaWord(t, row.area)}
                className={at !== null && boxesOf(row).includes(at) ? "area here" : "area"}
              >
                <div className="rights-row">
                  <button
                    type="button"
                    tabIndex={-1}
                    aria-hidden="true"
                    className="area-name"
                    title={`${areaWord(t, row.area)} · ${t("permission.turn-row")}`}
                    onClick={() => turn(boxesOf(row))}
                  >
                    <span className="cut">{areaWord(t, row.area)}</span>
                    <bdi className="mono t3 cut">{row.area}</bdi>
                  </button>
                  {row.inColumns.map((permission, n) =>
                    permission === null ? <i key={columns[n]} className="na" /> : <RightBox key={permission} {...boxProps(permission)} />,
                  )}
                </div>
                {row.more.length > 0 && (
                  <div className="rights-more">
                    {row.more.map((permission) => (
                      <RightBox key={permission} {...boxProps(permission)} spelled />
                    ))}
                  </div>
                )}
              </div>
            ))}
          </div>
        );
      })}
      {shown.length === 0 && (
        <p className="t2 rights-none" role="status">
          {t("permission.none-found")}
        </p>
      )}
      <div className="rights-foot">
        <p id={infoId} className="ln">
          {at !== null && (
            <>
              <b className="cut">{rightWord(t, at)}</b>
              <span className="t2 cut">{whyOf(at)}</span>
            </>
          )}
          {!readOnly && <span className="end t3 cut">{t("permission.keys")}</span>}
        </p>
        {gives.length + takes.length > 0 && (
          <>
            <p className="sr" role="status">
              {[
                gives.length > 0 && t("permission.gives", { count: gives.length }),
                takes.length > 0 && t("permission.takes", { count: takes.length }),
              ]
                .filter(Boolean)
                .join(", ")}
            </p>
            <Change kind="gives" title={t("permission.gives", { count: gives.length })} lines={areaLines(t, gives)} />
            <Change kind="takes" title={t("permission.takes", { count: takes.length })} lines={areaLines(t, takes)} />
          </>
        )}
      </div>
    </div>
  );
}

type Kind = "of-group" | "own" | "beyond";

function Legend({ kind, text, shown }: { kind: Kind; text: string; shown: boolean }) {
  if (!shown) return null;
  return (
    <span className="legend">
      <i className={`pb ${kind}${kind === "beyond" ? "" : " on"}`} aria-hidden="true" />
      {text}
    </span>
  );
}

/** What is given, or taken, area by area. */
function Change({ kind, title, lines }: { kind: "gives" | "takes"; title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div className={`change ${kind}`}>
      <b>
        <span aria-hidden="true">{kind === "gives" ? "+" : "−"}</span> {title}
      </b>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

interface BoxProps {
  readonly permission: Permission;
  readonly word: string;
  readonly name: string;
  readonly why: string;
  readonly checked: boolean;
  /** own: direct, or not given · beyond: not the operator's to give. */
  readonly kind: Kind;
  /** Differs from what is saved. */
  readonly marked: boolean;
  readonly locked: boolean;
  readonly isStop: boolean;
  readonly takeRef: ((element: HTMLElement | null) => void) | undefined;
  /** With its word beside it. */
  readonly spelled?: true;
  onFocus(): void;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
  onTurn(): void;
}

/** One box. A locked one can still be come to, so that it can be heard why. */
const RightBox = memo(
  function RightBox({ permission, word, name, why, checked, kind, marked, locked, isStop, takeRef, spelled, ...on }: BoxProps) {
    const live = useRef(on);
    useEffect(() => {
      live.current = on;
    });
    return (
      <label
        className={["right", spelled && "spelled", marked && (checked ? "gives" : "takes")].filter(Boolean).join(" ")}
        title={`${name}\n${why}`}
      >
        <input
          ref={takeRef}
          type="checkbox"
          className={`pb ${kind}`}
          data-permission={permission}
          tabIndex={isStop ? 0 : -1}
          checked={checked}
          aria-label={why === "" ? name : `${name}. ${why}`}
          aria-disabled={locked || undefined}
          onFocus={() => live.current.onFocus()}
          onKeyDown={(event) => live.current.onKeyDown(event)}
          onChange={() => live.current.onTurn()}
        />
        {spelled && <span>{word}</span>}
      </label>
    );
  },
  (a, b) =>
    (Object.keys(a) as (keyof BoxProps)[]).every((key) => typeof a[key] === "function" || a[key] === b[key]) && a.isStop === b.isStop,
);
