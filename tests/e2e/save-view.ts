import type { Operator } from "./operator.ts";

/** Saves what is shown as a view on a digit, private unless all are to see it, all of it in the palette. */
export async function saveView(hands: Operator, name: string, digit: string, who: "mine" | "shared" = "mine"): Promise<void> {
  const { page } = hands;
  await hands.press("k", { mod: true });
  await page.locator("[cmdk-input]:focus").waitFor();
  await page.keyboard.type("Save as a new view");
  await page.locator("[cmdk-item][data-selected=true]", { hasText: "Save as a new view" }).waitFor();
  await hands.press("Enter");
  const asked = (text: string) => page.locator(".pal .asked", { hasText: text }).waitFor();
  await asked("Save view as");
  await page.keyboard.type(name);
  await hands.press("Enter");
  await asked("Which digit");
  await hands.press(digit);
  await page.locator("[cmdk-item][data-selected=true] kbd", { hasText: digit }).waitFor();
  await hands.press("Enter");
  await asked("Who can see");
  const choice = who === "mine" ? "1" : "2";
  await hands.press(choice);
  await page.locator("[cmdk-item][data-selected=true] kbd", { hasText: choice }).waitFor();
  await hands.press("Enter");
  await hands.said(new RegExp(`View saved: ${name}`));
}
