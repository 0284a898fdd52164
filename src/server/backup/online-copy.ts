import type { Client } from "pg";
import type { Anchor } from "../audit/anchors.ts";
import { chainHeads } from "../audit/seal.ts";

/** What PostgreSQL says of a base backup that is complete. */
export interface CopyEnd {
  readonly began: string;
  /** All that was committed before is in the copy. */
  readonly until: string;
  readonly start: string;
  readonly stop: string;
  readonly label: string;
  /** Each audit chain's head as the copy has it. */
  readonly heads: readonly Anchor[];
}

/** Folders of a cluster whose content PostgreSQL makes anew at its start; they must be there. The log is copied after all else. */
const emptied = ["pg_wal", "pg_dynshmem", "pg_notify", "pg_replslot", "pg_serial", "pg_snapshots", "pg_stat_tmp", "pg_subtrans"];
/** Files that belong to the running postmaster, to another backup, or are being written. */
const ofTheMoment = ["postmaster.pid", "postmaster.opts", "backup_label", "backup_label.old", "tablespace_map", "tablespace_map.old"];
const temporary = /(?:^|\/)(?:pgsql_tmp[^/]*|pg_internal\.init[^/]*|postgresql\.auto\.conf\.tmp|current_logfiles\.tmp)(?:\/|$)/;

/** Whether a base backup leaves this path of the cluster out, as PostgreSQL's documentation lists them. */
export const isLeftOut = (path: string): boolean =>
  ofTheMoment.includes(path) || temporary.test(path) || emptied.some((folder) => path.startsWith(`${folder}/`));

/** Copied last and whole, because PostgreSQL rewrites it in place while it runs. */
export const controlFile = "global/pg_control";

interface Copying {
  /** Copies the cluster's files, while others change them. */
  cluster(): Promise<void>;
  /** Copies the log of that time, by the names of its files in pg_wal, without which the cluster's copy is not whole. */
  log(segments: readonly string[]): Promise<void>;
}

/**
 * Runs the copying in the backup mode of PostgreSQL. `owner` is a superuser's connection that nobody else uses: until the log is copied
 * none of it is removed, and the connection's end, even by a kill, ends all of this. Throws when PostgreSQL was started by a release that
 * logged too little.
 */
export async function whileBackingUp(owner: Client, copying: Copying): Promise<CopyEnd> {
  const { rows: levels } = await owner.query<{ wal_level: string }>("show wal_level");
  if (levels[0]?.wal_level === "minimal") {
    throw new Error("the running PostgreSQL logs too little for a backup, because an earlier release started it: restart the server");
  }
  // temporary: it ends with the connection; reserved at once: the log is kept from here on
  const { rows: slots } = await owner.query<{ name: string }>(
    "select slot_name as name from pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)",
  );
  const { rows: starts } = await owner.query<{ start: string; began: Date }>(
    "select pg_backup_start('countinghouse', fast => true) as start, clock_timestamp() as began",
  );
  const [begun] = starts;
  if (!begun) throw new Error("PostgreSQL did not begin the backup");
  await copying.cluster();
  // nothing is sealed between the reading of the heads and the end, so that an anchor of each vouches for all the copy has
  await owner.query("begin");
  await owner.query("lock table audit_heads in share mode");
  const heads = await chainHeads(owner);
  const { rows: moments } = await owner.query<{ until: Date }>("select clock_timestamp() as until");
  const { rows: ends } = await owner.query<{ stop: string; label: string }>("select lsn as stop, labelfile as label from pg_backup_stop()");
  await owner.query("commit");
  const [moment] = moments;
  const [end] = ends;
  if (!moment || !end) throw new Error("PostgreSQL did not end the backup");
  const { rows: segments } = await owner.query<{ name: string }>(
    `select pg_walfile_name('0/0'::pg_lsn + number * size + 1) as name
     from (select setting::numeric as size from pg_settings where name = 'wal_segment_size') segment,
       generate_series(div($1::pg_lsn - '0/0'::pg_lsn, size), div($2::pg_lsn - '0/0'::pg_lsn - 1, size)) number`,
    [begun.start, end.stop],
  );
  await copying.log(segments.map(({ name }) => name));
  await owner.query("select pg_drop_replication_slot($1)", [slots[0]?.name]);
  return {
    began: begun.began.toISOString(),
    until: moment.until.toISOString(),
    start: begun.start,
    stop: end.stop,
    label: end.label,
    heads,
  };
}
