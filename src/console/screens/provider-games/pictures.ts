import type { ProviderGame } from "../../../contract/provider-games.ts";
import { providerGameRoutes as routes } from "../../../contract/provider-games.ts";
import type { Call } from "../../api/call.ts";

export type PictureSize = "small" | "large";

/** Pictures held ready, and fetched at a time: those scrolled past last are fetched first. */
const mostHeld = 3_000;
const atOnce = 6;

interface Wanted {
  readonly key: string;
  readonly image: string;
  readonly size: PictureSize;
  readonly take: (address: string) => void;
}

/**
 * Pictures of games under addresses of this page, because a picture element cannot say who is signed in. The browser keeps what was
 * fetched, as a picture never changes under its name.
 */
class Pictures {
  readonly #held = new Map<string, string>();
  #waiting: Wanted[] = [];
  #fetching = 0;
  #call: Call | null = null;
  #tenant: string | null = null;

  /** Those of another tenant are let go. */
  serve(call: Call, tenant: string): void {
    this.#call = call;
    if (this.#tenant === tenant) return;
    this.#tenant = tenant;
    for (const address of this.#held.values()) URL.revokeObjectURL(address);
    this.#held.clear();
    this.#waiting = [];
  }

  /** At once where it is held. */
  held(image: string, size: PictureSize): string | null {
    return this.#held.get(`${size} ${image}`) ?? null;
  }

  want(image: string, size: PictureSize, take: (address: string) => void): void {
    this.#waiting.push({ key: `${size} ${image}`, image, size, take });
    // what was passed by long ago is wanted no more
    if (this.#waiting.length > 200) this.#waiting.shift();
    void this.#fetchNext();
  }

  async #fetchNext(): Promise<void> {
    const next = this.#fetching < atOnce && this.#call !== null ? this.#waiting.pop() : undefined;
    if (next === undefined || this.#call === null) return;
    this.#fetching++;
    try {
      const held = this.#held.get(next.key);
      next.take(held ?? (await this.#fetch(this.#call, next)));
    } catch {
      // the cell stays without its picture
    } finally {
      this.#fetching--;
      void this.#fetchNext();
    }
  }

  async #fetch(call: Call, { key, image, size }: Wanted): Promise<string> {
    const { data } = await call(routes.readGameImage, { params: { image, size } }, { background: true });
    const address = URL.createObjectURL(new Blob([data.bytes], { type: data.type }));
    this.#held.set(key, address);
    const [oldest] = this.#held;
    if (this.#held.size > mostHeld && oldest !== undefined) {
      URL.revokeObjectURL(oldest[1]);
      this.#held.delete(oldest[0]);
    }
    return address;
  }
}

export const pictures = new Pictures();

/** A game's picture in its cell of the list; a cell is used for one row after another. */
export function paintPicture(cell: HTMLElement): (row: ProviderGame) => void {
  const picture = document.createElement("img");
  picture.className = "game-thumb";
  picture.alt = "";
  picture.draggable = false;
  cell.append(picture);
  let now: string | null = null;
  const show = (address: string | null) => {
    picture.hidden = address === null;
    if (address === null) picture.removeAttribute("src");
    else picture.src = address;
  };
  return ({ image }) => {
    if (image === now) return;
    now = image;
    const held = image === null ? null : pictures.held(image, "small");
    show(held);
    if (image === null || held !== null) return;
    pictures.want(image, "small", (address) => now === image && show(address));
  };
}
