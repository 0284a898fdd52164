import { needRecordTexts } from "../kit/texts/late-texts.ts";
import { needTexts } from "../kit/texts/texts.ts";
import type { Texts } from "../kit/texts/texts.ts";

const ofSteps = import.meta.glob<Texts>("../../../locales/*.json", { query: "?part=sign-in", import: "default" });

/** Loads what the steps of sign-in, two-factor and passwords say, with what any form says. */
export async function needStepTexts(): Promise<void> {
  await Promise.all([needTexts("sign-in", ofSteps), needRecordTexts()]);
}
