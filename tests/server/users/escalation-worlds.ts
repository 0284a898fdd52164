import fc from "fast-check";
import { universe } from "./escalation-model.ts";
import type { House, Member, Right, Status, Step, World } from "./escalation-model.ts";

// Worlds of two tenants, and what people do in them, drawn so that an act is seldom refused for more than one reason.

export const people = 5;

const rights = fc.subarray([...universe]);
/** What the acts themselves need; all else is only held, given and taken. */
const administrative = universe.filter((right) => right.startsWith("cas."));
const work = universe.filter((right) => !administrative.includes(right));
const groups = ["g0", "g1", "g2"];

/** The owner of the first tenant and that of the second; in both, one who administers, and others, of whom the last is often no member. */
const [administrator, last] = [2, people - 1];
const memberOf = (who: number): fc.Arbitrary<Member | null> => {
  const isAdministrator = who === administrator;
  const member = fc.record({
    status: isAdministrator
      ? fc.constantFrom<Status>("active", "active", "active", "active", "active", "suspended")
      : fc.constantFrom<Status>("active", "active", "suspended", "inactive"),
    // nobody is in the last of them at first, so that it can be deleted
    groups: fc.subarray(groups.slice(0, -1), { maxLength: 1 }).map((codes) => new Set(codes)),
    direct: fc
      .tuple(rights, fc.subarray(administrative, { minLength: isAdministrator ? administrative.length - 1 : 0 }))
      .map(([some, most]) => new Set([...some.filter((right) => !isAdministrator || !administrative.includes(right)), ...most])),
  });
  return fc.option(member, { freq: who === last ? 1 : 8 });
};
const houseOf = (owner: number): fc.Arbitrary<House> =>
  fc
    .record({
      gives: fc.tuple(...groups.map(() => rights)),
      members: fc.tuple(...Array.from({ length: people }, (_, who) => memberOf(who))),
    })
    .map(({ gives, members }) => ({
      made: 0,
      groups: new Map([["owner", new Set<Right>()], ...gives.map((one, n): [string, Set<Right>] => [groups[n] ?? "", new Set(one)])]),
      members: new Map(
        members.flatMap((one, n): [number, Member][] => {
          if (n === owner) return [[n, { status: "active", groups: new Set(["owner"]), direct: new Set() }]];
          return one ? [[n, one]] : [];
        }),
      ),
    }));
export const worlds: fc.Arbitrary<World> = fc.tuple(houseOf(0), houseOf(1)).map((houses) => ({ houses, forced: new Set<number>() }));

/** Seldom the owners' group, which is the first. */
const group = fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 9, arbitrary: fc.integer({ min: 1, max: groups.length }) });
/** None or one at a time, so that what may not be given is not hidden behind what may not either. */
const several = fc.array(group, { maxLength: 1 });
const few = fc.oneof(
  { weight: 1, arbitrary: fc.subarray(administrative, { maxLength: 1 }) },
  { weight: 2, arbitrary: fc.subarray(work, { maxLength: 1 }) },
);
const status = fc.constantFrom<Exclude<Status, "pending">>("active", "inactive", "suspended");
const acts = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("rights" as const),
      groups: several,
      direct: few,
      foreign: fc.nat({ max: 11 }).map((n) => n === 11),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("status" as const), status }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("invite" as const), groups: several }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("accept" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("force" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("edit-group" as const), group, rights: few }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("create-group" as const), rights: few }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete-group" as const), group }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("dissolve" as const), group, into: group }) },
);
/** Who does it: an owner, who administers, or anybody; the same person may own one tenant and be a member of the other. */
const anybody = fc.nat({ max: last });
const by = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 5, arbitrary: fc.constant(administrator) },
  { weight: 2, arbitrary: anybody },
);
const whom = fc.oneof({ weight: 1, arbitrary: anybody }, { weight: 3, arbitrary: fc.integer({ min: administrator + 1, max: last }) });
const steps: fc.Arbitrary<Step> = fc
  .tuple(acts, fc.constantFrom(0 as const, 1 as const), by, whom)
  .map(([act, house, who, to]) => ({ ...act, house, by: who ?? house, whom: to }));
/** At most six acts: reference/threats-and-faults.md, G07. */
export const sequencesOfSteps = fc.noBias(fc.array(steps, { minLength: 1, maxLength: 6, size: "max" }));

/** Each run copies its world, because a failing one is run again to be shrunk. */
export const copied = ({ houses }: World): World => ({
  houses: houses.map(({ groups, members }) => ({
    made: 0,
    groups: new Map([...groups].map(([code, all]) => [code, new Set(all)])),
    members: new Map([...members].map(([who, one]) => [who, { ...one, groups: new Set(one.groups), direct: new Set(one.direct) }])),
  })) as unknown as World["houses"], // two, as there were
  forced: new Set(),
});
