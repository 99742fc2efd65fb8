import { expect, test } from 'vitest';
import { capturedFrames } from '../../../src/contract/dom/document.ts';
import { serialise } from '../../../src/surface/dom/serialise.ts';
import { firstOf } from '../../contract/dom/find.ts';
import { tinySnapshot, type TinyNode } from '../../contract/dom/tiny-snapshot.ts';

test('an element with any number of children is written', () => {
  // More than a call may have arguments.
  const children = ['first', ...Array.from({ length: 200_000 }, (): TinyNode => ({ tag: 'BR' }))];
  const main = tinySnapshot({ nodes: [{ tag: 'HTML', children: [{ tag: 'DIV', children }] }] });
  const frame = firstOf(capturedFrames({ main, remote_frames: [], loading: false }).frames);
  const { html } = serialise({ frame, values: new Map(), inside: new Map() }, Infinity);
  expect(html).toMatch(/<div>first(?:<br>){200000}<\/div>/);
});
