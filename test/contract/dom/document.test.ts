import { expect, test } from 'vitest';
import { missing, present } from '../../../src/contract/evidence.ts';
import { capturedFrames, type PageDom } from '../../../src/contract/dom/document.ts';
import { Snapshot } from '../../../src/contract/dom/snapshot.ts';
import { tinySnapshot, type TinyDocument, type TinyNode } from './tiny-snapshot.ts';
import { renderedText } from '../../../src/contract/dom/rendered-text.ts';
import { firstOf } from './find.ts';

const html = (...children: TinyNode[]): TinyDocument => ({ nodes: [{ tag: 'HTML', children }] });
const page = (main: Snapshot, ...remote_frames: PageDom['remote_frames']): PageDom => ({
  main,
  remote_frames,
  loading: false,
});
const names = (list: readonly { kind: string; name?: string }[] | undefined) =>
  list?.map((node) => node.name ?? 'text');
const urls = (dom: PageDom) => capturedFrames(dom).frames.map((frame) => frame.url);

test('frames come at their owners, depth first', () => {
  const main = tinySnapshot(
    html({ tag: 'IFRAME', content: 2 }, { tag: 'IFRAME', content: 1 }),
    html(),
    html({ tag: 'IFRAME', content: 3 }),
    html(),
  );
  expect(urls(page(main))).toEqual([0, 2, 3, 1].map((i) => `http://app.test/${i}`));
});

test('a frame of another process comes at its owner', () => {
  const main = tinySnapshot(html({ tag: 'IFRAME', backendNodeId: 77 }, { tag: 'IFRAME', content: 1 }), html());
  const remote = tinySnapshot({ ...html(), url: 'http://other.test/' });
  const frame = { frame_id: 'r', parent_frame_id: null, owner_backend_node_id: 77, snapshot: present(remote) };
  expect(urls(page(main, frame))).toEqual(['http://app.test/0', 'http://other.test/', 'http://app.test/1']);
});

test('a frame of another process may hold one of a third', () => {
  const main = tinySnapshot(html({ tag: 'IFRAME', backendNodeId: 77 }));
  const second = tinySnapshot({ ...html({ tag: 'IFRAME', backendNodeId: 77 }), url: 'http://second.test/' });
  const third = tinySnapshot({ ...html(), url: 'http://third.test/' });
  const dom = page(
    main,
    { frame_id: 'a', parent_frame_id: null, owner_backend_node_id: 77, snapshot: present(second) },
    { frame_id: 'b', parent_frame_id: 'a', owner_backend_node_id: 77, snapshot: present(third) },
  );
  expect(urls(dom)).toEqual(['http://app.test/0', 'http://second.test/', 'http://third.test/']);
  expect(capturedFrames(dom).uncaptured).toEqual([]);
});

test('the same node id in another process is another element', () => {
  const main = tinySnapshot(html({ tag: 'IFRAME', backendNodeId: 77 }, { tag: 'IFRAME', backendNodeId: 78 }));
  const first = tinySnapshot({ ...html({ tag: 'IFRAME', backendNodeId: 78 }), url: 'http://first.test/' });
  const inner = tinySnapshot({ ...html(), url: 'http://inner.test/' });
  const second = tinySnapshot({ ...html(), url: 'http://second.test/' });
  const dom = page(
    main,
    { frame_id: 'second', parent_frame_id: null, owner_backend_node_id: 78, snapshot: present(second) },
    { frame_id: 'inner', parent_frame_id: 'first', owner_backend_node_id: 78, snapshot: present(inner) },
    { frame_id: 'first', parent_frame_id: null, owner_backend_node_id: 77, snapshot: present(first) },
  );
  expect(urls(dom)).toEqual(['http://app.test/0', 'http://first.test/', 'http://inner.test/', 'http://second.test/']);
});

test('frames with an unknown owner come last, and may or may not be shown', () => {
  const main = tinySnapshot(html({ tag: 'IFRAME', content: 1 }), html());
  const remote = tinySnapshot({ ...html(), url: 'http://other.test/' });
  const frame = { frame_id: 'r', parent_frame_id: null, owner_backend_node_id: null, snapshot: present(remote) };
  expect(urls(page(main, frame)).at(-1)).toBe('http://other.test/');
  expect(capturedFrames(page(main, frame)).uncaptured).toEqual(['frame r: it is not known whether it is shown']);
});

test('a page that was still loading may have more elements', () => {
  const dom = { ...page(tinySnapshot(html())), loading: true };
  expect(capturedFrames(dom).uncaptured).toEqual(['the page was still loading']);
});

test('a frame that could not be captured leaves its reason', () => {
  const main = tinySnapshot(html({ tag: 'IFRAME', backendNodeId: 77 }));
  const frame = {
    frame_id: 'r',
    parent_frame_id: null,
    owner_backend_node_id: 77,
    snapshot: missing<Snapshot>('it hung'),
  };
  expect(capturedFrames(page(main, frame)).uncaptured).toEqual(['frame r: it hung']);
});

test('a frame element without any document leaves a reason', () => {
  const main = tinySnapshot(html({ tag: 'IFRAME', attributes: { src: 'http://other.test/' } }));
  expect(capturedFrames(page(main)).uncaptured).toEqual([
    'the capture does not hold the document of <iframe src="http://other.test/">',
  ]);
});

test('the children of a shadow root and those of its host are distinguished', () => {
  const slot: TinyNode = { tag: 'SLOT', shadow: 'closed', children: [{ tag: 'B' }, 'light'] };
  const main = tinySnapshot(html({ tag: 'X-HOST', children: [{ tag: 'P', shadow: 'closed', children: [slot] }] }));
  const host = capturedFrames(page(main)).frames[0]?.elements.find((element) => element.name === 'x-host');
  expect(host?.shadowRoot?.kind).toBe('closed');
  expect(names(host?.shadowRoot?.children)).toEqual(['p']);
  expect(names(host?.children)).toEqual(['b', 'text']);
});

test('elements are in shadow-including document order', () => {
  const slot: TinyNode = { tag: 'SLOT', shadow: 'open', children: [{ tag: 'B' }] };
  const main = tinySnapshot(html({ tag: 'X-HOST', children: [slot, { tag: 'I', shadow: 'open' }] }, { tag: 'P' }));
  expect(names(capturedFrames(page(main)).frames[0]?.elements)).toEqual(['html', 'x-host', 'slot', 'i', 'b', 'p']);
});

const sound = () => tinySnapshot(html({ tag: 'P', attributes: { id: 'a' }, children: ['text'] }));
const broken: [string, (snapshot: Snapshot) => void, RegExp][] = [
  ['a node that is its own parent', (s) => s.documents[0]?.nodes.parentIndex.splice(3, 1, 3), /node 3 has parent 3/],
  ['a parent that is not there', (s) => s.documents[0]?.nodes.parentIndex.splice(3, 1, 99), /node 3 has parent 99/],
  ['two roots', (s) => s.documents[0]?.nodes.parentIndex.splice(2, 1, -1), /node 2 has parent -1/],
  ['lists of different lengths', (s) => s.documents[0]?.nodes.nodeName.pop(), /differ in length/],
  ['a string that is not there', (s) => s.strings.splice(2), /outside of strings/],
  ['an attribute without a value', (s) => s.documents[0]?.nodes.attributes[3]?.pop(), /without a value/],
  ['a box of no node', (s) => s.documents[0]?.layout.nodeIndex.splice(0, 1, 99), /belongs to node 99/],
  ['a box without styles', (s) => s.documents[0]?.layout.styles.splice(0, 1, [0]), /has 1 styles/],
  ['no document at its root', (s) => s.documents[0]?.nodes.nodeType.splice(0, 1, 1), /not a document/],
];

test.each(broken)('a capture with %s is an error that names it', (_, damage, message) => {
  const snapshot = sound();
  damage(snapshot);
  expect(() => capturedFrames(page(snapshot))).toThrow(message);
});

test('a document that contains itself is an error', () => {
  const twice = tinySnapshot(html({ tag: 'IFRAME', content: 1 }), html({ tag: 'IFRAME', content: 1 }));
  expect(() => capturedFrames(page(twice))).toThrow('contained more than once');
});

test('a missing content document is an error', () => {
  expect(() => capturedFrames(page(tinySnapshot(html({ tag: 'IFRAME', content: 5 }))))).toThrow(
    'document 5 is not there',
  );
});

test('the schema strips fields that no judgement reads', () => {
  const [document] = sound().documents;
  const parsed = Snapshot.parse({ ...sound(), documents: [{ ...document, title: 1, textBoxes: {} }], extra: 1 });
  expect(parsed).toEqual(sound());
});

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
