/** What a bank's file may hold; whatever has more is refused, because it is read whole. */
export const limits = {
  bytes: 20 * 1024 * 1024,
  rows: 100_000,
  columns: 100,
  /** Characters of a cell; a line with a longer one cannot be read. */
  cell: 4_000,
  /** Parts of a workbook, and the bytes they unpack to. */
  entries: 1_000,
  unpacked: 160 * 1024 * 1024,
  /** Times a part larger than a megabyte may grow when it is unpacked. */
  growth: 200,
  sheets: 20,
} as const;
