import { present } from '../evidence.ts';
import type { CapturedElement, CapturedNode } from './captured-tree.ts';
import type { PageDom } from './document.ts';
import { optionText } from './rendered-text.ts';
import type { Snapshot, SnapshotDocument } from './snapshot.ts';

/** `none`: the element is not a field with a text; `secret`: its value is in no evidence. */
export type FieldValue = { text: string } | 'none' | 'secret' | 'not_captured';

/** The value of a field: of a list, the texts of its chosen options, each on a line. */
export function fieldValueOf(element: CapturedElement): FieldValue {
  const { name, html, attributes, value } = element;
  const type = attributes.get('type')?.toLowerCase();
  if (!html || !FIELDS.has(name) || (name === 'input' && CHECKED.has(type ?? ''))) return 'none';
  if (isSecret(name, attributes)) return 'secret';
  if (name === 'select') return { text: chosenIn(element).map(labelOf).join('\n') };
  return value === null ? 'not_captured' : { text: value };
}

const FIELDS: ReadonlySet<string> = new Set(['input', 'textarea', 'select']);
const CHECKED: ReadonlySet<string> = new Set(['checkbox', 'radio']);

/** The chosen options of a list, in document order. */
export function chosenIn(list: CapturedElement): CapturedElement[] {
  const chosen: CapturedElement[] = [];
  const todo: CapturedNode[] = [list];
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    if (node.kind !== 'element') continue;
    if (node.name === 'option' && node.selected) chosen.push(node);
    for (const child of node.children.toReversed()) todo.push(child);
  }
  return chosen;
}

function labelOf(option: CapturedElement): string {
  return option.attributes.get('label') || optionText(option);
}

/** Whether a field is for a password or for data of a payment card, by its own attributes. */
function isSecret(name: string, attributes: ReadonlyMap<string, string>): boolean {
  const purposes = attributes.get('autocomplete')?.toLowerCase().split(/\s+/) ?? [];
  if (name === 'input' && attributes.get('type')?.toLowerCase() === 'password') return true;
  return purposes.some((word) => word === 'current-password' || word === 'new-password' || word.startsWith('cc-'));
}

/** A snapshot without the values of secret fields, typed or in the page's source. */
export function withoutSecrets(snapshot: Snapshot): Snapshot {
  const { strings } = snapshot;
  const text = (index = -1): string => strings[index] ?? '';
  const isSecretNode = (flat: readonly number[], nodeName: number | undefined): boolean => {
    const name = text(nodeName).toLowerCase();
    const read = () => new Map(pairsOf(flat).map(([attribute, value]) => [text(attribute), text(value)]));
    return FIELDS.has(name) && isSecret(name, read());
  };
  const withoutValue = ([name, value]: readonly [number, number]) => [name, text(name) === 'value' ? -1 : value];
  let isAny = false;
  const documents = snapshot.documents.map((document) => {
    const { attributes, nodeName, inputValue, textValue } = document.nodes;
    const secret = new Set(attributes.flatMap((flat, node) => (isSecretNode(flat, nodeName[node]) ? [node] : [])));
    isAny ||= secret.size > 0;
    const nodes = {
      ...document.nodes,
      attributes: attributes.map((flat, node) => (secret.has(node) ? pairsOf(flat).flatMap(withoutValue) : flat)),
      inputValue: emptied(inputValue, secret),
      textValue: emptied(textValue, secret),
    };
    return { ...document, nodes };
  });
  if (!isAny) return snapshot;
  const used = new Set(documents.flatMap(stringsIn));
  return { documents, strings: strings.map((each, index) => (used.has(index) ? each : '')) };
}

type RareValues = NonNullable<SnapshotDocument['nodes']['inputValue']>;

function emptied(values: RareValues | undefined, secret: ReadonlySet<number>): RareValues | undefined {
  if (values === undefined) return undefined;
  const { index, value } = values;
  return { index, value: value.map((each, place) => (secret.has(index[place] ?? -1) ? -1 : each)) };
}

function pairsOf(flat: readonly number[]): [name: number, value: number][] {
  return flat.flatMap((name, place) => (place % 2 === 0 ? [[name, flat[place + 1] ?? -1] as const] : []));
}

/** The strings that a document refers to. */
function stringsIn({ documentURL: url, frameId, nodes, layout }: SnapshotDocument): number[] {
  const { shadowRootType: shadow, pseudoType: pseudo, inputValue, textValue } = nodes;
  const rare = [shadow, pseudo, inputValue, textValue].map((each) => each?.value ?? []);
  return [
    [url, frameId],
    nodes.nodeName,
    nodes.nodeValue,
    layout.text,
    ...rare,
    ...nodes.attributes,
    ...layout.styles,
  ].flat();
}

/** A captured page in which some fields and options, by their backend node ids, have another value. */
export function withFieldValues(dom: PageDom, ids: ReadonlySet<number>, edit: (value: string) => string): PageDom {
  const edited = (snapshot: Snapshot): Snapshot => {
    const strings = [...snapshot.strings];
    const other = (index: number): number => strings.push(edit(strings[index] ?? '')) - 1;
    const documents = snapshot.documents.map((document) => {
      const { nodes } = document;
      const has = (node: number | undefined): boolean => ids.has(nodes.backendNodeId[node ?? -1] ?? -1);
      const values = (rare: RareValues | undefined) =>
        rare && { ...rare, value: rare.value.map((each, place) => (has(rare.index[place]) ? other(each) : each)) };
      // An option's value is its text.
      const nodeValue = nodes.nodeValue.map((each, node) =>
        nodes.nodeType[node] === TEXT && has(nodes.parentIndex[node]) ? other(each) : each,
      );
      const [inputValue, textValue] = [values(nodes.inputValue), values(nodes.textValue)];
      return { ...document, nodes: { ...nodes, nodeValue, inputValue, textValue } };
    });
    return { documents, strings };
  };
  const frames = dom.remote_frames.map(({ snapshot, ...frame }) => ({
    ...frame,
    snapshot: snapshot.captured ? present(edited(snapshot.value)) : snapshot,
  }));
  return { ...dom, main: edited(dom.main), remote_frames: frames };
}

const TEXT = 3;
