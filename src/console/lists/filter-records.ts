import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { linkedOf, listRouteOf } from "../../contract/list-route.ts";
import { isAllowed } from "../../contract/permissions.ts";
import type { ScreenName } from "../../contract/screens.ts";
import { screens } from "../../contract/screens.ts";
import type { Linked } from "../../contract/controls.ts";
import type { Api } from "../api/api.ts";
import { useApi, useSignedIn } from "../api/use-api.ts";
import type { SignedIn } from "../api/session.ts";
import type { QueryField } from "../kit/query/query-field.ts";
import type { QueryList } from "../kit/query/query-list.ts";
import type { KnownRecords, ListFilter } from "./filters.ts";
import { mayNameRecord, queryFieldsOnce } from "./query-fields.ts";

/** ms for which loaded records are new enough to judge a line by. */
const fresh = 10_000;
/** Records of a page, the most a list answers. */
const pageSize = 500;
/** Records loaded of a screen; further ones are named by their uuids. */
const most = 5_000;

const nothing: KnownRecords = {};

type Filters = readonly ListFilter<never>[];

/** The records that a list's filters may name, as far as the operator may see them. */
export interface FilterRecords {
  /** What a line can ask, of those loaded so far. */
  fields(): readonly QueryField[];
  /** Whether a line may name one of them. */
  mayBeIn(line: string): boolean;
  /** Those loaded so far. */
  known(): KnownRecords;
  areKnown(): boolean;
  load(): Promise<KnownRecords>;
}

/** A list whose lines may name records: these are loaded before such a line is judged. */
export interface QueryListOfRecords extends QueryList {
  readonly records: FilterRecords;
}

async function read(call: Api["call"], screen: ScreenName): Promise<readonly Linked[]> {
  const list = listRouteOf(screen);
  const all: Linked[] = [];
  let cursor: string | undefined;
  do {
    const { data, meta } = await call(list, { query: { limit: pageSize, cursor } }, { background: true });
    all.push(...data.map(linkedOf));
    cursor = meta.next ?? undefined;
  } while (cursor !== undefined && all.length < most);
  return all;
}

/** Of the operator's tenant, currency and rights, so that another's are never taken for theirs. */
function queryOf({ call }: Api, at: SignedIn | null, filters: Filters) {
  const named = [...new Set(filters.flatMap(({ record }) => record?.to ?? []))].toSorted();
  const seen = named.filter((screen) => isAllowed(at?.context.permissions ?? {}, screens[screen].permission));
  return {
    queryKey: [at?.tenant.id ?? null, at?.currency?.code ?? null, "filter-records", seen],
    queryFn: async (): Promise<KnownRecords> =>
      Object.fromEntries(await Promise.all(seen.map(async (screen) => [screen, await read(call, screen)] as const))),
    staleTime: fresh,
  };
}

export function filterRecords(api: Api, filters: Filters): FilterRecords {
  const query = () => queryOf(api, api.session.store.getState().at, filters);
  const known = () => api.queries.getQueryData<KnownRecords>(query().queryKey);
  const fieldsWith = queryFieldsOnce(filters);
  const fields = () => fieldsWith(known() ?? nothing);
  return {
    fields,
    mayBeIn: (line) => mayNameRecord(line, fields()),
    known: () => known() ?? nothing,
    areKnown: () => known() !== undefined,
    load: () => api.queries.fetchQuery(query()),
  };
}

/** The same for what is drawn, loaded once they are asked for; `isReady`: no more of them will come. */
export function useFilterRecords(filters: Filters, isAsked: boolean): { readonly known: KnownRecords; readonly isReady: boolean } {
  const isNamed = filters.some(({ record }) => record?.to !== undefined);
  const { data, isError } = useQuery({ ...queryOf(useApi(), useSignedIn(), filters), enabled: isAsked && isNamed });
  return { known: data ?? nothing, isReady: data !== undefined || isError || !isNamed };
}

/**
 * Those known, and each that a row has named since the list was opened: whoever may not list them knows them from rows alone, which go while
 * others are on their way.
 */
export function useSeenRecords<Row>(filters: readonly ListFilter<Row>[], rows: readonly Row[], known: KnownRecords): KnownRecords {
  const [named, setNamed] = useState<KnownRecords>(nothing);
  const all = useMemo(() => withNamed(named, filters, rows), [named, filters, rows]);
  if (all !== named) setNamed(all);
  return useMemo(() => bothOf(all, known), [all, known]);
}

/** `named` with the records that these rows name; itself where they name no other. */
function withNamed<Row>(named: KnownRecords, filters: readonly ListFilter<Row>[], rows: readonly Row[]): KnownRecords {
  let all = named;
  for (const { record } of filters) {
    const { to, of } = record ?? {};
    if (to === undefined || of === undefined) continue;
    const there = new Map(all[to]?.map((one) => [one.uuid, one]));
    const before = there.size;
    for (const row of rows) {
      const one = of(row);
      if (one !== null && !there.has(one.uuid)) there.set(one.uuid, one);
    }
    if (there.size > before) all = { ...all, [to]: [...there.values()] };
  }
  return all;
}

/** Of a record in both, `known` tells the name: it is the later one. */
const bothOf = (named: KnownRecords, known: KnownRecords): KnownRecords => ({
  ...named,
  ...Object.fromEntries(
    Object.entries(known).map(([screen, records]) => [screen, [...(named[screen as ScreenName] ?? []), ...records]]), // its own keys
  ),
});
