import { needTexts } from "./texts.ts";
import type { Texts } from "./texts.ts";

const ofOverlays = import.meta.glob<Texts>("../../../../locales/*.json", { query: "?part=overlays", import: "default" });
const ofRecords = import.meta.glob<Texts>("../../../../locales/*.json", { query: "?part=record", import: "default" });

const ofExports = import.meta.glob<Texts>("../../../../locales/*.json", { query: "?part=exports", import: "default" });

const ofShifts = import.meta.glob<Texts>("../../../../locales/*.json", { query: "?part=shifts", import: "default" });

/** Loads what is said of shifts that are handed over. */
export const needShiftTexts = (): Promise<void> => needTexts("shifts", ofShifts);

/** Loads what is said of files made from lists. */
export const needExportTexts = (): Promise<void> => needTexts("exports", ofExports);

/** Loads what the palette, help, the sheets and the key editor say, and the synonyms that commands are searched by (commandWords). */
export const needOverlayTexts = (): Promise<void> => needTexts("overlays", ofOverlays);

/** Loads what forms, details and lists say of any record: every screen and every step of sign-in has some of it. */
export const needRecordTexts = (): Promise<void> => needTexts("record", ofRecords);
