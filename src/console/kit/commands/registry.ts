import { isAllowed } from "../../../contract/permissions.ts";
import type { ScreenName } from "../../../contract/screens.ts";
import { boundCommands, collision, movedKeys, standardKeys } from "./bindings.ts";
import type { KeySet } from "./bindings.ts";
import { canonicalChord, isPrefix, pressesOf } from "../keys/chord.ts";
import type { AnyCommand, Chord, Reason, Right } from "./command.ts";
import { scopes } from "./command.ts";
import { lateCommands } from "./command-list.ts";
import type { CommandList } from "./command-list.ts";
import type { Context } from "./context.ts";
import type { Services } from "./services.ts";

/** absent: it does not apply here, or (with a reason) the right is missing. refused: not now. */
export type Verdict =
  | { readonly state: "absent"; readonly reason?: Reason }
  | { readonly state: "refused"; readonly reason: Reason }
  | { readonly state: "ready" };

/** "focus": a button pressed by Enter or Space; "button": by the pointer. */
export type Source = "key" | "palette" | "button" | "focus" | "menu";
export type Ran = "ran" | "failed" | "absent" | "refused" | "running";

export interface Continuation {
  readonly chord: Chord;
  readonly command: AnyCommand;
}

export interface Registry {
  /** In palette order, each with its current chords: those that have come. */
  list(): readonly AnyCommand[];
  /** The same with the default chords. */
  standard(): readonly AnyCommand[];
  /** Fetches the commands that come with a screen, or all there are; rejects where their chunk does not come. */
  need(screen: ScreenName | "all"): Promise<void>;
  /** Binds other chords, those of removed commands to their successors; all that shows or handles keys follows at once. */
  rebind(set: KeySet): void;
  /** Called after each rebinding, and when commands have come. */
  subscribe(listener: () => void): () => void;
  get(id: string): AnyCommand | undefined;
  /** Whether the screen is built and has a route. */
  isRouted(screen: ScreenName): boolean;
  /** Whether a command may run here and now; pure. */
  judge(command: AnyCommand, context: Context): Verdict;
  /** Judges the command, then runs it or says why not. Never throws; "running": the same act on the same rows has not ended. */
  run(id: string, source: Source, context: Context): Promise<Ran>;
  /** The command that owns this chord here, regardless of rights, so that a forbidden key never falls through to another. */
  owner(chord: Chord, context: Context): AnyCommand | null;
  /** Chords of this context that continue these presses. */
  continuations(presses: readonly string[], context: Context): readonly Continuation[];
  /** The marked rows, else the row under the cursor; null when there are none. */
  targets(command: AnyCommand, context: Context): readonly unknown[] | null;
}

interface RegistryOptions {
  readonly services: Services;
  readonly routedScreens: ReadonlySet<ScreenName>;
  onRan?(command: AnyCommand, source: Source): void;
}

const depth = (command: AnyCommand): number => scopes.indexOf(command.scope);

function scopeApplies(command: AnyCommand, context: Context): boolean {
  if (context.dialog !== null) {
    if (command.scope !== "dialog") return false;
    return command.act === undefined || context.dialog.acts[command.act] !== undefined;
  }
  switch (command.scope) {
    case "console":
      return true;
    case "screen":
      return context.screen !== null;
    case "header":
      return context.pane !== null && (context.pane.scopes.includes("header") || context.pane.grid?.inHeader() === true);
    case "dialog":
      return false;
    default:
      return context.pane?.scopes.includes(command.scope) === true;
  }
}

function rowsFor(command: AnyCommand, context: Context): readonly unknown[] | null {
  if (command.takes === "none" || command.subject === null) return [];
  const pane = context.pane;
  if (pane === null) return null;
  if (pane.marked.length > 0) return pane.marked;
  return pane.cursor === null ? null : [pane.cursor];
}

/** A refusal that ends by itself. */
export const isPassing = ({ passing }: AnyCommand, verdict: Verdict): boolean =>
  verdict.state === "refused" && passing?.includes(typeof verdict.reason === "string" ? verdict.reason : verdict.reason.key) === true;

/** The permission a command needs here; null where these records do not have the act. */
export const rightTo = ({ permission }: AnyCommand, { lent }: Pick<Context, "lent">): Right | "signed-in" | null =>
  typeof permission === "function" ? permission(lent) : permission;

const targetKey = (rows: readonly unknown[]): string =>
  rows.map((row) => (typeof row === "object" && row !== null && "uuid" in row ? String(row.uuid) : "?")).join();

/** Whether the operator has already seen this error; api/call marks such failures. */
function wasReported(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || ("reported" in error && error.reported === true));
}

/** @throws when two commands have the same id */
export function createRegistry(list: CommandList, { services, routedScreens, onRan }: RegistryOptions): Registry {
  const late = lateCommands(list);
  const byId = new Map<string, AnyCommand>();
  const byChord = new Map<Chord, AnyCommand[]>();
  const running = new Set<string>();
  const listeners = new Set<() => void>();
  let chords: { presses: string[]; chord: Chord; command: AnyCommand }[] = [];
  let bound: readonly AnyCommand[] = [];
  let keySet = standardKeys;

  function bind(): void {
    const commands = late.present();
    bound = boundCommands(commands, { ...keySet, keys: movedKeys(commands, keySet.keys) });
    byId.clear();
    byChord.clear();
    chords = [];
    for (const command of bound) {
      if (byId.has(command.id)) throw new Error(`two commands are called ${command.id}`);
      byId.set(command.id, command);
      for (const chord of command.keys ?? []) {
        const canonical = canonicalChord(chord);
        byChord.set(canonical, [...(byChord.get(canonical) ?? []), command]);
        chords.push({ presses: pressesOf(chord), chord: canonical, command });
      }
    }
  }
  bind();

  function rebound(): void {
    bind();
    for (const listener of listeners) listener();
  }

  function applies(command: AnyCommand, context: Context): boolean {
    return (
      scopeApplies(command, context) &&
      (command.leadsTo === undefined || routedScreens.has(command.leadsTo)) &&
      (command.screen === undefined || command.screen === context.screen) &&
      (command.subject === null ||
        command.subject === context.pane?.subject ||
        (command.subject === "any" && context.pane?.subject != null)) &&
      (command.desk === undefined || context.lent[command.desk] != null) &&
      rightTo(command, context) !== null
    );
  }

  function judge(command: AnyCommand, context: Context): Verdict {
    if (!applies(command, context)) return { state: "absent" };
    if (context.user === null) return { state: "absent" };
    const right = rightTo(command, context);
    if (right !== null && right !== "signed-in" && !isAllowed(context.permissions, right)) {
      const needed = typeof right === "string" ? right : right.join(" / ");
      return { state: "absent", reason: { key: "refuse.no-right", words: { permission: needed } } };
    }
    if (command.desk !== undefined && context.pane?.[command.desk] == null) {
      return { state: "refused", reason: `refuse.desk.${command.desk}` };
    }
    if (context.switching && (command.danger !== undefined || command.subject !== null || command.changes === true))
      return { state: "refused", reason: "refuse.switching" };
    if (command.danger !== undefined && !context.online) return { state: "refused", reason: "refuse.offline" };
    const rows = rowsFor(command, context);
    if (rows === null) return { state: "refused", reason: "refuse.no-row" };
    if (command.takes === "one" && rows.length > 1) {
      return { state: "refused", reason: { key: "refuse.one-row", words: { count: rows.length } } };
    }
    const reason = command.refuse?.(rows, context) ?? null;
    return reason === null ? { state: "ready" } : { state: "refused", reason };
  }

  return {
    list: () => bound,
    standard: late.present,
    async need(screen) {
      const before = late.present().length;
      try {
        await late.fetch(screen);
      } finally {
        if (late.present().length > before) rebound();
      }
    },
    rebind(set) {
      keySet = set;
      rebound();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get: (id) => byId.get(id),
    isRouted: (screen) => routedScreens.has(screen),
    judge,
    targets: rowsFor,
    async run(id, source, context) {
      const command = byId.get(id);
      if (command === undefined) throw new Error(`no command is called ${id}`);
      const verdict = judge(command, context);
      if (verdict.state !== "ready") {
        if (verdict.reason !== undefined) {
          const { key, words } = typeof verdict.reason === "string" ? { key: verdict.reason, words: {} } : verdict.reason;
          services.say(key, words, "warn");
        }
        return verdict.state;
      }
      const rows = rowsFor(command, context) ?? [];
      const act = `${id} ${targetKey(rows)}`;
      if (!command.overlaps && running.has(act)) return "running";
      try {
        const ending = command.run(rows, services, context);
        onRan?.(command, source);
        if (ending !== undefined) {
          running.add(act);
          await ending;
        }
        return "ran";
      } catch (error) {
        if (!wasReported(error)) {
          console.error(error);
          services.say("failure.unexpected", {}, "fail");
        }
        return "failed";
      } finally {
        running.delete(act);
      }
    },
    owner(chord, context) {
      let found: AnyCommand | null = null;
      for (const command of byChord.get(canonicalChord(chord)) ?? []) {
        if (applies(command, context) && (found === null || depth(command) > depth(found))) found = command;
      }
      return found;
    },
    continuations(presses, context) {
      return chords.filter((entry) => isPrefix(presses, entry.presses) && applies(entry.command, context));
    },
  };
}

interface Clash {
  readonly chords: readonly [Chord, Chord];
  readonly ids: readonly [string, string];
  readonly kind: "equal" | "prefix";
}

/** Collisions that are not allowed: equal chords in one place, and chords that start another. */
export function clashes(commands: readonly AnyCommand[]): Clash[] {
  const entries = commands.flatMap((command) => (command.keys ?? []).map((chord) => ({ command, chord: canonicalChord(chord) })));
  const found: Clash[] = [];
  entries.forEach((a, at) => {
    for (const b of entries.slice(at + 1)) {
      const kind = collision(a, b);
      if (kind !== null && kind !== "shadow") found.push({ chords: [a.chord, b.chord], ids: [a.command.id, b.command.id], kind });
    }
  });
  return found;
}
