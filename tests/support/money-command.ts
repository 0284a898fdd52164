import type fc from "fast-check";
import { expect } from "vitest";
import type { Refusal } from "../../src/contract/problems.ts";
import type { Item, Model, Verdict } from "./money-model.ts";
import type { Who } from "./money-moved.ts";
import type { Real } from "./money-office.ts";
import { compare } from "./money-office.ts";
import { only } from "./payments.ts";

export type Command = fc.AsyncCommand<Model, Real>;
export type Outcome = { readonly done: true } | { readonly done: false; readonly problem: { readonly code: string } };
export type Answer = Promise<{ data: { outcomes: readonly Outcome[] } }>;

/** Any act: what it does to both, and the comparison after it. */
export function command(name: string, check: (model: Model) => boolean, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check,
    async run(model, real) {
      await run(model, real);
      await compare(model, real);
    },
    toString: () => name,
  };
}

/** The outcome of what throws its refusals. */
export const tried = (work: Promise<unknown>): Promise<Outcome> =>
  work.then(
    () => ({ done: true as const }),
    (error: unknown) => ({ done: false as const, problem: { code: (error as Refusal).code } }), // another error has none, and fails
  );

export function expectOutcome(outcome: Outcome, refused: string | null): void {
  if (refused === null) expect(outcome).toMatchObject({ done: true });
  else expect(outcome).toMatchObject({ done: false, problem: { code: refused } });
}

export const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(all.length, 1)];

/** Three times of four one of those the act is for, where there are such: else most acts would be refused. */
export function aim<T>(all: readonly T[], at: number, suits: (one: T) => boolean): T | undefined {
  const suited = at % 4 === 0 ? [] : all.filter(suits);
  return pick(suited.length > 0 ? suited : all, at);
}

/** A line is free again, and so is every item it was matched to. */
export function giveBack({ items, lines }: Model, at: number | null): void {
  const line = at === null ? undefined : lines[at];
  if (!line) return;
  Object.assign(line, { status: "unmatched", version: line.version + 1 });
  for (const item of items) if (item.line === at) Object.assign(item, { line: null, proof: null });
}

/** Acts on an item; what happens must be what `verdict` says. `refused`: what stays of it even then. */
export const acting = (
  name: string,
  at: number,
  verdict: (model: Model, item: Item) => Verdict,
  send: (real: Real, item: Item) => Promise<Outcome>,
  refused: (model: Model, item: Item) => Partial<Item> = () => ({}),
): Command =>
  command(
    `${name} #${at}`,
    ({ items }) => items.length > 0,
    async (model, real) => {
      const item = aim(model.items, at, (one) => typeof verdict(model, one) !== "string");
      if (!item) return;
      const wanted = verdict(model, item);
      const outcome = await send(real, item);
      const isRefused = typeof wanted === "string";
      expectOutcome(outcome, isRefused ? wanted : null);
      const changed = isRefused ? refused(model, item) : wanted;
      if (Object.keys(changed).length > 0) Object.assign(item, { version: item.version + 1 }, changed);
      if (!isRefused && item.status === "rejected") giveBack(model, item.line);
    },
  );

export const refOf = ({ uuid, version }: { readonly uuid: string; readonly version: number }) => ({ uuid, version });
export const rowsOf = (item: Item) => ({ rows: [refOf(item)] });
export const callOf = ({ office }: Real, who: Who) => office.call(office[who]);
export const outcomeOf = async (answer: Answer): Promise<Outcome> => only(await answer);

/** An act that both kinds have, each by its own route. */
export const either = (item: Item, deposit: () => Answer, withdrawal: () => Answer) =>
  outcomeOf(item.kind === "deposit" ? deposit() : withdrawal());
