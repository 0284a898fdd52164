/** Opens the browser's own dialog; one that is left resolves with null. */
export function pickFile(accept: string): Promise<File | null> {
  return new Promise((resolve) => {
    const field = document.createElement("input");
    field.type = "file";
    field.accept = accept;
    field.addEventListener("change", () => resolve(field.files?.[0] ?? null));
    field.addEventListener("cancel", () => resolve(null));
    field.click();
  });
}
