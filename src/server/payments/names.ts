/** How alike two names are, 0 to 100: word by word, in any order, ignoring case, accents and punctuation. */
export function nameLikeness(left: string, right: string): number {
  const [short, long] = [words(left), words(right)].sort((a, b) => a.length - b.length) as [string[], string[]]; // two in, two out
  const total = [...short, ...long].reduce((sum, word) => sum + word.length, 0);
  if (short.length === 0 || long.length === 0) return 0;
  if (short.join("") === long.join("")) return 100;
  const free = [...long];
  let matched = 0;
  for (const word of short) {
    const best = free
      .map((other, at) => ({ at, other, likeness: wordLikeness(word, other) }))
      .reduce((a, b) => (b.likeness > a.likeness ? b : a), { at: -1, other: "", likeness: 0 });
    if (best.likeness < 0.6) continue;
    free.splice(best.at, 1);
    matched += (word.length + best.other.length) * best.likeness;
  }
  return Math.round((matched / total) * 100);
}

function words(name: string): string[] {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** 1 for equal words, 0.85 for an initial or a bank's cut-off, else by edit distance. */
function wordLikeness(left: string, right: string): number {
  if (left === right) return 1;
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  if (long.startsWith(short) && (short.length === 1 || short.length >= 4)) return 0.85;
  return 1 - distance(left, right) / long.length;
}

function distance(left: string, right: string): number {
  let before = Array.from({ length: right.length + 1 }, (_, n) => n);
  for (let i = 1; i <= left.length; i++) {
    const now = [i];
    for (let j = 1; j <= right.length; j++) {
      const swap = (before[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      now.push(Math.min(swap, (before[j] ?? 0) + 1, (now[j - 1] ?? 0) + 1));
    }
    before = now;
  }
  return before[right.length] ?? 0;
}
