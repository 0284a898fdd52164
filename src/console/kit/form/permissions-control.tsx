import type { KeyboardEvent } from "react";
import { useRef, useState } from "react";
import { permissions } from "../../../contract/permissions.ts";
import { splitList } from "./codecs.ts";
import { isRightToLeft } from "./chips.tsx";
import type { ControlProps } from "./control-props.ts";
import { saidOf } from "./control-props.ts";

const areaOf = (permission: string): string => permission.slice(0, permission.lastIndexOf("."));
const actionOf = (permission: string): string => permission.slice(permission.lastIndexOf(".") + 1);

/** All permissions in the table's order, by area. */
const areas = [...new Set(permissions.map(areaOf))].map((area) => ({ area, held: permissions.filter((one) => areaOf(one) === area) }));

/**
 * Permissions, a line to each area: one stop of Tab. Arrows go from box to box and from line to line, Space turns one, and "a" all of its
 * line. Names stay as the specification has them, since people and API clients agree by them.
 */
export function PermissionsControl(props: ControlProps) {
  const { id, value, readOnly, takeRef, onWrite } = props;
  const table = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState<string>(permissions[0] ?? "");
  const held = new Set(splitList(value));
  const write = (next: (permission: string) => boolean): void => onWrite(permissions.filter(next).join(", "));

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>, permission: string): void {
    const line = areas.findIndex(({ area }) => area === areaOf(permission));
    const place = areas[line]?.held.findIndex((one) => one === permission) ?? 0;
    const forward = isRightToLeft(event.currentTarget) ? "ArrowLeft" : "ArrowRight";
    const backward = forward === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
    const at = (toLine: number, toPlace: number) => {
      const found = areas[Math.min(areas.length - 1, Math.max(0, toLine))]?.held;
      return found?.[Math.min(found.length - 1, Math.max(0, toPlace))];
    };
    const targets: Readonly<Record<string, string | undefined>> = {
      [forward]: at(line, place + 1),
      [backward]: at(line, place - 1),
      ArrowDown: at(line + 1, place),
      ArrowUp: at(line - 1, place),
      Home: at(line, 0),
      End: at(line, 99),
    };
    const target = targets[event.key];
    if (target !== undefined) {
      setStop(target);
      table.current?.querySelector<HTMLElement>(`[data-permission="${target}"]`)?.focus();
    } else if (event.key === "a" && !readOnly) {
      const ofLine = areas[line]?.held ?? [];
      const all = ofLine.every((one) => held.has(one));
      write((one) => (ofLine.some((other) => other === one) ? !all : held.has(one)));
    } else return;
    event.preventDefault();
  }

  return (
    <div
      ref={table}
      {...saidOf(props)}
      aria-required={undefined}
      role="group"
      aria-labelledby={`${id}-label`}
      className="permissions-control"
    >
      {areas.map(({ area, held: ofArea }) => (
        <div key={area} role="group" aria-label={area} className="area">
          <span className="mono t2 cut">{area}</span>
          <span className="actions">
            {ofArea.map((permission) => (
              <label key={permission}>
                <input
                  ref={permission === stop ? takeRef : undefined}
                  type="checkbox"
                  data-permission={permission}
                  tabIndex={permission === stop ? 0 : -1}
                  checked={held.has(permission)}
                  aria-disabled={readOnly || undefined}
                  onFocus={() => setStop(permission)}
                  onKeyDown={(event) => onKeyDown(event, permission)}
                  onChange={(event) => {
                    const { checked } = event.target;
                    if (!readOnly) write((one) => (one === permission ? checked : held.has(one)));
                  }}
                />
                {actionOf(permission)}
              </label>
            ))}
          </span>
        </div>
      ))}
    </div>
  );
}
