import type { Permission, PermissionAction, PermissionArea } from "../../../contract/permissions.ts";
import { permissionTable, permissions } from "../../../contract/permissions.ts";

/** What somebody holds, or a group gives: directly, and by which groups (names) each. */
export interface Rights {
  readonly direct: ReadonlySet<string>;
  readonly given: ReadonlyMap<string, readonly string[]>;
}

export const noRights: Rights = { direct: new Set(), given: new Map() };

export const holds = ({ direct, given }: Rights, permission: string): boolean => direct.has(permission) || given.has(permission);

/** What a change gives and takes, in the table's order, whichever way each came or went. */
export function difference(before: Rights, now: Rights): { readonly gives: readonly Permission[]; readonly takes: readonly Permission[] } {
  return {
    gives: permissions.filter((one) => holds(now, one) && !holds(before, one)),
    takes: permissions.filter((one) => !holds(now, one) && holds(before, one)),
  };
}

/** Actions most areas have: each in a column of its own. */
export const columns = ["view", "create", "update", "delete", "export"] as const;
export type ColumnName = (typeof columns)[number];

export const actionOf = (permission: Permission): PermissionAction => permission.slice(permission.lastIndexOf(".") + 1) as PermissionAction; // a permission ends in one
export const areaOf = (permission: Permission): PermissionArea => permission.slice(0, permission.lastIndexOf(".")) as PermissionArea; // and begins with one

/** An area's boxes: those in columns, null where it has no such action, and beneath them all others. */
export interface AreaRow {
  readonly area: PermissionArea;
  readonly inColumns: readonly (Permission | null)[];
  readonly more: readonly Permission[];
}

export const sectionNames = ["payments", "people", "vendors", "providers"] as const;
export type SectionName = (typeof sectionNames)[number];
const prefixes: Readonly<Record<string, SectionName>> = { pas: "payments", vs: "vendors", gps: "providers" };

const areas = Object.keys(permissionTable) as PermissionArea[]; // Object.keys widens

function rowOf(area: PermissionArea): AreaRow {
  const all = permissions.filter((permission) => areaOf(permission) === area);
  const inColumns = columns.map((column) => all.find((permission) => actionOf(permission) === column) ?? null);
  return { area, inColumns, more: all.filter((permission) => !inColumns.includes(permission)) };
}

/** The whole table, by what its areas are about. */
export const sections: readonly { readonly name: SectionName; readonly rows: readonly AreaRow[] }[] = sectionNames.map((name) => ({
  name,
  rows: areas.filter((area) => (prefixes[area.split(".")[0] ?? ""] ?? "people") === name).map(rowOf),
}));

export const boxesOf = ({ inColumns, more }: AreaRow): Permission[] => [...inColumns.filter((one) => one !== null), ...more];

/** Boxes as they stand: a line each for columns and for what is beneath, every box with how far along it is. */
export type Lines = readonly (readonly { readonly permission: Permission; readonly at: number }[])[];

export const linesOf = (rows: readonly AreaRow[]): Lines =>
  rows
    .flatMap(({ inColumns, more }) => [
      inColumns.flatMap((permission, at) => (permission === null ? [] : [{ permission, at }])),
      more.map((permission, at) => ({ permission, at })),
    ])
    .filter((line) => line.length > 0);

export type Motion = "next" | "previous" | "down" | "up" | "row-start" | "row-end" | "first" | "last";

/** Where a motion leads from a box; the box itself where it leads nowhere. */
export function moved(rows: readonly AreaRow[], from: Permission, motion: Motion): Permission {
  const lines = linesOf(rows);
  const line = lines.findIndex((boxes) => boxes.some(({ permission }) => permission === from));
  const at = lines[line]?.find(({ permission }) => permission === from)?.at ?? 0;
  const row = rows.find((one) => boxesOf(one).includes(from));
  const own = row ? boxesOf(row) : [];
  const place = own.indexOf(from);
  const nearest = (boxes: Lines[number] | undefined) => boxes?.toSorted((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0]?.permission;
  const all = lines.flat().map(({ permission }) => permission);
  const targets: Readonly<Record<Motion, Permission | undefined>> = {
    next: own[place + 1],
    previous: own[place - 1],
    down: nearest(lines[line + 1]),
    up: nearest(lines[line - 1]),
    "row-start": own[0],
    "row-end": own.at(-1),
    first: all[0],
    last: all.at(-1),
  };
  return targets[motion] ?? from;
}

/** These turned on, or where all are on, off. */
export function turned(direct: ReadonlySet<string>, which: readonly Permission[]): ReadonlySet<string> {
  const off = which.every((one) => direct.has(one));
  return new Set(off ? [...direct].filter((one) => !which.some((other) => other === one)) : [...direct, ...which]);
}

/** Rows in which each word typed is found: in what the area is called, or in one of its actions. */
export function found(rows: readonly AreaRow[], typed: string, wordsOf: (row: AreaRow) => readonly string[]): readonly AreaRow[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return rows;
  return rows.filter((row) => {
    const words = wordsOf(row).map((word) => word.toLowerCase());
    return wanted.every((one) => words.some((word) => word.includes(one)));
  });
}

/** "Withdrawals: recall, take over" for each area, in the table's order. */
export function byArea(all: readonly Permission[]): readonly { readonly area: PermissionArea; readonly all: readonly Permission[] }[] {
  const found_ = new Map<PermissionArea, Permission[]>();
  for (const permission of all) {
    const area = areaOf(permission);
    found_.set(area, [...(found_.get(area) ?? []), permission]);
  }
  return [...found_].map(([area, of]) => ({ area, all: of }));
}
