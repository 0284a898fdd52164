import { HelpSheet } from "./help-sheet.tsx";
import { PlacedMenu } from "./placed-menu.tsx";
import { MessagesSheet } from "./messages-sheet.tsx";
import { Sheets } from "./sheets.tsx";
import { Toasts } from "../messages/toasts.tsx";

/** Sheets, help, messages and toasts over the page. */
export function OverlaySheets() {
  return (
    <>
      <HelpSheet />
      <MessagesSheet />
      <PlacedMenu />
      <Sheets />
      <Toasts />
    </>
  );
}
