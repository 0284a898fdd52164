import { useFormats } from "../../api/use-api.ts";
import { dayLength, placeIn } from "./timeline-span.ts";

interface DayProps {
  readonly midnight: number;
  readonly isOn: boolean;
  readonly windows: readonly { readonly start_time: string; readonly end_time: string }[];
  onPick(): void;
}

/** A day of the week, with what is down in it. */
export function Day({ midnight, isOn, windows, onPick }: DayProps) {
  const formats = useFormats();
  const stretch = { from: midnight, to: midnight + dayLength };
  const within = windows
    .map(({ start_time, end_time }) => ({ from: Date.parse(start_time), to: Date.parse(end_time) }))
    .filter(({ from, to }) => from < stretch.to && to > stretch.from);
  return (
    <button type="button" className="day" aria-pressed={isOn} onClick={onPick} tabIndex={-1}>
      <span>
        <bdi>{formats.day(midnight).slice(5)}</bdi>
        <em>{within.length}</em>
      </span>
      <span className="sketch" aria-hidden="true">
        {within.slice(0, 12).map((window, n) => (
          <i key={`${window.from} ${n}`} style={{ ...placeIn(stretch, window), "--y": n % 3 }} />
        ))}
      </span>
    </button>
  );
}
