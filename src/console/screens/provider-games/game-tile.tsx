import type { ProviderGame } from "../../../contract/provider-games.ts";
import { Mark } from "../../entity/mark.tsx";
import { Icon } from "../../kit/look/icon.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { usePicture } from "./game-picture.tsx";

/** A game among others, by its picture. */
export function GameTile({ row }: { readonly row: ProviderGame }) {
  const t = useText();
  const address = usePicture(row.image, "large");
  return (
    <div className="game-tile">
      <div className="pic">{address === null ? <Icon name="game" /> : <img src={address} alt="" draggable={false} />}</div>
      <bdi className="name">{row.name}</bdi>
      <bdi className="mono t2">{row.code}</bdi>
      {row.availability === "up" ? (
        <Mark value={row.status} word={t(`status.${row.status}`)} />
      ) : (
        <Mark value={row.availability} word={t(`status.${row.availability}`)} />
      )}
    </div>
  );
}
