import { Icon } from "../kit/look/icon.tsx";
import { markOf } from "../kit/look/status.tsx";

/** Glyph, word and hue together: never colour alone. */
export function Mark({ value, word }: { value: string; word: string }) {
  const { icon, hue } = markOf(value);
  return (
    <span className={`st ${hue}`}>
      <Icon name={icon} />
      {word}
    </span>
  );
}
