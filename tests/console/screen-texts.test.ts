import { expect, test } from "vitest";

const screens = "../../src/console/screens";
const files = Object.keys(import.meta.glob("../../src/console/screens/*/*-screen.tsx"));
const languages = Object.keys(import.meta.glob("/locales/*.json"));

test("a screen has the texts named as its folder, in every language", () => {
  const texts = import.meta.glob<{ part: string; files: object }>("../../src/console/screens/*/*-screen.tsx", {
    query: "?texts",
    eager: true,
  });
  const given = files.map((file) => ({ file, part: texts[file]?.part, in: Object.keys(texts[file]?.files ?? {}) }));
  expect(files).toContain(`${screens}/profile/profile-edit-screen.tsx`);
  expect(given).toEqual(files.map((file) => ({ file, part: file.slice(screens.length + 1).split("/")[0], in: languages })));
  expect(languages).toContain("/locales/de.json");
});
