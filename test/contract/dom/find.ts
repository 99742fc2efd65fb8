import type { CapturedElement, CapturedFrame } from '../../../src/contract/dom/captured-tree.ts';

export function firstOf<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error('the list is empty');
  return first;
}

export function byId(frame: CapturedFrame, id: string): CapturedElement {
  return firstOf(frame.elements.filter((element) => element.attributes.get('id') === id));
}
