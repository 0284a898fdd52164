const days = new Map<number, string>();
const two = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"));

/** Date.prototype.toISOString with cached days, for the demo's millions of instants. */
export function iso(at: number): string {
  const day = Math.floor(at / 86_400_000);
  let date = days.get(day);
  if (date === undefined) days.set(day, (date = new Date(day * 86_400_000).toISOString().slice(0, 11)));
  const rest = at - day * 86_400_000;
  const seconds = Math.floor(rest / 1_000);
  const minutes = Math.floor(seconds / 60);
  return `${date}${two[Math.floor(minutes / 60)]}:${two[minutes % 60]}:${two[seconds % 60]}.${String(rest % 1_000).padStart(3, "0")}Z`;
}
