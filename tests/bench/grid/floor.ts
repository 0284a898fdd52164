import { onKeys } from "./time-keys.ts";

// The least a page can do on a key: one empty box moves. No grid can be faster in this harness.
const box = document.querySelector<HTMLElement>("#box");
let row = 0;
onKeys(() => {
  row = (row + 1) % 30;
  if (box) box.style.transform = `translateY(${row * 28}px)`;
});
