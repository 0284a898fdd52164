/** Whether a press is of this small letter: as the layout writes it, or by its cap where the layout writes another script. */
export const isCapOf = (letter: string, { key, code }: Pick<KeyboardEvent, "key" | "code">): boolean =>
  key.toLowerCase() === letter || (code === `Key${letter.toUpperCase()}` && !/^[a-z]$/i.test(key));
