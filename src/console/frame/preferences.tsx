import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { alwaysOffered } from "../../contract/languages.ts";
import { useApi } from "../api/use-api.ts";
import type { MessageKey } from "../kit/texts/messages.ts";
import { useText } from "../kit/texts/texts.ts";
import { themes } from "./appearance.ts";
import { useShell } from "./use-shell.ts";

/** Languages by their own names: those the tenant offers, or those always offered while signed out. */
export function LanguageChoice() {
  const t = useText();
  const { i18n } = useTranslation();
  const { setLanguage } = useShell();
  const opened = useStore(useApi().session.store, ({ at }) => at?.config.languages);
  return (
    <>
      {(opened ?? alwaysOffered).map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={i18n.language === language}
          onClick={() => void setLanguage(language)}
        >
          {t(`language.${language}` as MessageKey)}
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
