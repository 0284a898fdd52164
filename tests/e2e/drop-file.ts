import type { Locator } from "playwright";

/** Drops a file onto it, as the browser tells of one let go there. */
export async function dropFile(onto: Locator, name: string, content: Buffer): Promise<void> {
  await onto.evaluate(
    (place, { text, called }) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))], called));
      for (const type of ["dragenter", "dragover", "drop"])
        place.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    },
    { text: content.toString("base64"), called: name },
  );
}
