import { z } from "zod";
import { lineStatuses } from "./bank-transactions.ts";
import { merchantStatuses } from "./merchants.ts";
import { shownAccountStatuses } from "./payment-accounts.ts";
import type { Permission } from "./permissions.ts";
import { screens } from "./screens.ts";
import type { ScreenName } from "./screens.ts";
import { defineRoutes } from "./route.ts";
import { transactionStatuses } from "./transactions.ts";
import { Amount, choices, Instant, longestSearch, Uuid } from "./wire.ts";

/** Screens whose records the search box finds. */
type FoundScreen = { [S in ScreenName]: (typeof screens)[S] extends { readonly found: number } ? S : never }[ScreenName];
type FoundKind = (typeof screens)[FoundScreen]["subject"];

const foundScreens = Object.entries(screens)
  .flatMap(([name, screen]) => ("found" in screen ? [name as FoundScreen] : []))
  .toSorted((a, b) => screens[a].found - screens[b].found); // Object.entries widens
const byKind = <Value>(valueOf: (screen: FoundScreen) => Value): Readonly<Record<FoundKind, Value>> =>
  Object.fromEntries(foundScreens.map((screen) => [screens[screen].subject, valueOf(screen)])) as Record<FoundKind, Value>; // one of each

/** The kinds of record search finds, by the subject of a screen's rows. */
export const searchKinds = foundScreens.map((screen) => screens[screen].subject) as [FoundKind, ...FoundKind[]]; // there are some
/** A kind is found for users who may see its screen. */
export const searchPermissions: Readonly<Record<FoundKind, Permission>> = byKind((screen) => screens[screen].permission);
/** Where a found record is shown. */
export const searchScreens: Readonly<Record<FoundKind, FoundScreen>> = byKind((screen) => screen);

export const Found = z.object({
  kind: z.enum(searchKinds),
  uuid: Uuid,
  /** The records that the path of its screen names. */
  params: z.record(z.string(), z.string()),
  /** Number or code as displayed. */
  name: z.string(),
  /** Customer, merchant's name or holder, an item's vendor, a game's provider, a line's account; empty: none. */
  note: z.string(),
  /** Code of a transaction's merchant. */
  merchant: z.string().nullable(),
  /** Of a transaction; when the bank booked a line. */
  created_at: Instant.nullable(),
  /** A transaction's or line's amount, or an account's balance; null: none. */
  amount: Amount.nullable(),
  /** Empty: it belongs to the tenant only. */
  currency: z.string(),
  /** null: this kind has no status. */
  status: z.enum([...new Set([...transactionStatuses, ...merchantStatuses, ...shownAccountStatuses, ...lineStatuses])]).nullable(),
});
export type Found = z.infer<typeof Found>;

export const searchRoutes = defineRoutes({
  /**
   * Ignores case, accents and width; names are found in any script, by a part where it is written without blanks. Exact ids first, then the last characters of numbers (six of a transaction's, four of an account's),
   * beginnings of names and codes, words of names; and where no word fits, words that differ by one letter. At most 12 of each kind
   * the caller may view. `q`: at least 2 characters; several ids may be separated by blanks or commas. `kinds`: only these.
   */
  search: {
    method: "GET",
    path: "/service/payment/api/tenant/v1/search",
    permission: searchKinds.map((kind) => searchPermissions[kind]) as [Permission, ...Permission[]], // there are some
    currency: true,
    query: z.strictObject({
      q: z.string().trim().min(2).max(longestSearch),
      /** Left out: all. */
      kinds: choices(searchKinds).optional(),
    }),
    reads: "much",
    answer: z.array(Found),
  },
});
