import type { CapturedElement, CapturedFrame, CapturedRoot } from './captured-tree.ts';

/** The place of each element among its siblings. Each kind of counting is done once, on demand. */
export class SiblingIndex {
  readonly #frame: CapturedFrame;
  #previous: (CapturedElement | null)[] | null = null;
  readonly #positions = new Map<string, Uint32Array>();

  constructor(frame: CapturedFrame) {
    this.#frame = frame;
  }

  previous(element: CapturedElement): CapturedElement | null {
    this.#previous ??= this.#findPrevious();
    return this.#previous[element.index] ?? null;
  }

  /** The position from 1, among all siblings or those of the same type, from the first or the last. */
  position(element: CapturedElement, ofType: boolean, fromEnd: boolean): number {
    const key = `${ofType}${fromEnd}`;
    const positions = this.#positions.get(key) ?? this.#count(ofType, fromEnd);
    this.#positions.set(key, positions);
    return positions[element.index] ?? 0;
  }

  #findPrevious(): (CapturedElement | null)[] {
    const previous = Array.from<CapturedElement | null>({ length: this.#frame.size }).fill(null);
    const last = new Map<CapturedElement | CapturedRoot, CapturedElement>();
    for (const element of this.#frame.elements) {
      previous[element.index] = last.get(element.parent) ?? null;
      last.set(element.parent, element);
    }
    return previous;
  }

  #count(ofType: boolean, fromEnd: boolean): Uint32Array {
    const positions = new Uint32Array(this.#frame.size);
    const counts = new Map<CapturedElement | CapturedRoot, Map<string, number>>();
    for (const element of fromEnd ? this.#frame.elements.toReversed() : this.#frame.elements) {
      const type = ofType ? element.name : '';
      const count = counts.get(element.parent) ?? new Map<string, number>();
      counts.set(element.parent, count);
      const position = (count.get(type) ?? 0) + 1;
      count.set(type, position);
      positions[element.index] = position;
    }
    return positions;
  }
}
