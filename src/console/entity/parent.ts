import type { z } from "zod";
import type { PermissionMap } from "../../contract/permissions.ts";
import { isAllowed } from "../../contract/permissions.ts";
import type { Route } from "../../contract/route.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { Whereto } from "../../contract/addresses.ts";
import { screens } from "../../contract/screens.ts";

type Params = Readonly<Record<string, string>>;

/** The record that a nested screen belongs to: one of the list on `screen`, which its path names as `param`. */
export interface Parent {
  readonly screen: ScreenName;
  readonly param: string;
  /** Answers the record; its path has the record as {uuid}, or what this screen's path has by the same names. */
  readonly read: Route;
  titleOf(answer: unknown): string;
  /** Ids that the list's path names and this screen's does not, as the record itself tells them. Left out: there are none. */
  paramsOf?(answer: unknown): Params;
  /** Of the list it stands in. */
  readonly parent?: Parent;
}

/** Checks the type of the answer its title is made of, then hides it. */
export const parentBy = <R extends Route>(
  parent: Omit<Parent, "read" | "titleOf" | "paramsOf"> & {
    readonly read: R;
    titleOf(answer: z.output<R["answer"]>): string;
    paramsOf?(answer: z.output<R["answer"]>): Params;
  },
): Parent => parent as unknown as Parent; // the title is asked of what that route answered

/** A list above, and the record of it that this screen belongs to. */
export interface Ancestor {
  readonly parent: Parent;
  readonly list: Whereto;
  readonly record: Whereto;
  /** What its route is sent. */
  readonly params: Params;
}

/** The places of an ancestor once its record has answered. */
export function placesOf({ parent, list, record }: Ancestor, answer: unknown): Pick<Ancestor, "list" | "record"> {
  const told = answer === null ? {} : (parent.paramsOf?.(answer) ?? {});
  return { list: { ...list, params: { ...list.params, ...told } }, record: { ...record, params: { ...record.params, ...told } } };
}

/** Outermost first. */
export function ancestorsOf({ parent }: { readonly parent?: Parent }, params: Params): readonly Ancestor[] {
  if (parent === undefined) return [];
  const uuid = params[parent.param] ?? "";
  const one = { parent, list: { params }, record: { params, search: { record: uuid } }, params: { ...params, uuid } };
  return [...ancestorsOf(parent, params), one];
}

/** The lists above that the user may see, outermost first. */
export const seenAncestors = (entity: { readonly parent?: Parent }, params: Params, permissions: PermissionMap): readonly Ancestor[] =>
  ancestorsOf(entity, params).filter(({ parent }) => isAllowed(permissions, screens[parent.screen].permission));

/** @throws when a screen's path does not name the record it is said to belong to */
export function requireNamed(screen: ScreenName, { parent }: { readonly parent?: Parent }): void {
  for (let above = parent; above !== undefined; above = above.parent) {
    if (!screens[screen].path.includes(`{${above.param}}`)) throw new Error(`the path of ${screen} names no ${above.param}`);
  }
}
