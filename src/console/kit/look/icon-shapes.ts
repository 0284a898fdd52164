/** Icons on a 16 × 16 grid with round 1.4 strokes. */
export const iconShapes = {
  down: '<path d="m4 6 4 4 4-4"/>',
  up: '<path d="m4 10 4-4 4 4"/>',
  right: '<path d="m6 4 4 4-4 4"/>',
  find: '<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/>',
  deposit: '<path d="M8 2v7M5 6.5 8 9.5l3-3M2 10v3.5h12V10"/>',
  withdrawal: '<path d="M8 9.5v-7M5 5l3-3 3 3M2 10v3.5h12V10"/>',
  bell: '<path d="M4 11V7a4 4 0 0 1 8 0v4l1 1.5H3zM6.7 14h2.6"/>',
  dashboard:
    '<rect x="2" y="2" width="5" height="7" rx="1"/><rect x="9" y="2" width="5" height="4" rx="1"/><rect x="2" y="11" width="5" height="3" rx="1"/><rect x="9" y="8" width="5" height="6" rx="1"/>',
  bank: '<path d="M2 6.2 8 2.5l6 3.7zM3.5 6.5V12M6.5 6.5V12M9.5 6.5V12M12.5 6.5V12M2 13.5h12"/>',
  account: '<rect x="2" y="3.5" width="12" height="9" rx="1.5"/><path d="M2 6.5h12M4.5 10h2"/>',
  pulse: '<path d="M1.5 8.5h3l2-5 3 9 2-4h3"/>',
  ledger: '<path d="M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3"/>',
  wallet: '<path d="M11.5 4.5v-2h-8A1.5 1.5 0 0 0 2 4v8a1.5 1.5 0 0 0 1.5 1.5h10v-9h-10A1.5 1.5 0 0 1 2 4M10.7 9h.1"/>',
  store: '<path d="M2.5 6.5v7h11v-7M2 6.5l1-4h10l1 4a2 2 0 0 1-4 0 2 2 0 0 1-4 0 2 2 0 0 1-4 0M6.5 13.5V10h3v3.5"/>',
  bars: '<path d="M3 13.5v-5M8 13.5v-11M13 13.5v-8"/>',
  "bars-on-line": '<path d="M2 13.5h12M4.5 11V8M8 11V3.5M11.5 11V6"/>',
  wave: '<path d="M1.5 8c2.2-6 4.3-6 6.5 0s4.3 6 6.5 0M1.5 8h13"/>',
  flow: '<path d="M2 5h9M8.5 2.5 11 5 8.5 7.5M14 11H5M7.5 8.5 5 11l2.5 2.5"/>',
  gauge: '<path d="M2.5 12a6 6 0 1 1 11 0M8 10l2.5-4"/>',
  users:
    '<circle cx="6" cy="5.5" r="2.5"/><path d="M1.5 13.5c.3-2.6 2-4 4.5-4s4.2 1.4 4.5 4M10.5 3.2a2.5 2.5 0 0 1 0 4.6M12 9.8c1.5.5 2.3 1.8 2.5 3.7"/>',
  user: '<circle cx="8" cy="5.5" r="3"/><path d="M2.5 14c.4-3 2.5-4.5 5.5-4.5s5.1 1.5 5.5 4.5"/>',
  shield: '<path d="M8 2 13 4v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM5.8 7.8l1.6 1.6 2.8-3.2"/>',
  tiles: '<path d="M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z"/>',
  list: '<path d="M2.5 4h11M2.5 8h11M2.5 12h11"/>',
  box: '<path d="m8 2 5.5 3v6L8 14l-5.5-3V5zM2.5 5 8 8l5.5-3M8 8v6"/>',
  folder: '<path d="M2 13V3.5h4.2l1.6 2H14V13z"/>',
  tag: '<path d="M2.5 2.5h5L14 9l-5 5-6.5-6.5zM5.4 5.4v.1"/>',
  game: '<path d="M5 4.5h6a3.5 3.5 0 0 1 3.5 3.5c0 2.5-.8 4-2 4s-1.7-1.5-2.5-2H6c-.8.5-1.3 2-2.5 2s-2-1.5-2-4A3.5 3.5 0 0 1 5 4.5zM5.5 6.5v2.5M4.2 7.8h2.6M10.5 7.8h.1"/>',
  settings: '<path d="M2 4.5h6M11.5 4.5H14M2 11.5h2.5M8 11.5h6"/><circle cx="9.7" cy="4.5" r="1.7"/><circle cx="6.2" cy="11.5" r="1.7"/>',
  close: '<path d="m4.5 4.5 7 7m0-7-7 7"/>',
  plus: '<path d="M8 3v10M3 8h10"/>',
  warn: '<path d="M8 2.4 14 13H2z"/><path d="M8 6.6v3M8 11.3v.1"/>',
  clock: '<circle cx="8" cy="8" r="6"/><path d="M8 4.5V8l2.2 1.6"/>',
  sound: '<path d="M2.5 6v4H5l3.5 3V3L5 6zM11 6a3 3 0 0 1 0 4M12.8 4a5.6 5.6 0 0 1 0 8"/>',
  tick: '<path d="m3 8.4 3.2 3.2L13 4.6"/>',
  cross: '<path d="m4 4 8 8m0-8-8 8"/>',
  unknown: '<path d="M6 6a2 2 0 1 1 2.8 1.9c-.5.3-.8.6-.8 1.3M8 11.5v.1"/>',
  lock: '<rect x="3" y="7" width="10" height="7" rx="1"/><path d="M5 7V5a3 3 0 0 1 6 0v2"/>',
  eye: '<path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8z"/><circle cx="8" cy="8" r="2"/>',
  merge: '<rect x="2" y="3" width="8" height="6" rx="1"/><rect x="6" y="7" width="8" height="6" rx="1"/>',
  repeat: '<path d="M3 7a5 5 0 0 1 9-2.5M13 9a5 5 0 0 1-9 2.5M12.3 1.8v2.9H9.4M3.7 14.2v-2.9h2.9"/>',
  link: '<path d="M6.5 9.5 9.5 6.5M7 4.5l1.2-1.2a3 3 0 0 1 4.3 4.3L11.3 8.8M9 11.5l-1.2 1.2a3 3 0 0 1-4.3-4.3L4.7 7.2"/>',
  filter: '<path d="M2.5 3h11l-4.2 5v5l-2.6-1.5V8z"/>',
  pending: '<circle cx="8" cy="8" r="6"/><path d="M8 4.5V8l2.2 1.6"/>',
  process: '<circle cx="8" cy="8" r="6"/><path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor"/>',
  approved: '<circle cx="8" cy="8" r="6"/><path d="m5.3 8.2 1.9 1.9 3.6-4"/>',
  completed:
    '<path d="M8 1.4a6.6 6.6 0 1 0 0 13.2A6.6 6.6 0 0 0 8 1.4zm3.4 4.9-4 4.5a.8.8 0 0 1-1.2 0L4.6 9.1" fill="currentColor" stroke="none"/><path d="m5.2 8.2 1.9 1.9 3.7-4" stroke="var(--s-pane)" stroke-width="1.7"/>',
  rejected: '<circle cx="8" cy="8" r="6"/><path d="m5.8 5.8 4.4 4.4m0-4.4-4.4 4.4"/>',
  expired: '<circle cx="8" cy="8" r="6" stroke-dasharray="2.2 2.1"/><path d="M5.6 8h4.8"/>',
  critical:
    '<path d="M8 2.2 14.4 13.4H1.6z" fill="currentColor"/><path d="M8 6.4v3.4M8 11.6v.1" stroke="var(--s-chrome)" stroke-width="1.6"/>',
  "flag-duplicate": '<rect x="2.5" y="5" width="8" height="8.5" rx="1"/><path d="M5.5 5V2.5h8v8.5h-3"/>',
  "flag-limit": '<path d="M3 3h10M8 13V6m-3 3 3-3 3 3"/>',
  "flag-name-mismatch": '<path d="M3 6h10M3 10h10M10.5 3l-5 10"/>',
  "flag-first-payee": '<path d="m8 2 1.7 3.9 4.2.4-3.2 2.8 1 4.1L8 11l-3.7 2.2 1-4.1L2.1 6.3l4.2-.4z"/>',
  "flag-returned": '<path d="M6 3 3 6l3 3M3 6h6a4 4 0 0 1 0 8H6"/>',
  "flag-exported": '<path d="M9 2H3.5v12H8M9 2l3.5 3.5V8M9 2v3.5h3.5M9.5 11.5h5M12.5 9.5l2 2-2 2"/>',
  "flag-account": '<rect x="2" y="3.5" width="12" height="9" rx="1.5"/><path d="M2 6.5h12M11.5 2l-7 12"/>',
  "flag-other-amount": '<path d="M8 2.5v6M5 5.5h6M5 12.5h6"/>',
  "flag-unproved":
    '<path d="M3.5 2.5h9v11h-9z" stroke-dasharray="2.2 2.1"/><path d="M6.6 6.2a1.5 1.5 0 1 1 2 1.5c-.4.2-.6.4-.6 1M8 10.9v.1"/>',
  "flag-late": '<circle cx="8" cy="9" r="5"/><path d="M8 6.2V9l2 1.3M6 1.5h4M8 1.5V4"/>',
  receipt: '<path d="M3.5 2v12l1.5-1 1.5 1L8 13l1.5 1 1.5-1 1.5 1V2zM6 5.5h4M6 8.5h4"/>',
  muted: '<path d="M2.5 6v4H5l3.5 3V3L5 6zM11 6.2l3 3.6m0-3.6-3 3.6"/>',
  info: '<circle cx="8" cy="8" r="6"/><path d="M8 7.4v3.4M8 5.2v.1"/>',
  dots: '<path d="M3.5 8h.1M8 8h.1M12.5 8h.1" stroke-width="2"/>',
  refresh: '<path d="M13 8a5 5 0 1 1-1.5-3.5M13 2.5v3h-3"/>',
  groups:
    '<rect x="2" y="2" width="5" height="5" rx="1"/><rect x="9" y="9" width="5" height="5" rx="1"/><path d="M9.5 4.5h2.5v2.5M6.5 11.5H4V9"/>',
  keys: '<rect x="1.5" y="4" width="13" height="8" rx="1.5"/><path d="M4 6.5h.1M6.7 6.5h.1M9.3 6.5h.1M12 6.5h.1M5 9.5h6"/>',
} as const;

export type IconName = keyof typeof iconShapes;

/** An icon for cells painted without React; `className` sizes it: "icon", "icon size-s" (14), "icon size-xs" (12). */
export function iconElement(name: IconName, className = "icon"): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  drawIcon(svg, name);
  return svg;
}

/** Each icon parsed once, because grids draw thousands. */
const drawn = new Map<IconName, readonly Node[]>();

function drawingOf(name: IconName): readonly Node[] {
  const known = drawn.get(name);
  if (known) return known;
  const holder = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  holder.innerHTML = iconShapes[name];
  const nodes = [...holder.childNodes];
  drawn.set(name, nodes);
  return nodes;
}

/** Changes the icon in an element made by `iconElement`. */
export function drawIcon(svg: SVGSVGElement, name: IconName): void {
  if (svg.dataset.icon === name) return;
  svg.dataset.icon = name;
  svg.replaceChildren(...drawingOf(name).map((node) => node.cloneNode(true)));
}
