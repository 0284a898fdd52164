/** Hands a file to the browser, which saves it under this name. */
export function download(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Saves the bytes as they are. */
export const saveFile = ({
  name,
  type,
  bytes,
}: {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}): void => download(new Blob([bytes], { type }), name);
