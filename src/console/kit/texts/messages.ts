import type en from "../../../../locales/en.json";

type Plural = "zero" | "one" | "two" | "few" | "many" | "other";
type Singular<K> = K extends `${infer Base}_${Plural}` ? Base : K;

/** A key of locales/en.json; plural forms by their base. */
export type MessageKey = Singular<Extract<keyof typeof en, string>>;

/** Values for the text's {{placeholders}}. */
export type Words = Readonly<Record<string, string | number>>;
