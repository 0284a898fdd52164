import { mostPins } from "../src/contract/preferences.ts";
import type { Pin, PinThreshold } from "../src/contract/preferences.ts";
import type { AnyCommand, Reason } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import type { Context } from "../src/console/kit/commands/context.ts";
import type { ViewsDesk } from "../src/console/kit/commands/views.ts";

/** The places of pinned views in the counters. */
const pinPlaces = Array.from({ length: mostPins }, (_, n) => n + 1);
const everywhere = { scope: "console", subject: null, takes: "none", permission: "signed-in" } as const;

const ofScreen = { scope: "screen", desk: "views", subject: null, takes: "none", permission: "signed-in" } as const;
const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

const viewsOf = (context: Context): ViewsDesk | null => context.pane?.views ?? null;
const onDigit = (context: Context, digit: number) => viewsOf(context)?.slots.find((slot) => slot.digit === digit);

/** Refuses unless the current view is a saved one that the user owns. */
function needsOwn(context: Context): Reason | null {
  return needsSaved(context) ?? (viewsOf(context)?.current?.mine ? null : "view.refuse.not-mine");
}

/** A pin with this threshold, for the records that the screen is of. */
const pinHere = (context: Context, threshold: PinThreshold | null): Pin => {
  const params = viewsOf(context)?.params ?? {};
  return { threshold, ...(Object.keys(params).length > 0 && { params }) };
};

const needsSaved = (context: Context): Reason | null => (viewsOf(context)?.current ? null : "view.refuse.not-saved");

/** Saved views: filters, sort and columns of a screen under a name (`v`, 1–9, 0). */
export const viewCommands: readonly AnyCommand[] = [
  ...digits.map((digit) =>
    defineCommand({
      ...ofScreen,
      id: `view.pick-${digit}`,
      keys: [String(digit)],
      quiet: true,
      refuse: (_, context) => (onDigit(context, digit) ? null : { key: "view.refuse.none-here", words: { digit } }),
      run(_, __, context) {
        const slot = onDigit(context, digit);
        if (slot) viewsOf(context)?.pick(slot.id);
      },
    }),
  ),
  defineCommand({
    ...ofScreen,
    id: "view.reset",
    keys: ["0"],
    run: (_, __, context) => viewsOf(context)?.reset(),
  }),
  defineCommand({
    ...ofScreen,
    id: "view.list",
    keys: ["v"],
    run: (_, services) => services.open("palette", "*"),
  }),
  defineCommand({
    ...ofScreen,
    id: "view.save",
    refuse: (_, context) => needsOwn(context) ?? (viewsOf(context)?.changed ? null : "view.refuse.unchanged"),
    run: (_, __, context) => viewsOf(context)?.save(),
  }),
  defineCommand({
    ...ofScreen,
    id: "view.save-as",
    async run(_, services, context) {
      const views = viewsOf(context);
      if (!views) return;
      const named = await services.ask("text", {
        title: "view.ask.name",
        words: {},
        initial: views.current?.name ?? "",
        maximum: 60,
        hint: "view.ask.name.hint",
      });
      const name = named?.trim() ?? "";
      if (name === "") return;
      const digit = await services.ask("choice", {
        title: "view.ask.digit",
        words: { name },
        // the first free digit, so that no other view loses its digit unasked
        initial: String(digits.find((number) => onDigit(context, number) === undefined) ?? "none"),
        options: [
          ...digits.map((number) => ({
            id: String(number),
            label: String(number),
            note: onDigit(context, number)?.name ?? "",
            refused: null,
          })),
          { id: "none", label: services.text("view.digit.none"), note: "", refused: null },
        ],
      });
      if (digit === null) return;
      const who = await services.ask("choice", {
        title: "view.ask.shared",
        words: { name },
        options: [
          { id: "mine", label: services.text("view.private"), note: services.text("view.private.note"), refused: null },
          { id: "shared", label: services.text("view.shared"), note: services.text("view.shared.note"), refused: null },
        ],
      });
      if (who === null) return;
      await views.saveAs({ name, digit: digit === "none" ? null : Number(digit), shared: who === "shared" });
    },
  }),
  defineCommand({
    ...ofScreen,
    id: "view.default",
    refuse: (_, context) => needsSaved(context),
    run(_, __, context) {
      const views = viewsOf(context);
      return views?.setDefault(!views.current?.default);
    },
  }),
  defineCommand({
    ...ofScreen,
    id: "view.pin",
    keys: ["w v"],
    refuse: (_, context) => needsSaved(context),
    async run(_, { shell }, context) {
      const view = viewsOf(context)?.current;
      if (view) await shell.pinView(view, "me", view.pin === null ? pinHere(context, view.tenant_pin?.threshold ?? null) : null);
    },
  }),
  defineCommand({
    ...ofScreen,
    id: "view.threshold",
    keys: ["w a"],
    refuse: (_, context) => needsSaved(context),
    async run(_, { shell }, context) {
      const view = viewsOf(context)?.current;
      if (view) await shell.setThreshold(view, pinHere(context, null));
    },
  }),
  defineCommand({
    ...ofScreen,
    id: "view.pin-for-all",
    refuse: (_, context) => needsOwn(context) ?? (viewsOf(context)?.current?.shared ? null : "problem.pin.not-shared"),
    async run(_, { shell }, context) {
      const view = viewsOf(context)?.current;
      if (view) await shell.pinView(view, "tenant", view.tenant_pin === null ? pinHere(context, view.pin?.threshold ?? null) : null);
    },
  }),
  ...pinPlaces.map((place) =>
    defineCommand({
      ...everywhere,
      id: `pinned.open-${place}`,
      keys: [`g ${place}`],
      quiet: true,
      run: (_, { shell, say }) =>
        place <= shell.pinnedCount() ? shell.openPinned(place) : say("pin.none-here", { place: String(place) }, "warn"),
    }),
  ),
  defineCommand({
    ...ofScreen,
    id: "view.delete",
    careful: true,
    refuse: (_, context) => needsOwn(context),
    async run(_, services, context) {
      const views = viewsOf(context);
      const name = views?.current?.name ?? "";
      const sure = await services.ask("confirm", { title: "view.ask.delete", text: "view.ask.delete.text", words: { name } });
      if (sure) await views?.remove();
    },
  }),
];
