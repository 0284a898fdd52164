/** What packs a file's parts where it is made: Node's zlib, or the browser's streams. */
export interface Packer {
  /** The checksum of what came before with `bytes` added; 0 at first. */
  crc32(bytes: Uint8Array, before: number): number;
  /** Takes the next piece only when there is room for it. */
  deflate(pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** One file in the archive. Its texts are read once, in their order. */
export interface Part {
  readonly name: string;
  readonly texts: AsyncIterable<string> | Iterable<string>;
}

/** The format's own bound of a size, without its extension for larger ones. */
const most = 0xffff_ffff;
/** Sizes follow the bytes, because they are not known before; names are UTF-8. */
const flags = 0x0808;
const version = 20;
const deflated = 8;
/** The first day the format knows, so that equal rows give equal bytes. */
const day = 0x0021;

interface Packed {
  readonly name: Uint8Array<ArrayBuffer>;
  readonly at: number;
  readonly crc: number;
  readonly size: number;
  readonly packedSize: number;
}

/** The format's sizes have 32 bits. */
export class ArchiveTooLarge extends Error {
  constructor(what: string) {
    super(`${what} passes 4 GiB`);
  }
}

type Field = readonly [bytes: 2 | 4, value: number];

function bytesOf(...fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const bytes = new DataView(new ArrayBuffer(fields.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 2) bytes.setUint16(at, value, true);
    else bytes.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(bytes.buffer);
}

const encoder = new TextEncoder();

/**
 * A ZIP archive as its parts come, each asked for when the one before is written; holds no more of it than a piece. Throws ArchiveTooLarge
 * when a part or the whole passes 4 GiB.
 */
export async function* zip(parts: AsyncIterable<Part>, packer: Packer): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let at = 0;
  const count = (bytes: Uint8Array<ArrayBuffer>) => {
    at += bytes.length;
    if (at > most) throw new ArchiveTooLarge("the archive");
    return bytes;
  };
  const written: Packed[] = [];
  for await (const { name: text, texts } of parts) {
    const name = encoder.encode(text);
    const begins = at;
    yield count(bytesOf([4, 0x0403_4b50], [2, version], ...head(0, 0, 0), [2, name.length], [2, 0]));
    yield count(name);
    let [crc, size, packedSize] = [0, 0, 0];
    const plain = async function* () {
      for await (const piece of texts) {
        const bytes = encoder.encode(piece);
        crc = packer.crc32(bytes, crc);
        size += bytes.length;
        if (size > most) throw new ArchiveTooLarge(text);
        yield bytes;
      }
    };
    for await (const piece of packer.deflate(plain())) {
      packedSize += piece.length;
      yield count(piece);
    }
    yield count(bytesOf([4, 0x0807_4b50], [4, crc], [4, packedSize], [4, size]));
    written.push({ name, at: begins, crc, size, packedSize });
  }
  const directory = at;
  for (const { name, at: begins, crc, size, packedSize } of written) {
    const where: readonly Field[] = [
      [2, name.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, begins],
    ];
    yield count(bytesOf([4, 0x0201_4b50], [2, version], [2, version], ...head(crc, packedSize, size), ...where));
    yield count(name);
  }
  const parted: readonly Field[] = [
    [2, 0],
    [2, 0],
    [2, written.length],
    [2, written.length],
  ];
  yield count(bytesOf([4, 0x0605_4b50], ...parted, [4, at - directory], [4, directory], [2, 0]));
}

const head = (crc: number, packedSize: number, size: number): readonly Field[] => [
  [2, flags],
  [2, deflated],
  [2, 0],
  [2, day],
  [4, crc],
  [4, packedSize],
  [4, size],
];
