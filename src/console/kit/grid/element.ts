/** A part of a cell, appended to it. */
export function element<K extends keyof HTMLElementTagNameMap>(name: K, className: string, parent: HTMLElement): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.className = className;
  parent.append(made);
  return made;
}
