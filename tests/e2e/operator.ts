import type { CDPSession, Page } from "playwright";
import { keyFor } from "../console/kit/keys/layouts.ts";

const named: Readonly<Record<string, { code: string; keyCode: number; text?: string }>> = {
  Enter: { code: "Enter", keyCode: 13, text: "\r" },
  Escape: { code: "Escape", keyCode: 27 },
  ArrowDown: { code: "ArrowDown", keyCode: 40 },
  ArrowRight: { code: "ArrowRight", keyCode: 39 },
};

declare global {
  interface Window {
    /** What an operator who works by keyboard alone must not see. */
    watch: { onBody: number; pointers: number };
  }
}

/** Somebody at the keyboard: presses keys as their layout writes them, counts them, and looks before each decision. */
export class Operator {
  readonly page: Page;
  readonly layout: string;
  presses = 0;
  #cdp: Promise<CDPSession>;

  constructor(page: Page, layout = "us") {
    this.page = page;
    this.layout = layout;
    this.#cdp = page.context().newCDPSession(page);
    // from the first listener on Playwright catches the dialog: a key pressed while it only begins to would open it unseen
    page.on("filechooser", () => undefined);
  }

  /** One key: a letter of the cap, a digit, or a named key; with `mod`, Control is pressed before it and counts too. */
  async press(key: string, { mod = false, held = 0 }: { mod?: boolean; held?: number } = {}): Promise<void> {
    const cdp = await this.#cdp;
    const modifiers = mod ? 2 : 0;
    this.presses += mod ? 2 : 1;
    const fixed = named[key];
    const written = fixed ? { key, code: fixed.code } : keyFor(this.layout, key, false);
    const windowsVirtualKeyCode = fixed?.keyCode ?? virtualCode(written.code);
    const text = mod ? undefined : fixed ? fixed.text : written.key;
    if (mod)
      await cdp.send("Input.dispatchKeyEvent", {
        type: "rawKeyDown",
        key: "Control",
        code: "ControlLeft",
        windowsVirtualKeyCode: 17,
        modifiers,
      });
    for (let time = 0; time <= held; time++) {
      await cdp.send("Input.dispatchKeyEvent", {
        type: text === undefined ? "rawKeyDown" : "keyDown",
        key: written.key,
        code: written.code,
        windowsVirtualKeyCode,
        modifiers,
        autoRepeat: time > 0,
        ...(text !== undefined && { text }),
      });
    }
    await cdp.send("Input.dispatchKeyEvent", { type: "keyUp", key: written.key, code: written.code, windowsVirtualKeyCode, modifiers });
    if (mod)
      await cdp.send("Input.dispatchKeyEvent", {
        type: "keyUp",
        key: "Control",
        code: "ControlLeft",
        windowsVirtualKeyCode: 17,
        modifiers: 0,
      });
  }

  async pressAll(...keys: string[]): Promise<void> {
    for (const key of keys) await this.press(key);
  }

  /** From now on counts frames in which nothing has the focus, and pointer events. */
  async watch(): Promise<void> {
    await this.page.evaluate(() => {
      window.watch = { onBody: 0, pointers: 0 };
      addEventListener("pointerdown", () => (window.watch.pointers += 1), true);
      const look = () => {
        if (document.activeElement === null || document.activeElement === document.body) window.watch.onBody += 1;
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  }

  watched(): Promise<{ onBody: number; pointers: number }> {
    return this.page.evaluate(() => window.watch);
  }

  /** The number of the record the status bar names as the next key's target. */
  target(): Promise<string> {
    return this.page.locator(".stat .aim .id").innerText();
  }

  /** Waits until the record other than `before` is shown and may be approved; answers its number. */
  async look(before = ""): Promise<string> {
    const handle = await this.page.waitForFunction((known) => {
      const aim = document.querySelector<HTMLElement>(".stat .aim .id")?.innerText ?? "";
      const shown = document.querySelector<HTMLElement>(".decide .id")?.innerText ?? "";
      const ready = document.querySelector(".acts .btn.go")?.getAttribute("aria-disabled") !== "true";
      const held = document.querySelector(".decide .tag.acc") !== null;
      return aim !== "" && aim === shown && aim !== known && ready && held ? aim : null;
    }, before);
    return String(await handle.jsonValue());
  }

  /** The open sheet's kind, from the status bar; null when there is none. */
  async mode(): Promise<string> {
    return this.page.locator(".stat .mode").innerText();
  }

  /** The last thing said. */
  async said(text: RegExp): Promise<void> {
    await this.page.locator(".stat .said", { hasText: text }).waitFor();
  }
}

const virtualCode = (code: string): number => {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter) return letter.charCodeAt(0);
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  return digit ? digit.charCodeAt(0) : 0;
};
