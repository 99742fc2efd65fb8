import { expect, test } from 'vitest';
import { capturedFrames } from '../../../src/contract/dom/document.ts';
import { renderedText } from '../../../src/contract/dom/rendered-text.ts';
import { firstOf } from './find.ts';
import { tinySnapshot, type TinyNode } from './tiny-snapshot.ts';

function textOf(...children: TinyNode[]): string {
  const main = tinySnapshot({ nodes: [{ tag: 'HTML', children }] });
  return renderedText(firstOf(firstOf(capturedFrames({ main, remote_frames: [], loading: false }).frames).elements));
}

test('text is read however deep a page is', () => {
  let tree: TinyNode = 'deep';
  for (let depth = 0; depth < 3000; depth++) tree = { tag: 'DIV', children: [tree] };
  expect(textOf(tree)).toBe('deep');
});

test('visibility counts where the text is, not where its element is', () => {
  expect(textOf('a', { tag: 'B', layout: ['inline', 'hidden', 'collapse', 'visible'], children: ['b'] })).toBe('ab');
});
