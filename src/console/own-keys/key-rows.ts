import { isFixed } from "../kit/commands/bindings.ts";
import { capsOf } from "../kit/keys/chord.ts";
import type { AnyCommand, Chord } from "../kit/commands/command.ts";
import type { MessageKey, Words } from "../kit/texts/messages.ts";
import { normalise } from "../kit/palette/palette-ranking.ts";
import { commandName, commandWords } from "../kit/texts/texts.ts";
import { startsWith } from "../kit/sheets/use-press-search.ts";

interface KeyGroup {
  readonly title: MessageKey;
  readonly commands: readonly AnyCommand[];
}

type Text = (key: MessageKey, words?: Words) => string;

/** Group of a command in the editor: commands that go to screens together, a screen's own under its name, the rest by scope. */
function groupOf(command: AnyCommand): MessageKey {
  if (command.leadsTo !== undefined) return "keys.group.go";
  if (command.screen !== undefined) return `screen.${command.screen}`;
  return `help.scope.${command.scope}`;
}

const spelt = (chord: Chord): string =>
  capsOf(chord)
    .map((caps) => caps.join("+"))
    .join(" ")
    .toLowerCase();

/** Commands with bindable keys that match the name or the pressed chord, by group in palette order. */
export function keyGroups(t: Text, commands: readonly AnyCommand[], name: string, pressed: Chord): KeyGroup[] {
  const wanted = normalise(name);
  const groups = new Map<MessageKey, AnyCommand[]>();
  for (const command of commands) {
    if (isFixed(command)) continue;
    const chords = command.keys ?? [];
    const fits =
      pressed !== ""
        ? chords.some((chord) => startsWith(chord, pressed))
        : wanted === "" ||
          normalise(`${commandName(t, command.id)} ${commandWords(t, command.id)}`).includes(wanted) ||
          command.id.includes(wanted) ||
          chords.some((chord) => spelt(chord) === wanted || chord.toLowerCase() === wanted);
    if (!fits) continue;
    const title = groupOf(command);
    groups.set(title, [...(groups.get(title) ?? []), command]);
  }
  return [...groups].map(([title, list]) => ({ title, commands: list }));
}
