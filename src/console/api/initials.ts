/** Two letters for an avatar: the first of the first and last word, else the first two. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = [...(words[0] ?? "?")];
  const last = words.length > 1 ? [...(words.at(-1) ?? "")] : [];
  return ((first[0] ?? "") + (last[0] ?? first[1] ?? "")).toUpperCase();
}
