/** What is told of a file's rows on a sheet of its own. */
export interface AboutRows {
  readonly screen: string;
  readonly tenant: string;
  /** null: they are of no currency. */
  readonly currency: string | null;
  readonly user: string;
  /** When they were as they are in the file, and the zone of all its times, as people read them. */
  readonly time: string;
  readonly zone: string;
  readonly rows: string;
  /** Label and value of each, in words. */
  readonly filters: readonly (readonly [label: string, value: string])[];
}

type Line = [label: string, value: string];

/** The lines of that sheet; `word`: a text by its key. */
export function aboutLines({ filters, ...told }: AboutRows, word: (key: string) => string | null): Line[] {
  const label = (name: string): string => word(`export.about.${name}`) ?? name;
  return [
    [label("screen"), word(`screen.${told.screen}`) ?? told.screen],
    [label("tenant"), told.tenant],
    ...(told.currency === null ? [] : [[label("currency"), told.currency] satisfies Line]),
    [label("user"), told.user],
    [label("time"), told.time],
    [label("zone"), told.zone],
    [label("rows"), told.rows],
    ...(filters.length === 0
      ? [[label("filter"), label("no-filter")] satisfies Line]
      : filters.map(([name, value]): Line => [`${label("filter")}: ${name}`, value])),
  ];
}
