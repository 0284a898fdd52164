/** The product's mark and name. */
export function Brand({ name }: { name: string }) {
  return (
    <div className="brand">
      <svg viewBox="0 0 28 28" aria-hidden="true">
        <rect x="1" y="1" width="26" height="26" rx="5" fill="var(--t-1)" />
        <g stroke="var(--s-pane)" strokeWidth="1.6">
          <path d="M6 9h16M6 14h16M6 19h16" />
        </g>
        <g fill="var(--s-pane)">
          <circle cx="10" cy="9" r="2.6" />
          <circle cx="18" cy="14" r="2.6" />
          <circle cx="13" cy="19" r="2.6" />
        </g>
        <circle cx="18.6" cy="19" r="2.6" fill="var(--accent)" />
      </svg>
      {name}
    </div>
  );
}
