import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { offeredLanguages, useText } from "../kit/texts.ts";
import { themes } from "./appearance.ts";
import { useShell } from "./use-shell.ts";

/** Each language by its own name. */
export function LanguageChoice() {
  const t = useText();
  const { i18n } = useTranslation();
  const { setLanguage } = useShell();
  return (
    <>
      {offeredLanguages.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={i18n.language === language}
          onClick={() => void setLanguage(language)}
        >
          {t(`language.${language}`)}
        </button>
      ))}
    </>
  );
}

export function ThemeChoice() {
  const t = useText();
  const { appearance } = useShell();
  const chosen = useStore(appearance.store, ({ theme }) => theme);
  return (
    <>
      {themes.map((theme) => (
        <button key={theme} type="button" aria-pressed={chosen === theme} onClick={() => appearance.setTheme(theme)}>
          {t(`theme.${theme}`)}
        </button>
      ))}
    </>
  );
}
