/**
 * What cells painted without React write again and again: only what is another, and in place. A text node that is replaced is
 * attached and laid out anew with all around it.
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
