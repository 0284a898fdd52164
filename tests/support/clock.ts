import type { TestDatabase } from "./database.ts";

/** The clock of a database that is put on: what the server asks of PostgreSQL is then another day, while time goes on as it does. */
export interface Clock {
  be(moment: Date): Promise<void>;
  /** Twenty minutes before a day or a month of the zone ends, and a minute after; those of the end of the present month, or of the day after. */
  beforeEnd(of: "day" | "month", zoneMinutes: number): Date;
  afterEnd(of: "day" | "month", zoneMinutes: number): Date;
}

/** To be made before the first connection of the server, because it learns where to look for a function when it connects. */
export async function makeClock({ owner }: TestDatabase): Promise<Clock> {
  await owner.query(`
    create schema clock;
    create table clock.ahead (by interval not null);
    insert into clock.ahead values ('0');
    create function clock.clock_timestamp() returns timestamptz language sql volatile security definer
      as 'select pg_catalog.clock_timestamp() + by from clock.ahead';
    grant usage on schema clock to public;
    do $$ begin execute format('alter database %I set search_path = clock, public, pg_catalog', current_database()); end $$;
  `);
  const started = new Date();
  const end = (of: "day" | "month", zoneMinutes: number): number => {
    const there = new Date(started.getTime() + zoneMinutes * 60_000);
    return Date.UTC(there.getUTCFullYear(), there.getUTCMonth() + 1, of === "month" ? 1 : 2) - zoneMinutes * 60_000;
  };
  return {
    async be(moment) {
      await owner.query("update clock.ahead set by = $1::timestamptz - pg_catalog.clock_timestamp()", [moment]);
    },
    beforeEnd: (of, zone) => new Date(end(of, zone) - 20 * 60_000),
    afterEnd: (of, zone) => new Date(end(of, zone) + 60_000),
  };
}
