import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import type { Texts } from "./texts.ts";
import { setLanguage, text } from "./texts.ts";

const bundled = import.meta.glob<Texts>("../../../../locales/en.json", { query: "?part=first", import: "default", eager: true });

/**
 * Loads a language. English of the first screen is bundled and replaces a missing text or language; every other language is a
 * chunk of its own.
 */
export async function startTexts(language: string): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: "en",
    fallbackLng: "en",
    resources: { en: { translation: Object.assign({}, ...Object.values(bundled)) as Texts } },
    // keys are flat and dotted
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  const waiting = setTimeout(showWaiting, splashAfter);
  await setLanguage(language).catch(() => setLanguage("en"));
  clearTimeout(waiting);
}

/** ms within which a language normally loads. */
const splashAfter = 400;

/** Shows an English loading note, because the page is drawn only once its language is loaded. */
function showWaiting(): void {
  const splash = document.createElement("div");
  splash.className = "splash";
  splash.role = "status";
  splash.textContent = text("shell.loading");
  document.getElementById("root")?.replaceChildren(splash);
}
