import { Command } from "cmdk";
import type { ReactNode } from "react";
import { memo } from "react";
import { Icon } from "../look/icon.tsx";
import type { IconName } from "../look/icon.tsx";
import type { FilterChip } from "../query/query-list.ts";
import { split } from "./palette-ranking.ts";

interface PaletteRowProps {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly icon: IconName;
  readonly note?: string | null | undefined;
  readonly end?: ReactNode;
  /** It may not run, but is not disabled, because cmdk would skip it: Enter says why, and never picks the next row instead. */
  readonly refused?: boolean;
  /** The part of its name that is marked instead of the match. */
  readonly wrong?: readonly [from: number, to: number] | undefined;
  readonly chips?: readonly FilterChip[] | undefined;
  onSelect(id: string): void;
}

/**
 * One row: icon, name with the match emphasised, chips, note, keys. After each key the list is drawn a second time because another row is
 * selected; a row whose properties are the same is not.
 */
export const PaletteRow = memo(function PaletteRow(props: PaletteRowProps) {
  const { id, name, text, icon, note, end, refused, wrong, chips = [], onSelect } = props;
  const found = wrong === undefined ? split(name, text) : [name.slice(0, wrong[0]), name.slice(...wrong), name.slice(wrong[1])];
  return (
    <Command.Item value={id} className={refused === true ? "res refused" : "res"} onSelect={onSelect}>
      <Icon name={refused === true ? "lock" : icon} />
      <span className="nm">
        {found === null ? (
          <bdi>{name}</bdi>
        ) : (
          <bdi>
            {found[0]}
            <mark className={wrong && "wrong"}>{found[1]}</mark>
            {found[2]}
          </bdi>
        )}
      </span>
      {chips.length > 0 && (
        <span className="asks">
          {chips.map(([title, words]) => (
            <span key={title}>
              <bdi>{title}</bdi>{" "}
              <b>
                <bdi>{words}</bdi>
              </b>
            </span>
          ))}
        </span>
      )}
      <span className="sb cut">{note}</span>
      <span className="en">{end}</span>
    </Command.Item>
  );
});
