/** How long an old secret stays valid beside a new one. */
export const secretLives = ["now", "hour", "day", "week"] as const;
export type SecretLife = (typeof secretLives)[number];
