import { expect, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { makeMerchant } from "../../support/factories.ts";
import { makeGame, makeProvider } from "../../support/game-provider.ts";
import { makeMasterAccount } from "../../support/master-accounts.ts";
import { makeOffice } from "../../support/payments.ts";

const db = testDatabase();

const [hour, week] = [3_600_000, 7 * 86_400_000];
const [from, to] = [Date.UTC(2026, 8, 1), Date.UTC(2028, 11, 1)];
/** Where summer time begins and ends on different days, on the other half of the year, by half an hour, and nowhere. */
const zones = ["Europe/Malta", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Manila", "Asia/Kolkata", null] as const;
type Zone = (typeof zones)[number];

/** A zone's distance from UTC in each quarter of an hour, as the platform has it and not PostgreSQL. */
function offsets(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset", year: "numeric" });
  const at = (time: number): number => {
    const text = format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(text) ?? [];
    return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  };
  const first = from - 3 * week;
  const steps = Array.from({ length: Math.ceil((to + 3 * week - first) / (hour / 4)) }, (_, n) => at(first + (n * hour) / 4));
  return (time) => steps[Math.floor((time - first) / (hour / 4))] ?? 0;
}
const offsetIn = Object.fromEntries(zones.map((zone) => [String(zone), zone === null ? () => 0 : offsets(zone)]));

/** The instant of a time of day: of two the later; one that summer time leaves out is as much later. */
function instantOf(local: number, zone: Zone): number {
  const offset = offsetIn[String(zone)] ?? (() => 0);
  const around = [offset(local - 26 * hour), offset(local + 26 * hour)];
  const fitting = around.map((one) => local - one).filter((at) => at + offset(at) === local);
  return fitting.length > 0 ? Math.max(...fitting) : local - (around[0] ?? 0);
}

interface Schedule {
  readonly level: "account" | "provider" | "game";
  readonly of: string;
  readonly starts: number;
  readonly ends: number;
  readonly weekly: boolean;
  readonly until: number | null;
  readonly zone: Zone;
}

/** All its windows there are, one after the other. */
function windowsOf({ starts, ends, weekly, until, zone }: Schedule): [number, number][] {
  const offset = offsetIn[String(zone)] ?? (() => 0);
  const found: [number, number][] = [];
  for (let n = 0; weekly ? starts + n * week < to : n < 1; n++) {
    const at = n === 0 ? starts : instantOf(starts + offset(starts) + n * week, zone);
    if (n > 0 && until !== null && at >= until) break;
    found.push([at, at + ends - starts]);
  }
  return found;
}

test(
  "what is down at an instant is what a reading of all windows finds, in every zone and across every change of the clock",
  { timeout: 1_800_000 },
  async () => {
    const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
    let state = seed;
    const random = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return state / 0x80000000;
    };
    const below = (most: number) => Math.floor(random() * most);
    const one = <T>(list: readonly T[]): T => list[below(list.length)] as T; // lists here are not empty

    const office = await makeOffice(db);
    const merchant = await makeMerchant(db, office.tenant);
    const lineages: { account: string; provider: string; game: string }[] = [];
    for (let n = 0; n < 4; n++) {
      const account = await makeMasterAccount(db, office.tenant);
      for (let m = 0; m < 3; m++) {
        const provider = await makeProvider(db, office.tenant, merchant, { master_account_id: account });
        for (let g = 0; g < 3; g++) lineages.push({ account, provider, game: await makeGame(db, office.tenant, provider) });
      }
    }

    const count = long({ share: 400, whole: 5_000 });
    // minutes, and the hours in which clocks change more often than others
    const moment = (): number =>
      from + below((to - from) / 86_400_000) * 86_400_000 + (random() < 0.5 ? below(5 * 60) : below(1_440)) * 60_000;
    const schedules = Array.from({ length: count }, (): Schedule => {
      const level = one(["account", "provider", "game", "game"] as const);
      const weekly = random() < 0.6;
      const starts = weekly ? from + below(40) * 86_400_000 + (random() < 0.7 ? below(5 * 60) : below(1_440)) * 60_000 : moment();
      const length = (random() < 0.8 ? 1 + below(180) : 1 + below(weekly ? 8_000 : 20_000)) * 60_000;
      const until = weekly && random() < 0.5 ? starts + 60_000 + below(to - starts) : null;
      return { level, of: one(lineages)[level], starts, ends: starts + length, weekly, until, zone: weekly ? one(zones) : null };
    });
    const windows = schedules.map((schedule) => ({ schedule, windows: windowsOf(schedule) }));
    const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
    const column = (level: Schedule["level"]) => schedules.map((schedule) => (schedule.level === level ? schedule.of : null));
    await db.owner.query(
      `insert into downtimes (tenant_id, currency, by_user, reason, master_account_id, merchant_provider_id, provider_game_id, starts_at,
        ends_at, weekly, repeats_until, zone)
      select $1, $2, $3, 'Maintenance', s.* from unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::timestamptz[], $8::timestamptz[],
        $9::boolean[], $10::timestamptz[], $11::text[]) s`,
      [
        office.tenant.id,
        office.tenant.currency,
        office.ann.id,
        column("account"),
        column("provider"),
        column("game"),
        schedules.map(({ starts }) => iso(starts)),
        schedules.map(({ ends }) => iso(ends)),
        schedules.map(({ weekly }) => weekly),
        schedules.map(({ until }) => iso(until)),
        schedules.map(({ zone }) => zone),
      ],
    );

    // half of them the very moment a window begins or ends, half of these beside a change of the clock by being within its weeks
    const edges = windows.flatMap((each) => each.windows.flat());
    const instants = Array.from({ length: long({ share: 150, whole: 1_000 }) }, () => (random() < 0.5 ? one(edges) : moment()));
    for (const at of instants) {
      const { rows } = await db.owner.query<{ game: string; until: Date | null }>(
        `select l.game, down_until($1, l.account, l.provider, l.game, $2) as until
        from unnest($3::uuid[], $4::uuid[], $5::uuid[]) l (account, provider, game)`,
        [office.tenant.id, iso(at), ...(["account", "provider", "game"] as const).map((level) => lineages.map((each) => each[level]))],
      );
      const read = lineages.map((lineage) => {
        const lasting = windows
          .filter(({ schedule }) => lineage[schedule.level] === schedule.of)
          .flatMap((each) => each.windows.filter(([begins, ends]) => begins <= at && at < ends));
        return { game: lineage.game, until: lasting.length === 0 ? null : new Date(Math.max(...lasting.map(([, ends]) => ends))) };
      });
      expect(rows, `seed ${seed}, at ${iso(at)}`).toEqual(read);
    }
    expect(windows.some((each) => each.windows.length > 80)).toBe(true);
  },
);
