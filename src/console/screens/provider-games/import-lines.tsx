import type { GameImportLine } from "../../../contract/game-imports.ts";
import type { gameTypes } from "../../../contract/provider-games.ts";
import { hasText, text, useText } from "../../kit/texts/texts.ts";

/** A line of games, and what is to be said of it. */
export function GameLineCells({ line }: { readonly line: GameImportLine }) {
  return (
    <>
      <td className="mono cut">
        <bdi>{line.code}</bdi>
      </td>
      <td className="cut">
        <bdi>{line.name}</bdi>
      </td>
      <td className="cut">{typeWord(line.type)}</td>
      <Note line={line} />
    </>
  );
}

/** The type in the operator's words; what is none, as it was written. */
function typeWord(type: string): string {
  const key = `provider-game.type.${type as (typeof gameTypes)[number]}` as const; // what is none has no text
  return hasText(key) ? text(key) : type;
}

function Note({ line: { fault, picture_fault, image } }: { readonly line: GameImportLine }) {
  const t = useText();
  if (fault !== null) {
    return (
      <td className="why fail">
        {t(`provider-game.field.${fault.field}`)}: {fault.line}
      </td>
    );
  }
  if (picture_fault !== null) return <td className="why warn">{picture_fault}</td>;
  return (
    <td className="cut t3" dir="ltr">
      {image}
    </td>
  );
}
