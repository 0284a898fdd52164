import { z } from "zod";
import type { Values } from "../../kit/form/conflict.ts";
import { currencyFields } from "./currency-work.ts";
import type { CurrencyDraft } from "./currency-work.ts";

/** What was typed into the settings and not saved, as it outlives a reload. */
const SettingDraft = z.object({
  /** Of the settings it was typed over. */
  version: z.int().nullable(),
  /** Field → what stood there, and what was typed instead. */
  fields: z.record(z.string(), z.object({ was: z.string(), typed: z.string() })),
  currency: z.record(z.enum(currencyFields), z.string()).nullable(),
});
export type SettingDraft = z.infer<typeof SettingDraft>;

/** What is to be kept; null where nothing was typed. */
export function draftOf(
  names: readonly string[],
  { was, values, version }: { readonly was: Values; readonly values: Values; readonly version: number | null },
  currency: CurrencyDraft | null,
): SettingDraft | null {
  if (names.length === 0 && currency === null) return null;
  return {
    version,
    fields: Object.fromEntries(names.map((name) => [name, { was: was[name] ?? "", typed: values[name] ?? "" }])),
    currency,
  };
}

/** A draft laid over the settings as they are now. */
export interface Restored {
  /** What the form began with: where another has saved meanwhile, what stood there when it was typed. */
  readonly was: Values;
  readonly version: number | null;
  readonly typed: Values;
  /** Fields another has changed, too. */
  readonly moved: number;
}

/** null: nothing of it differs from what is in force. */
export function restored(draft: SettingDraft, now: Values, version: number | null): Restored | null {
  const fields = Object.entries(draft.fields).filter(([name, { typed }]) => name in now && now[name] !== typed);
  if (fields.length === 0) return null;
  const typed = Object.fromEntries(fields.map(([name, field]) => [name, field.typed]));
  const moved = fields.filter(([name, field]) => field.was !== now[name]);
  if (moved.length === 0) return { was: now, version, typed, moved: 0 };
  // with the version it was typed over, saving is refused as overtaken and both sides are shown
  return {
    was: { ...now, ...Object.fromEntries(fields.map(([name, { was }]) => [name, was])) },
    version: draft.version,
    typed,
    moved: moved.length,
  };
}

/** What was kept, where it is a draft of this release. */
export const readDraft = (kept: unknown): SettingDraft | null => SettingDraft.safeParse(kept).data ?? null;
