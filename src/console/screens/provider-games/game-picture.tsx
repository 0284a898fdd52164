import { useEffect, useState } from "react";
import type { ProviderGameDetail } from "../../../contract/provider-games.ts";
import { useText } from "../../kit/texts/texts.ts";
import type { PictureSize } from "./pictures.ts";
import { pictures } from "./pictures.ts";

/** The address under which this page has a kept picture; null while it comes, or where there is none. */
export function usePicture(image: string | null, size: PictureSize): string | null {
  const [fetched, setFetched] = useState<{ readonly image: string; readonly address: string } | null>(null);
  const held = image === null ? null : pictures.held(image, size);
  useEffect(() => {
    if (image !== null && held === null) pictures.want(image, size, (address) => setFetched({ image, address }));
  }, [image, size, held]);
  return held ?? (fetched?.image === image ? fetched.address : null);
}

/** A game's picture, large. */
export function GamePicture({ detail: { row } }: { readonly detail: ProviderGameDetail }) {
  const t = useText();
  const address = usePicture(row.image, "large");
  if (row.image === null) return <p className="ln t3">{t("provider-game.picture.none")}</p>;
  return (
    <div className="game-picture">{address !== null && <img src={address} alt={t("provider-game.picture.of", { name: row.name })} />}</div>
  );
}
