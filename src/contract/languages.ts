/** All languages of the product; those of `alwaysOffered` cannot be turned off (specification, point 1). */
export const languages = ["en", "zh", "ar", "fr", "de", "it", "ru", "es"] as const;
export type Language = (typeof languages)[number];
export const rightToLeftLanguages: readonly Language[] = ["ar"];
export const alwaysOffered = ["en", "zh"] as const satisfies readonly Language[];
