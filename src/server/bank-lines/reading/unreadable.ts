/** A file that cannot be read, and why: an English line with its text `invalid.bank-file-…` in every language. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}
