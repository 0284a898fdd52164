/** How far a series goes: all the way in `npm run test:deep`, a share of it in `npm test`. */
export const long = <T>({ share, whole }: { readonly share: T; readonly whole: T }): T =>
  process.env["DEEP"] === undefined ? share : whole;
