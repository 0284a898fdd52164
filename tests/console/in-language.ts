import { vi } from "vitest";
import { startTexts } from "../../src/console/kit/texts/start-texts.ts";
import { setLanguage } from "../../src/console/kit/texts/texts.ts";

/** The console's texts in a language, without a page. */
export async function inLanguage(language: string): Promise<void> {
  // hidden: nothing waits for a frame to be drawn
  vi.stubGlobal("document", { documentElement: { lang: "", dir: "" }, visibilityState: "hidden" });
  await startTexts("en");
  await setLanguage(language);
}
