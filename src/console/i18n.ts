import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import en from "../../locales/en.json";
import { hasText, setLanguage } from "./kit/texts.ts";

/** English is bundled and stands in for a text or a language that does not come; every other one is a chunk of its own. */
export async function startTexts(language: string): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: "en",
    fallbackLng: "en",
    resources: { en: { translation: en } },
    // keys are flat and dotted
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  await setLanguage(language).catch(() => setLanguage("en"));
}

/** A problem code's text where the page is not in the server's own language; null to take the server's words. */
export function problemText(code: string, data: unknown): string | null {
  const key = `problem.${code}`;
  if (code === "" || i18next.language === "en" || !hasText(key)) return null;
  return i18next.t(key, typeof data === "object" && data !== null ? { ...data } : {});
}
