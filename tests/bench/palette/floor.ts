import { timeKeys } from "../grid/time-keys.ts";

// What a key costs a page that does nothing but show it.
const field = document.querySelector<HTMLInputElement>("#field");
const echo = document.querySelector("#echo");
field?.addEventListener("input", () => {
  if (echo !== null) echo.textContent = field.value;
});
field?.focus();
timeKeys();
