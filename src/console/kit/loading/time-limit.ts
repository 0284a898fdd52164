/** ms after which a chunk has failed (specification, point 9). */
const chunkTimeOut = 120_000;

export class ChunkLate extends Error {
  override readonly name = "ChunkLate";
}

/** The result of `load`, or ChunkLate after `limit` ms. */
export function withinTime<T>(load: () => Promise<T>, limit = chunkTimeOut): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChunkLate()), limit);
    load()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
