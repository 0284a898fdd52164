import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { commands as list } from "../commands/index.ts";
import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import type { CommandList } from "../src/console/kit/commands/command-list.ts";
import { canonicalChord, isReserved, isTypable } from "../src/console/kit/keys/chord.ts";
import { comesLater, everyCommand } from "../src/console/kit/commands/command-list.ts";
import { clashes, createRegistry } from "../src/console/kit/commands/registry.ts";
import type { PaneState } from "../src/console/kit/commands/context.ts";
import type { Desks } from "../src/console/kit/commands/desks.ts";
import type { Entity } from "../src/console/entity/entity.ts";
import { rightsOf } from "../src/console/entity/entity-work.ts";
import { entities } from "./console/entity/entities.ts";
import { aContext, aPane, notingServices } from "./console/kit/fakes.ts";
import { exportRoutesOf } from "../src/contract/exports.ts";
import { routes } from "../src/contract/index.ts";
import type { Route } from "../src/contract/route.ts";
import { screens } from "../src/contract/screens.ts";
import type { ScreenName } from "../src/contract/screens.ts";

const locales = resolve(import.meta.dirname, "../locales");

const commands = await everyCommand(list);
const bound = commands.flatMap((command) => (command.keys ?? []).map((chord) => ({ id: command.id, chord })));

test("no two commands of one place share a key, and no key starts another", () => {
  expect(clashes(commands)).toEqual([]);
});

test("every key can be typed on all eight layouts without AltGr", () => {
  expect(bound.filter(({ chord }) => !isTypable(chord))).toEqual([]);
});

test("no key belongs to the browser or the system", () => {
  expect(bound.filter(({ chord }) => isReserved(chord))).toEqual([]);
});

test("every key is written in one way", () => {
  expect(bound.filter(({ chord }) => canonicalChord(chord) !== chord)).toEqual([]);
});

test("no two commands have one name", () => {
  expect(commands.map(({ id }) => id).toSorted()).toEqual([...new Set(commands.map(({ id }) => id))].toSorted());
});

test.each(readdirSync(locales).filter((file) => file.endsWith(".json")))("every command has its name and its synonyms in %s", (file) => {
  const texts = JSON.parse(readFileSync(join(locales, file), "utf8")) as Record<string, string>; // flat texts
  const nameOf = ({ id, leadsTo }: AnyCommand) => (id === `go.${leadsTo}` ? `screen.${leadsTo}` : `command.${id}`);
  const missing = commands.flatMap((command) => [nameOf(command), `command.${command.id}.words`]).filter((key) => !texts[key]);
  expect(missing).toEqual([]);
});

test("what the button of a record's act says instead of its command's name is said without a value", () => {
  const texts = JSON.parse(readFileSync(join(locales, "en.json"), "utf8")) as Record<string, string>; // flat texts
  const said = commands.map(({ id }) => id.replace(".", ".acts.")).filter((key) => key in texts);
  expect(said).toContain("record.acts.edit");
  expect(said.filter((key) => texts[key]?.includes("{{"))).toEqual([]);
});

test("every command asks for being signed in, or for a right that a route or its screen names", () => {
  const named = new Set<unknown>(Object.values<Route>(routes).flatMap(({ permission }) => permission));
  // what a desk tells is held where the desk is made (tests/console/entity/screens.test.ts)
  const wrong = commands.filter(({ permission, leadsTo }) =>
    [permission].flat().some((right) => {
      if (typeof right === "function") return false;
      const ofScreen = leadsTo !== undefined && screens[leadsTo].permission === right;
      return right !== "signed-in" && !ofScreen && !named.has(right);
    }),
  );
  expect(wrong.map(({ id, permission }) => `${id}: ${String(permission)}`)).toEqual([]);
});

test("nothing dangerous, and nothing done to a record, is open to whoever is signed in", () => {
  const open = commands.filter(
    ({ permission, danger, subject }) => permission === "signed-in" && (danger !== undefined || subject !== null),
  );
  expect(open.map(({ id }) => id)).toEqual([]);
});

test("only motions repeat while held", () => {
  expect(commands.filter((command) => command.repeats === true && (command.danger !== undefined || command.subject !== null))).toEqual([]);
});

test("what moves money or cannot be undone and has no key on purpose has none", () => {
  const keyless = /(change-status|send-callback|reset-credentials|adjust-wallet|clear-balance|delete|sign-out)$/;
  expect(commands.filter((command) => keyless.test(command.id) && command.keys !== undefined).map(({ id }) => id)).toEqual([]);
});

test("the key table is this one", async () => {
  const table = commands
    .filter((command) => command.keys !== undefined)
    .map(
      (command) =>
        `${command.scope.padEnd(8)} ${(command.subject ?? "").padEnd(11)} ${(command.keys ?? []).join("  ").padEnd(36)} ${command.id}`,
    )
    .join("\n");
  await expect(`${table}\n`).toMatchFileSnapshot("keymap.txt");
});

/** What the panes of each screen lend, as far as keys depend on it. */
const lent: Partial<Record<ScreenName, Pick<PaneState, "subject"> & Desks>> = {
  dashboard: { subject: null, ...desks("board") },
  deposits: { subject: "deposit", list: listOf("deposits"), ...desks("queue", "decision", "live", "receipts", "views") },
  withdrawals: {
    subject: "withdrawal",
    list: listOf("withdrawals"),
    ...desks("queue", "decision", "live", "receipts", "bankPage", "payouts", "views"),
  },
  setting: { subject: null, ...desks("form") },
  ...Object.fromEntries(
    entities.map((entity) => [
      entity.screen,
      {
        subject: entity.subject,
        list: listOf(entity.screen, entity),
        ...desks("views"),
        ...(entity.live !== undefined && desks("live")),
        ...(entity.screen === "bank-transactions" && desks("matching", "imports")),
        ...movingLent(entity.screen),
        ...(entity.screen !== "transfers" && { record: { may: rightsOf(entity) } as unknown as Desks["record"] }),
      }, // all that keys need
    ]),
  ),
};

function movingLent(screen: ScreenName): Desks {
  if (screen === "transfers") return desks("moving", "transfers", "receipts");
  return ["payment-accounts", "merchants"].includes(screen) ? desks("moving") : {};
}
function desks(...names: (keyof Desks)[]): Desks {
  return Object.fromEntries(names.map((name) => [name, {}])) as Desks; // that they are there is all that keys need
}
function listOf(screen: ScreenName, { hasHistory, linkOf }: Pick<Entity, "hasHistory" | "linkOf"> = { hasHistory: true }): Desks["list"] {
  const showHistory = hasHistory ? () => undefined : null;
  const routes = exportRoutesOf(screen);
  const list = { view: "dashboard.view", exports: routes && { routes }, showHistory, linked: linkOf ? () => null : null };
  return list as unknown as Desks["list"]; // as above
}

const screensLent = Object.keys(lent) as ScreenName[]; // the names above
const contextOf = (screen: ScreenName) => aContext({ screen, pane: aPane({ scopes: ["pane"], ...lent[screen] }) });
const aRegistry = (of: CommandList) => createRegistry(of, { services: notingServices().services, routedScreens: new Set(screensLent) });

test("commands that come with screens apply on no other, and come with every screen of their records", async () => {
  const all = aRegistry(commands);
  const late = list.filter(comesLater);
  const own = await Promise.all(late.map(async ({ screens: with_, load }) => ({ with_, commands: await load() })));
  expect(own.length).toBeGreaterThan(5);
  const wrong = own.flatMap((group) =>
    group.commands.flatMap((command) =>
      (Object.keys(screens) as ScreenName[]) // Object.keys widens
        .filter((screen) => !group.with_.includes(screen))
        .filter((screen) => {
          const isOfItsRecords = command.subject !== null && screens[screen].subject === command.subject;
          return isOfItsRecords || (screen in lent && all.judge(command, contextOf(screen)).state !== "absent");
        })
        .map((screen) => `${command.id} on ${screen}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test("these keys work on these screens, with the commands that come with each", async () => {
  const registries = screensLent.map((screen) => [screen, aRegistry(list)] as const);
  await Promise.all(registries.map(([screen, registry]) => registry.need(screen)));
  const table = registries.flatMap(([screen, registry]) => {
    const context = contextOf(screen);
    const chords = [...new Set(bound.map(({ chord }) => chord))].toSorted();
    const owned = chords.flatMap((chord) => {
      const owner = registry.owner(chord, context);
      return owner === null || owner.scope === "console" ? [] : [`  ${chord.padEnd(18)} ${owner.id}`];
    });
    return [screen, ...owned, ""];
  });
  await expect(table.join("\n")).toMatchFileSnapshot("keymap-screens.txt");
});
