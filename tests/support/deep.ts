/** How far a series goes: all the way in `npm run test:deep`, a share of it in `npm test`. */
export const long = <T>({ share, whole }: { readonly share: T; readonly whole: T }): T =>
  process.env["DEEP"] === undefined ? share : whole;

/** What a property printed when it failed, given to see just that again: REPLAY='{"seed":…,"path":"…","replayPath":"…"}'. */
export const replayed = (): { seed?: number; path?: string; replayPath?: string } => JSON.parse(process.env["REPLAY"] ?? "{}");
