import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { availabilities } from "../../contract/availability.ts";

/** Columns of a row, each with an id; those it stands beneath are down with it. */
interface Lineage {
  readonly account?: RawBuilder<unknown>;
  readonly provider?: RawBuilder<unknown>;
  readonly game?: RawBuilder<unknown>;
}
const nothing = sql`null::uuid`;

/** Until when a row's entity is down at this moment, by a downtime of its own or of what stands above it; null: it is not. */
export const downUntil = (tenant: string, { account = nothing, provider = nothing, game = nothing }: Lineage): RawBuilder<Date | null> =>
  sql<Date | null>`down_until(${tenant}, ${account}, ${provider}, ${game}, now())`;

/** Whether it is down, as a list's column. */
export const availabilityOf = (tenant: string, lineage: Lineage): RawBuilder<unknown> =>
  sql`case when ${downUntil(tenant, lineage)} is null then 'up' else 'maintenance' end`;

/** Both columns of a row that tells of downtime. */
export const availabilityColumns = (tenant: string, lineage: Lineage): RawBuilder<unknown> =>
  sql`${downUntil(tenant, lineage)} as down_until, ${availabilityOf(tenant, lineage)} as availability`;

export interface AvailabilityRow {
  readonly availability: (typeof availabilities)[number];
  readonly down_until: Date | null;
}

export const availabilityView = ({ availability, down_until }: AvailabilityRow) => ({
  availability,
  down_until: down_until?.toISOString() ?? null,
});
