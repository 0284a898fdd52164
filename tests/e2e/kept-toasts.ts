import type { Page } from "playwright";
import { expect } from "vitest";

export interface Toast {
  readonly title: string;
  readonly text: string;
}

declare global {
  interface Window {
    /** Since the document was loaded, oldest first. */
    toasted?: Toast[];
  }
}

/** Keeps every toast from now on, in this document and the next ones: one is gone after five seconds, whoever has looked or not. */
export async function keepToasts(page: Page): Promise<void> {
  const keep = () => {
    if (window.toasted !== undefined) return;
    const kept: Toast[] = (window.toasted = []);
    // their container may come with the first of them in it: looked at again, it is the same one
    const known = new WeakSet<Element>();
    new MutationObserver(() => {
      for (const node of document.querySelectorAll(".toasts .toast-text")) {
        if (known.has(node)) continue;
        known.add(node);
        kept.push({ title: node.parentElement?.querySelector("b")?.textContent ?? "", text: node.textContent ?? "" });
      }
    }).observe(document, { childList: true, subtree: true });
  };
  await page.addInitScript(keep);
  await page.evaluate(keep);
}

/** Those kept, oldest first. */
export const keptToasts = (page: Page): Promise<readonly Toast[]> => page.evaluate(() => window.toasted ?? []);

/** Waits until the toast has been shown, alone or among others, to a page whose toasts are kept. */
export async function toast(page: Page, wanted: Toast): Promise<void> {
  await expect.poll(() => keptToasts(page)).toContainEqual(wanted);
}
