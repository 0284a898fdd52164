import { isAllowed } from "../../contract/permissions.ts";
import { screens } from "../../contract/screens.ts";
import type { ScreenName } from "../../contract/screens.ts";
import { alwaysOffered } from "../../contract/languages.ts";
import type { Api } from "../api/api.ts";
import { createFormats } from "../api/formats.ts";
import { instantTitle } from "../api/instant.tsx";
import { loadChunk } from "../kit/loading/chunk.ts";
import { screenIcons } from "../kit/look/icon.tsx";
import type { MessageKey } from "../kit/texts/messages.ts";
import type { PaletteSources } from "../kit/palette/palette-store.ts";
import { text } from "../kit/texts/texts.ts";
import { besideParam, readBeside } from "./beside.ts";
import type { Search } from "./palette-search.ts";
import { shownBy } from "./record-address.ts";
import { plainMoment, readMoment } from "../../values/moments.ts";

/** ms after the first screen when what finds records is fetched in advance, together with the palette. */
const soon = 1_500;

/** The palette's tenants, currencies, languages and records; what finds these comes a moment later. */
export function paletteSources(api: Api, routed: ReadonlySet<ScreenName>, languageNow: () => string): PaletteSources {
  const at = () => api.session.store.getState().at;
  const time = (instant: string) => createFormats(at()?.currency?.country.timezone.gmt).time(instant);
  const isScreen = (name: string): name is ScreenName => name in screens;

  let finders: Search | null = null;
  const search = async () => (finders ??= (await loadChunk(() => import("./palette-search.ts"))).paletteSearch(api, routed));
  setTimeout(() => void search().catch(() => undefined), soon);

  return {
    tenants: () =>
      (at()?.context.available_tenants ?? []).map(({ id, code, name }) => ({
        id,
        name,
        note: code,
        current: id === at()?.tenant.id,
        words: code,
      })),
    currencies: () =>
      (at()?.config.currencies ?? []).map(({ code, name, country }) => ({
        id: code,
        name: code,
        note: name,
        end: country.timezone.gmt,
        current: code === at()?.currency?.code,
        words: country.name,
      })),
    languages: () =>
      (at()?.config.languages ?? alwaysOffered).map((id) => ({
        id,
        name: text(`language.${id}` as MessageKey),
        current: id === languageNow(),
      })),
    findRecords: async (typed, signal) => (await search()).findRecords(typed, signal),
    findLinked: async (screen, typed, signal) => (await search()).findLinked(screen, typed, signal),
    findAmount: async (typed, signal) => (await search()).findAmount(typed, signal),
    completions: (typed, caret) =>
      finders === null ? search().then(({ completions }) => completions(typed, caret) ?? []) : finders.completions(typed, caret),
    // what could not be read is shown as it was typed, to be put right
    writeMoment: (instant) => (/^\d{4}-\d\d-\d\dT/.test(instant) ? time(instant) : instant),
    readMoment(typed) {
      const now = api.time.now();
      const found = readMoment(
        plainMoment(typed, (word) => text(`moment.${word}`)),
        now,
        createFormats(at()?.currency?.country.timezone.gmt).zone,
      );
      return found === null ? null : new Date(found.from).toISOString();
    },
    workplace(pane) {
      const now = at();
      const here = createFormats(now?.currency?.country.timezone.gmt);
      const { [besideParam]: other, record: _, ...main } = Object.fromEntries(new URLSearchParams(window.location.search));
      const { record: __, ...second } = readBeside(other ?? null)?.search ?? {};
      return {
        tenant: now?.tenant.name ?? "",
        currency: now?.currency?.code ?? "",
        user: now?.user.name ?? "",
        zone: here.zone,
        zoneText: here.zoneText,
        time: here.time(api.time.now()),
        stamp: here.stamp(api.time.now()),
        timeOf: here.time,
        search: pane.startsWith("beside.") ? second : main,
      };
    },
    stampOf(machine) {
      const instant = new Date(machine + api.time.now() - Date.now()).toISOString();
      const here = createFormats(at()?.currency?.country.timezone.gmt);
      return { instant, clock: here.seconds(instant), title: instantTitle(here, instant, "part") };
    },
    recall({ id, screen, name, params }) {
      const permissions = at()?.context.permissions ?? {};
      if (!isScreen(screen) || !routed.has(screen) || !isAllowed(permissions, screens[screen].permission)) return null;
      // one of an earlier edition does not say where it is
      if (screens[screen].path.includes("{") && params === undefined) return null;
      const record = { id, name, icon: screenIcons[screen], note: text(`screen.${screen}`), screen, search: shownBy(screen, name, id) };
      return { ...record, ...(params && { params }) };
    },
  };
}
