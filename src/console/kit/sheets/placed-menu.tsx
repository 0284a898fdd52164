import "./sheets.css";
import type { KeyboardEvent } from "react";
import { useCallback, useId, useLayoutEffect, useMemo, useRef } from "react";
import { createPortal } from "react-dom";
import { CommandKey } from "../look/command-button.tsx";
import type { Menu } from "../commands/menu.ts";
import { commandName, reasonText, useText } from "../texts/texts.ts";
import { useDialog } from "./use-dialog.ts";
import { useKit, useStore, useVerdict } from "../use-kit.ts";

/** The menu that is open at a place on the page, if any. */
export function PlacedMenu() {
  const open = useStore(useKit().menu);
  return open === null ? null : <OpenMenu menu={open} />;
}

/** px from the window's edges. */
const margin = 8;

function OpenMenu({ menu }: { menu: Menu }) {
  const t = useText();
  const kit = useKit();
  const box = useRef<HTMLDivElement>(null);
  const first = useRef<HTMLElement>(null);
  const close = useCallback(() => kit.menu.set(null), [kit]);
  const dialog = useMemo(() => ({ name: "menu", acts: { close, next: close, previous: close } }), [close]);
  useLayoutEffect(() => {
    first.current = itemsOf(box.current)[0] ?? box.current;
    if (box.current !== null) place(box.current, menu.at, kit.context.getState().rightToLeft);
  }, [menu, kit]);
  const release = useDialog(dialog, first);

  function onKeyDown(event: KeyboardEvent): void {
    const items = itemsOf(box.current);
    const to = target(event.key, items, items.indexOf(document.activeElement as HTMLElement)); // -1 where the focus is on none of them
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    to.focus();
  }

  return createPortal(
    <div data-overlay="">
      <button type="button" className="menu-veil" tabIndex={-1} aria-label={t("sheet.close")} onPointerDown={close} />
      <div ref={box} className="placed-menu menu" role="menu" tabIndex={-1} aria-label={t(menu.title, menu.words)} onKeyDown={onKeyDown}>
        {menu.groups.map((group) => (
          <div key={group[0]?.command} role="group">
            {group.map(({ command, name }) => (
              <Item
                key={command}
                id={command}
                name={name === undefined ? commandName(t, command) : t(name)}
                onRun={() => {
                  release();
                  close();
                }}
              />
            ))}
          </div>
        ))}
      </div>
    </div>,
    document.body,
  );
}

/** `onRun` closes the menu, which returns the focus before the command moves it. */
function Item({ id, name, onRun }: { id: string; name: string; onRun: () => void }) {
  const t = useText();
  const kit = useKit();
  const reasonId = useId();
  const { verdict } = useVerdict(id);
  if (verdict.state === "absent") return null;
  const why = verdict.state === "refused" ? reasonText(t, verdict.reason) : undefined;
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={why === undefined ? undefined : true}
      aria-describedby={why === undefined ? undefined : reasonId}
      title={why}
      onClick={({ detail }) => {
        if (why === undefined) onRun();
        kit.run(id, detail === 0 ? "focus" : "button");
      }}
    >
      <span className="cut">{name}</span>
      <span className="key">
        <CommandKey id={id} />
      </span>
      {why !== undefined && (
        <span id={reasonId} className="sr">
          {why}
        </span>
      )}
    </button>
  );
}

const itemsOf = (box: HTMLElement | null): readonly HTMLElement[] => [...(box?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];

/** The item a key leads to: arrows wrap, Home and End go to the ends, a letter to the next item that begins with it. */
function target(key: string, items: readonly HTMLElement[], at: number): HTMLElement | undefined {
  if (key === "ArrowDown") return items[(at + 1) % items.length];
  if (key === "ArrowUp") return items.at(at <= 0 ? -1 : at - 1);
  if (key === "Home") return items[0];
  if (key === "End") return items.at(-1);
  if ([...key].length !== 1 || key === " ") return undefined;
  const letter = key.toLocaleLowerCase();
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find((item) => item.textContent.toLocaleLowerCase().startsWith(letter));
}

/** Places the menu under its anchor, aligned with its start and whole in the window. */
function place(menu: HTMLElement, at: DOMRectReadOnly, rightToLeft: boolean): void {
  const { width, height } = menu.getBoundingClientRect();
  const within = (from: number, most: number) => Math.max(margin, Math.min(from, most - margin));
  menu.style.left = `${within(rightToLeft ? at.right - width : at.left, window.innerWidth - width)}px`;
  menu.style.top = `${within(at.bottom, window.innerHeight - height)}px`;
}
