/** How often and how recently something was used: a sum of uses that halves every week. */
interface Use {
  readonly weight: number;
  /** Date.now() of the last use. */
  readonly at: number;
}

/** ms in which a use loses half its weight. */
export const halfLife = 7 * 24 * 60 * 60 * 1000;

/** Its weight now; a clock set back does not increase it. */
export function weightAt({ weight, at }: Use, now: number): number {
  return weight * 2 ** (-Math.max(0, now - at) / halfLife);
}

/** Adds a use. */
export function usedAgain(before: Use | undefined, now: number): Use {
  return { weight: (before === undefined ? 0 : weightAt(before, now)) + 1, at: now };
}

/** The heaviest first, at most `most`. */
export function heaviest<U extends Use>(uses: readonly U[], now: number, most: number): U[] {
  return uses.toSorted((a, b) => weightAt(b, now) - weightAt(a, now) || b.at - a.at).slice(0, most);
}

interface UsedCommand extends Use {
  readonly id: string;
}

/** A record opened from the palette, in one tenant and currency, because it exists nowhere else. */
export interface UsedRecord extends Use {
  readonly id: string;
  readonly tenant: string;
  readonly currency: string;
  readonly screen: string;
  /** The records that the screen's path has, where it has any. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly name: string;
}

/** What the palette was used for. */
export interface Used {
  readonly commands: readonly UsedCommand[];
  readonly records: readonly UsedRecord[];
}

export const nothingUsed: Used = { commands: [], records: [] };

const mostCommands = 40;
const mostRecords = 20;

function counted<U extends Use & { readonly id: string }>(uses: readonly U[], one: Omit<U, keyof Use>, now: number, most: number): U[] {
  const id = (one as { readonly id: string }).id; // Omit hides that the id is there
  const before = uses.find((use) => use.id === id);
  const use = { ...one, ...usedAgain(before, now) } as U; // the two halves of U
  // the one just used stays, whatever its weight
  return [
    use,
    ...heaviest(
      uses.filter((other) => other.id !== id),
      now,
      most - 1,
    ),
  ];
}

export function withCommand(used: Used, id: string, now: number): Used {
  return { ...used, commands: counted(used.commands, { id }, now, mostCommands) };
}

export function withRecord(used: Used, record: Omit<UsedRecord, keyof Use>, now: number): Used {
  return { ...used, records: counted(used.records, record, now, mostRecords) };
}

/** Joins two memories of a user from different browsers: each entry once, with its greater weight. */
export function joinUsed(a: Used, b: Used, now: number): Used {
  const join = <U extends Use & { readonly id: string }>(one: readonly U[], other: readonly U[], most: number): U[] => {
    const all = new Map<string, U>();
    for (const use of [...one, ...other]) {
      const known = all.get(use.id);
      if (known === undefined || weightAt(use, now) > weightAt(known, now)) all.set(use.id, use);
    }
    return heaviest([...all.values()], now, most);
  };
  return { commands: join(a.commands, b.commands, mostCommands), records: join(a.records, b.records, mostRecords) };
}
