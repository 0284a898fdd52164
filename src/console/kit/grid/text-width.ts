/** Estimates the width of a cell's text. */
export class CellWidth {
  #text = new TextWidth();
  #mono = new TextWidth();

  setFonts(text: string, mono: string): void {
    this.#text.setFont(text);
    this.#mono.setFont(mono);
  }

  of(text: string): number {
    return this.#text.of(text);
  }

  /** Width of a monospaced text: ids and account numbers. */
  mono(text: string): number {
    return this.#mono.of(text);
  }
}

/**
 * Upper estimate of a text's width in px, from the widths of its characters, each measured once in the strong weight. It may be
 * too large (kerning, joined Arabic letters) but never too small, because a cell clipped needlessly still shows all.
 */
class TextWidth {
  #context = document.createElement("canvas").getContext("2d");
  #widths = new Map<string, number>();
  #font = "";

  setFont(font: string): void {
    if (font === this.#font) return;
    this.#font = font;
    this.#widths.clear();
  }

  of(text: string): number {
    let width = 0;
    for (const character of text) {
      let known = this.#widths.get(character);
      if (known === undefined) {
        if (this.#context) this.#context.font = this.#font;
        known = this.#context?.measureText(character).width ?? 8;
        this.#widths.set(character, known);
      }
      width += known;
    }
    return width;
  }
}
