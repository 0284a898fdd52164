import type { Locator } from "playwright";

/** From field to field by Tab, as the form orders them, until this one has the focus. */
export async function tabTo(wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let presses = 0; presses < 40; presses++) {
    // oxlint-disable-next-line no-await-in-loop -- one press after the other
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    // oxlint-disable-next-line no-await-in-loop
    await wanted.page().keyboard.press("Tab");
  }
  throw new Error(`Tab never came to ${wanted.toString()}`);
}

/** Puts another text in a field's place, by keys alone. */
export async function rewrite(wanted: Locator, text: string): Promise<void> {
  await tabTo(wanted);
  await wanted.page().keyboard.press("Control+a");
  await wanted.page().keyboard.type(text);
}
