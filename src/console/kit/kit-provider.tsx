import { OverlaysProvider, PortalProvider } from "@blueprintjs/core";
import type { ReactNode } from "react";
import { useEffect } from "react";
import { ChordPopUp } from "./messages/chord-pop-up.tsx";
import type { Kit } from "./kit.ts";
import { LiveRegion } from "./messages/live-region.tsx";
import { Overlays } from "./sheets/lazy-overlays.tsx";
import { Palette } from "./palette/lazy-palette.tsx";
import { KitContext } from "./use-kit.ts";

/** Provides the kit and draws what is over the page: palette, sheets, toasts, chord hints. */
export function KitProvider({ kit, children }: { kit: Kit; children: ReactNode }) {
  useEffect(() => {
    const { context, keys } = kit;
    const direction = (): void => context.setDirection(document.documentElement.dir === "rtl");
    const observer = new MutationObserver(direction);
    observer.observe(document.documentElement, { attributeFilter: ["dir"] });
    direction();
    const stops = [keys.listen(window), context.follow(document)];
    return () => {
      stops.forEach((stop) => stop());
      observer.disconnect();
    };
  }, [kit]);

  return (
    <KitContext value={kit}>
      <PortalProvider>
        <OverlaysProvider>
          {children}
          <ChordPopUp />
          <Palette />
          <Overlays />
          <LiveRegion />
        </OverlaysProvider>
      </PortalProvider>
    </KitContext>
  );
}
