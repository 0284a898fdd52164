/** The file of a multipart body, whole in memory. */
export interface UploadedFile {
  /** As its sender named it; never used as a path, nor to tell what it is. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Of its bytes, in hex. */
  readonly sha256: string;
}

/** The name of the one part a multipart body has. */
export const filePart = "file";
