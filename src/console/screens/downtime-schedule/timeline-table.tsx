import { useFormats } from "../../api/use-api.ts";
import { Mark } from "../../entity/mark.tsx";
import { useText } from "../../kit/texts/texts.ts";
import type { DrawnLane } from "./timeline-lanes.ts";

/** The same windows to be read one after the other. */
export function TimelineTable({ lanes }: { readonly lanes: readonly DrawnLane[] }) {
  const t = useText();
  const formats = useFormats();
  return (
    <div className="as-table">
      <table>
        <thead>
          <tr>
            {(["entity", "of", "state", "start_time", "end_time", "reason"] as const).map((field) => (
              <th key={field} scope="col">
                {t(`downtime.field.${field}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lanes.flatMap(({ lane, blocks }) =>
            blocks.map(({ key, row, from, to, state }) => (
              <tr key={key}>
                <th scope="row">
                  <bdi>{lane.name}</bdi>
                </th>
                <td>
                  <bdi>{row.of || lane.note}</bdi>
                </td>
                <td>
                  <Mark value={state} word={t(`status.${state}`)} />
                </td>
                <td>
                  <bdi>{formats.time(from)}</bdi>
                </td>
                <td>
                  <bdi>{formats.time(to)}</bdi>
                </td>
                <td>
                  <bdi>{row.reason}</bdi>
                </td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>
  );
}
