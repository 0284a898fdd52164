import { settingSections } from "../../contract/settings.ts";
import { screenIcons } from "../kit/look/icon.tsx";
import { rank } from "../kit/palette/palette-ranking.ts";
import type { FoundRecord } from "../kit/palette/palette-store.ts";
import type { MessageKey } from "../kit/texts/messages.ts";
import { inEnglish, needTexts, text } from "../kit/texts/texts.ts";
import type { Texts } from "../kit/texts/texts.ts";

/** What the settings' screen says, which comes with it or when something is searched first. */
const ofSettings = import.meta.glob<Texts>("../../../locales/*.json", { query: "?part=setting", import: "default" });

/** Sections without a setting of their own. */
const furtherSections = ["currencies"] as const;

/** Most settings found for a text, and the least that one must match: a typo in a word, but no initials. */
const most = 6;
const leastScore = 200;

/** The settings and their sections, each with its name in the current language and in English. */
function candidates() {
  return [...Object.entries(settingSections), ...furtherSections.map((name) => [name, []] as const)].flatMap(([section, names]) => {
    const title = `setting.section.${section}` as MessageKey; // each section has its text
    const one = (key: MessageKey, id: string, note: readonly string[]) => ({
      id,
      section,
      name: text(key),
      english: inEnglish(() => text(key)),
      words: "",
      note: note.join(" › "),
    });
    const above = text("screen.setting");
    return [
      one(title, `setting ${section}`, [above]),
      // what is called like its section is found once
      ...names
        .map((name) => one(`setting.field.${name}` as MessageKey, `setting ${section} ${name}`, [above, text(title)])) // as above
        .filter(({ name }) => name !== text(title)),
    ];
  });
}

/** Settings that a text names in the current language or in English, best first; each opens its section. */
export async function findSettings(typed: string): Promise<FoundRecord[]> {
  await needTexts("setting", ofSettings);
  return rank(typed, candidates())
    .filter(({ score }) => score >= leastScore)
    .slice(0, most)
    .map(({ candidate: { id, name, note, section } }) => ({
      id,
      name,
      note,
      icon: screenIcons.setting,
      screen: "setting",
      search: { section },
      list: true,
    }));
}
