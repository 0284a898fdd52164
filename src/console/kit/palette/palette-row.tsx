import { Command } from "cmdk";
import type { ReactNode } from "react";
import { Icon } from "../look/icon.tsx";
import type { IconName } from "../look/icon.tsx";
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
  onSelect(): void;
}

/** One row: icon, name with the match emphasised, note, keys. */
export function PaletteRow({ id, name, text, icon, note, end, refused, onSelect }: PaletteRowProps) {
  const found = split(name, text);
  return (
    <Command.Item value={id} className={refused === true ? "res refused" : "res"} onSelect={onSelect}>
      <Icon name={refused === true ? "lock" : icon} />
      <span className="nm">
        {found === null ? (
          <bdi>{name}</bdi>
        ) : (
          <bdi>
            {found[0]}
            <mark>{found[1]}</mark>
            {found[2]}
          </bdi>
        )}
      </span>
      <span className="sb cut">{note}</span>
      <span className="en">{end}</span>
    </Command.Item>
  );
}
