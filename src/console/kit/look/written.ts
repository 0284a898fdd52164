/**
 * Writers for cells painted without React: they write only what has changed, in place, because a replaced text node is laid out
 * again with everything around it.
 */
export function writtenText(parent: HTMLElement): (text: string) => void {
  const node = document.createTextNode("");
  parent.append(node);
  return (text) => {
    if (node.data !== text) node.data = text;
  };
}

export function writtenClass(element: HTMLElement): (className: string) => void {
  let shown = element.className;
  return (className) => {
    if (className !== shown) element.className = shown = className;
  };
}

export function writtenTitle(element: HTMLElement): (title: string) => void {
  let shown = "";
  return (title) => {
    if (title !== shown) element.title = shown = title;
  };
}
