import { Icon } from "../kit/icon.tsx";
import { markOf } from "./shown.ts";

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
