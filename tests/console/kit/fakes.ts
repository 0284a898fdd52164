import type { AnyCommand } from "../../../src/console/kit/commands/command.ts";
import type { Context, PaneState } from "../../../src/console/kit/commands/context.ts";
import { lentBy } from "../../../src/console/kit/commands/desks.ts";
import type { GridHandle } from "../../../src/console/kit/commands/grid-handle.ts";
import type { KeyPress } from "../../../src/console/kit/keys/keys.ts";
import type { Services } from "../../../src/console/kit/commands/services.ts";
import type { Written } from "./keys/layouts.ts";

/** What a command did through its services, in order. */
export type Deeds = [service: string, ...with_: unknown[]][];

/** Services that record their calls. They replace a command's services, not code of ours. */
export function notingServices(deeds: Deeds = []): { services: Services; deeds: Deeds } {
  const note =
    (service: string) =>
    (...with_: unknown[]): void =>
      void deeds.push([service, ...with_]);
  const noting = (name: string): object => new Proxy({}, { get: (_, service) => note(`${name}${String(service)}`) });
  const services = new Proxy(noting(""), {
    get: (deps, service) =>
      service === "shell" ? noting("shell.") : service === "text" ? (key: string) => key : Reflect.get(deps, service),
  });
  return { services: services as Services, deeds }; // every service is there by the proxies
}

export function aContext(change: Partial<Context> = {}): Context {
  return {
    screen: "withdrawals",
    pane: null,
    dialog: null,
    typing: false,
    online: true,
    switching: false,
    tenant: "tenant",
    currency: "MYR",
    user: "user",
    permissions: {},
    now: 0,
    lent: change.pane == null ? {} : lentBy([change.pane]),
    ...change,
  };
}

export function aPane(change: Partial<PaneState> = {}): PaneState {
  return {
    id: "list",
    scopes: ["pane", "grid"],
    subject: "withdrawal",
    cursor: null,
    marked: [],
    grid: null,
    queue: null,
    detail: null,
    ...change,
  };
}

/** A pane's element that has the focus. */
export const focused = {
  contains: () => true,
  closest: () => null,
  get ownerDocument() {
    return { body: null, activeElement: focused };
  },
} as unknown as HTMLElement; // what the context asks of one

/** A row as the commands see it; only its uuid matters to the kit. */
export function aRow(uuid: string, more: object = {}): NonNullable<PaneState["cursor"]> {
  return { uuid, version: 1, ...more } as NonNullable<PaneState["cursor"]>; // the kit knows no entity
}

/** A grid that records its calls. */
export function notingGrid(calls: unknown[][] = [], state: { header?: boolean; text?: string; row?: object | null } = {}): GridHandle {
  const known: Partial<GridHandle> = {
    firstRows: () => null,
    inHeader: () => state.header === true,
    cursorText: () => state.text ?? "",
    cursorRow: () => state.row ?? null,
  };
  return new Proxy(known, {
    get: (grid, name) =>
      Reflect.get(grid, name) ??
      ((...with_: unknown[]) => {
        calls.push([String(name), ...with_]);
      }),
  }) as GridHandle; // every member is there by the proxy
}

type Held = Partial<Record<"ctrl" | "alt" | "meta" | "altGraph" | "repeat" | "composing", boolean>>;

export interface Pressed extends KeyPress {
  readonly prevented: boolean;
}

/** A keydown as a browser gives it. */
export function keydown({ key, code, shift = false }: { key: string; code: string; shift?: boolean }, held: Held = {}): Pressed {
  let prevented = false;
  return {
    key,
    code,
    shiftKey: shift,
    ctrlKey: held.ctrl === true,
    altKey: held.alt === true,
    metaKey: held.meta === true,
    isComposing: held.composing === true,
    keyCode: held.composing === true ? 229 : 0,
    repeat: held.repeat === true,
    target: null,
    getModifierState: (name) => name === "AltGraph" && held.altGraph === true,
    get defaultPrevented() {
      return prevented;
    },
    get prevented() {
      return prevented;
    },
    preventDefault() {
      prevented = true;
    },
    stopPropagation() {},
  };
}

/** A keydown on a US keyboard: "a", "A" (with Shift), "1", "Enter", "ArrowDown". */
export function usKey(key: string, held: Held = {}): Pressed {
  const shift = /^[A-Z?]$/.test(key);
  const code = /^[a-z]$/i.test(key)
    ? `Key${key.toUpperCase()}`
    : /^\d$/.test(key)
      ? `Digit${key}`
      : ({ " ": "Space", "?": "Slash", "/": "Slash", ".": "Period" }[key] ?? key);
  return keydown({ key, code, shift }, held);
}

export const written = (key: Written, held: Held = {}): Pressed => keydown(key, held);

type Made = Partial<AnyCommand> & Pick<AnyCommand, "id">;

/** A command that records that it ran. */
export function aCommand(deeds: unknown[], made: Made): AnyCommand {
  return {
    scope: "console",
    subject: null,
    takes: "none",
    permission: "signed-in",
    run: (rows) => void deeds.push(rows.length === 0 ? made.id : [made.id, ...rows]),
    ...made,
  };
}
