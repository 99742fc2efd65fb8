import { expect, test } from 'vitest';
import type { CapturedElement } from '../../../src/contract/dom/captured-tree.ts';
import { capturedFrames } from '../../../src/contract/dom/document.ts';
import { renderedText } from '../../../src/contract/dom/rendered-text.ts';
import { selectAll } from '../../../src/contract/dom/select.ts';
import { firstOf } from './find.ts';
import { tinySnapshot, type TinyNode } from './tiny-snapshot.ts';

// So large that what is read once takes a moment, and what is read once for each element does not end.
const MANY = 300_000;
const BLOCKS = 400_000;

function frameOf(...children: TinyNode[]) {
  const main = tinySnapshot({ nodes: [{ tag: 'HTML', children }] });
  return firstOf(capturedFrames({ main, remote_frames: [], loading: false }).frames);
}

function textOf(element: CapturedElement | undefined): string {
  return element === undefined ? '' : renderedText(element);
}

function many(node: TinyNode, count = MANY): TinyNode[] {
  return Array.from({ length: count }, () => node);
}

test('blocks that end in a space are joined once, however many', () => {
  const block: TinyNode = { tag: 'DIV', layout: ['block', 'visible', 'collapse', 'visible'], children: ['word '] };
  const text = textOf(frameOf({ tag: 'DIV', children: many(block, BLOCKS) }).elements[0]);
  expect(text).toHaveLength('word\n'.length * BLOCKS - 1);
});

test('fields of one fieldset are known to be disabled, however many', () => {
  const fieldset: TinyNode = { tag: 'FIELDSET', attributes: { disabled: '' }, children: many({ tag: 'INPUT' }) };
  const frame = frameOf(fieldset);
  expect(selectAll(frame, 'input:disabled')).toHaveLength(MANY);
  expect(selectAll(frame, 'input:enabled')).toEqual([]);
});

test('all summaries of closed details but the first are skipped, however many, and after any content', () => {
  const summary: TinyNode = { tag: 'SUMMARY', children: ['more'] };
  const frame = frameOf({ tag: 'DETAILS', children: [...many({ tag: 'B' }), ...many(summary)] });
  expect(textOf(frame.elements[0])).toBe('more');
});
