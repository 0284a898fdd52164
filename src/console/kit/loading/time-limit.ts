/** A script chunk that has not come by then is an error (specification, point 9). */
const chunkTimeOut = 120_000;

export class ChunkLate extends Error {
  override readonly name = "ChunkLate";
}

/** What `load` gives, or ChunkLate after `limit` milliseconds. */
export function withinTime<T>(load: () => Promise<T>, limit = chunkTimeOut): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChunkLate()), limit);
    load()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
