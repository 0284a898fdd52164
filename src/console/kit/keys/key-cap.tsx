import { capsOf } from "./chord.ts";
import type { Chord } from "../commands/command.ts";

/** The keys of a chord as key caps, always left to right. */
export function KeyCap({ chord, bare }: { chord: Chord; bare?: boolean }) {
  const caps = capsOf(chord).flat();
  const [only] = caps;
  const className = bare === true ? "bare" : undefined;
  if (caps.length === 1) return <kbd className={className}>{only}</kbd>;
  if (bare === true) return <kbd className="bare">{caps.join(" ")}</kbd>;
  return (
    <span className="kk">
      {caps.map((cap, at) => (
        <kbd key={at}>{cap}</kbd>
      ))}
    </span>
  );
}
