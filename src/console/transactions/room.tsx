import { usedHue, usedShare } from "../kit/look/used-bar.tsx";
import { useText } from "../kit/texts/texts.ts";

interface RoomProps {
  readonly used: string;
  readonly limit: string;
  /** What the limit is for. */
  readonly of: "day" | "month";
  /** At the end of its line. */
  readonly end?: boolean;
}

/** A bar of how much of a limit is used. */
export function Room({ used, limit, of, end = false }: RoomProps) {
  const t = useText();
  const share = usedShare(used, limit);
  return (
    <span
      className={`room ${usedHue(share)} wide${end ? " end" : ""}`}
      title={t(`transaction.used-share.${of}`, { percent: Math.round(share) })}
    >
      <i style={{ "--v": `${share}%` }} />
    </span>
  );
}
