/** ms of a calendar day that is written without a zone. */
const length = 86_400_000;

/** The calendar day "2026-11-20" in which ms since 1970 lie in UTC. */
export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The calendar day so many days after one, or before it. */
export const addDays = (day: string, by: number): string => dateOf(Date.parse(day) + by * length);

/** How many days there are from one to another, both included. */
export const countDays = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / length + 1;

/** The Monday a day's week begins with, as ISO 8601 has it. */
export const mondayOf = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
