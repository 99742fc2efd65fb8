import { expect, test } from 'vitest';
import { present } from '../../../src/contract/evidence.ts';
import { capturedFrames, type PageDom } from '../../../src/contract/dom/document.ts';
import { renderedText } from '../../../src/contract/dom/rendered-text.ts';
import { selectAll } from '../../../src/contract/dom/select.ts';
import { tinySnapshot, type TinyDocument, type TinyNode } from './tiny-snapshot.ts';

type Remote = PageDom['remote_frames'][number];
type Layout = NonNullable<Exclude<TinyNode, string>['layout']>;

const html = (...children: TinyNode[]): TinyDocument => ({ nodes: [{ tag: 'HTML', children }] });
const remote = (id: string, parent: string | null, owner: number | null, document: TinyDocument): Remote => ({
  frame_id: id,
  parent_frame_id: parent,
  owner_backend_node_id: owner,
  snapshot: present(tinySnapshot(document)),
});

function textsOf(main: readonly TinyDocument[], ...remote_frames: Remote[]): string[] {
  const { frames } = capturedFrames({ main: tinySnapshot(...main), remote_frames, loading: false });
  return frames.flatMap((frame) => selectAll(frame, 'html').map(renderedText));
}

const shown: Layout = ['inline', 'visible', 'collapse', 'visible'];
const owners: [string, Layout, string][] = [
  ['shown', shown, 'inside'],
  ['off the screen with content-visibility:auto', ['inline', 'visible', 'collapse', 'auto'], 'inside'],
  ['without a box', false, ''],
  ['hidden', ['inline', 'hidden', 'collapse', 'visible'], ''],
  ['collapsed', ['inline', 'collapse', 'collapse', 'visible'], ''],
  ['told to skip its content', ['inline', 'visible', 'collapse', 'hidden'], ''],
];

test.each(owners)('a frame of the same process, its owner %s', (_, layout, text) => {
  expect(textsOf([html({ tag: 'IFRAME', content: 1, layout }), html('inside')])).toEqual(['', text]);
});

test.each(owners)('a frame of another process, its owner %s', (_, layout, text) => {
  const owner: TinyNode = { tag: 'IFRAME', backendNodeId: 7, layout };
  expect(textsOf([html(owner)], remote('r', null, 7, html('inside')))).toEqual(['', text]);
});

test.each(owners)('a frame in a frame whose owner is %s', (_, layout, text) => {
  const outer: TinyNode = { tag: 'IFRAME', content: 1, layout };
  expect(textsOf([html(outer), html({ tag: 'IFRAME', content: 2 }), html('inside')])).toEqual(['', '', text]);
});

test.each(owners)('a frame of a third process in one of a second whose owner is %s', (_, layout, text) => {
  const outer: TinyNode = { tag: 'IFRAME', backendNodeId: 7, layout };
  const second = remote('a', null, 7, html({ tag: 'IFRAME', backendNodeId: 8 }));
  expect(textsOf([html(outer)], second, remote('b', 'a', 8, html('inside')))).toEqual(['', '', text]);
});

test.each([
  ['open', { open: '' }, 'inside'],
  ['closed', {}, ''],
])('a frame in details that are %s', (_, attributes, text) => {
  const details: TinyNode = { tag: 'DETAILS', attributes, children: [{ tag: 'IFRAME', content: 1 }] };
  expect(textsOf([html(details), html('inside')])).toEqual(['', text]);
});

test('a frame whose owner is in no slot is not shown, since its owner is not in the capture', () => {
  const far = remote('r', null, 7, html('inside'));
  expect(textsOf([html(), html('inside')], far)).toEqual(['', '', '']);
});

test('a hidden frame keeps its elements', () => {
  const main = tinySnapshot(html({ tag: 'IFRAME', content: 1, layout: false }), html({ tag: 'P' }));
  const { frames } = capturedFrames({ main, remote_frames: [], loading: false });
  expect(frames.map((frame) => selectAll(frame, 'p').length)).toEqual([0, 1]);
});
