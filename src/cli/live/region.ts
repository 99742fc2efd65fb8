import { painted } from '../colours.ts';
import { widthOf } from '../layout.ts';

/** A terminal that something can be drawn on again. */
export interface Drawable {
  write(text: string): unknown;
  readonly columns: number;
  readonly rows: number;
}

/** Some terminals do not say how large they are, or say 0. */
export function sizeOf({ columns, rows }: Pick<Drawable, 'columns' | 'rows'>): { columns: number; rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}

/** The last lines of a terminal, which are drawn again in place; what is printed meanwhile goes above them. */
export class Region {
  readonly #terminal: Drawable;
  #shown: readonly string[] = [];
  #lines: () => readonly string[] = () => [];

  constructor(terminal: Drawable) {
    this.#terminal = terminal;
  }

  get size(): { columns: number; rows: number } {
    return sizeOf(this.#terminal);
  }

  /** @param lines as they are now; none: nothing is left of the region. */
  show(lines: () => readonly string[]): void {
    this.#lines = lines;
    this.#terminal.write(this.#erasing());
    this.#draw();
  }

  /** @param print writes whole lines to this terminal, by whatever stream. */
  above(print: () => void): void {
    if (this.#shown.length === 0) {
      print();
      return;
    }
    this.#terminal.write(this.#erasing());
    print();
    // They may have changed with what was printed: an episode that has ended is counted at once.
    this.#draw();
  }

  #draw(): void {
    this.#shown = this.#lines().map(painted);
    this.#terminal.write(this.#shown.map((line) => `${line}\n`).join(''));
  }

  /** A terminal that has become narrower since has broken the lines, and shows more of them. */
  #erasing(): string {
    const { columns } = this.size;
    const heights = this.#shown.map((line) => Math.max(1, Math.ceil(widthOf(line) / columns)));
    const height = heights.reduce((sum, each) => sum + each, 0);
    return height === 0 ? '' : `\u001b[${height}A\r\u001b[J`;
  }
}
