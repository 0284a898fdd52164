import { useState } from "react";
import { useTranslation } from "react-i18next";
import { offeredLanguages, useText } from "../kit/texts.ts";
import { setTheme, storedTheme } from "../kit/theme.ts";
import type { Theme } from "../kit/theme.ts";
import { useShell } from "./use-shell.ts";

const themes: readonly Theme[] = ["system", "light", "dark"];

/** Each language by its own name. */
export function LanguageChoice() {
  const t = useText();
  const { i18n } = useTranslation();
  const { setLanguage } = useShell();
  return (
    <>
      {offeredLanguages.map((language) => (
        <button key={language} type="button" lang={language} aria-pressed={i18n.language === language} onClick={() => void setLanguage(language)}>
          {t(`language.${language}`)}
        </button>
      ))}
    </>
  );
}

export function ThemeChoice() {
  const t = useText();
  const [chosen, setChosen] = useState(storedTheme);
  return (
    <>
      {themes.map((theme) => (
        <button key={theme} type="button" aria-pressed={chosen === theme} onClick={() => (setTheme(theme), setChosen(theme))}>
          {t(`theme.${theme}`)}
        </button>
      ))}
    </>
  );
}
