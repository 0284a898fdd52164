/** Fifteen one-minute points with the current one marked; hidden from screen readers, because the figures beside it say the same. */
export function Sparkline({ points }: { points: readonly number[] }) {
  if (points.length < 2) return <svg className="spark" width="64" height="24" aria-hidden="true" />;
  const [low, high] = [Math.min(...points), Math.max(...points)];
  const spread = high - low || 1;
  const at = points.map((value, n) => ({
    x: 2 + (n * 59) / (points.length - 1),
    // a flat line is drawn in the middle
    y: high === low ? 13 : 22 - ((value - low) * 19) / spread,
  }));
  const line = at.map(({ x, y }, n) => `${n === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  const end = at.at(-1) ?? { x: 61, y: 13 };
  return (
    <svg className="spark" width="64" height="24" viewBox="0 0 64 24" aria-hidden="true">
      <path className="fillp" d={`${line}L61 24L2 24Z`} />
      <path d={line} />
      <circle cx={end.x} cy={end.y} r="2" />
    </svg>
  );
}
