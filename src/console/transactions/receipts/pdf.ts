import { getDocument, PDFWorker } from "pdfjs-dist";
import type { PDFDocumentProxy } from "pdfjs-dist";

export interface OpenPdf {
  readonly document: PDFDocumentProxy;
  /** Ends its worker, whatever it is at. */
  close(): void;
}

/**
 * Opens a document in a worker of its own. Nothing in it runs: no script, no form, and no code is made from what it says. The bytes are
 * copied, because the worker takes them over.
 */
export async function openPdf(bytes: Uint8Array): Promise<OpenPdf> {
  const port = new Worker(new URL("./pdf-worker.ts", import.meta.url), { type: "module" });
  const worker = PDFWorker.create({ port });
  const close = (): void => {
    worker.destroy();
    port.terminate();
  };
  try {
    const document = await getDocument({
      data: bytes.slice(),
      worker,
      isEvalSupported: false,
      enableXfa: false,
      useWasm: false,
      useSystemFonts: true,
      maxImageSize: 40_000_000,
    }).promise;
    return { document, close };
  } catch (error) {
    close();
    throw error;
  }
}
