/** Text colour for a "#rrggbb" ground: near-black or white, whichever has more contrast (WCAG relative luminance). */
export function inkOn(ground: string): string {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(ground);
  if (!match) return "#ffffff";
  const [r = 0, g = 0, b = 0] = match.slice(1).map((hex) => {
    const part = Number.parseInt(hex, 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return (light + 0.05) / 0.0578 > 1.05 / (light + 0.05) ? "#14181f" : "#ffffff";
}
