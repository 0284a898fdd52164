import { Icon } from "../kit/look/icon.tsx";
import { markOf } from "../kit/look/status.tsx";
import type { StatusMark } from "../kit/look/status.tsx";

/** Glyph, word and hue of a status. */
export const Mark = ({ value, word }: { value: string; word: string }) => <Marked mark={markOf(value)} word={word} />;

/** Glyph, word and hue together: never colour alone. */
export function Marked({ mark: { icon, hue }, word }: { mark: StatusMark; word: string }) {
  return (
    <span className={`st ${hue}`}>
      <Icon name={icon} />
      {word}
    </span>
  );
}
