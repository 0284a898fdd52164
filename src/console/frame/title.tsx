import { useEffect } from "react";
import { useStore } from "zustand";
import { useApi } from "../api/use-api.ts";
import { text } from "../kit/texts/texts.ts";
import mark from "./mark.svg?raw";

const waitingMark = `data:image/svg+xml,${encodeURIComponent(mark.replace("</svg>", '<circle cx="21" cy="7" r="7" fill="#e5484d"/></svg>'))}`;

/** Screen and product only (specification, point 2); a dot on the icon tells a background tab that withdrawals wait. */
export function Title({ screen }: { screen: string }) {
  const waits = useStore(useApi().counters.store, ({ counts }) => (counts.withdraw ?? 0) > 0);
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!icon || !waits) return;
    const plain = icon.href;
    icon.href = waitingMark;
    return () => {
      icon.href = plain;
    };
  }, [waits]);
  return <title>{`${screen} – ${text("shell.product")}`}</title>;
}
