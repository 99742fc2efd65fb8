import fc from 'fast-check';
import { plainTree, type ModelElement, type ModelNode } from './page-model.ts';

type Mode = 'open' | 'closed';

const nodes = plainTree.nodes;

/**
 * A host whose tree scopes a capture distinguishes: no shadow root directly in one of the same mode, every child in a
 * slot, and the slots in the order of the children. What it cannot tell apart is listed and shown one by one elsewhere.
 */
function host(mode: Mode, depth: number): fc.Arbitrary<ModelElement> {
  const inside = depth === 0 ? nodes : withHosts(nodes, host(mode === 'open' ? 'closed' : 'open', depth - 1));
  return fc
    .record({ before: inside, between: inside, fallback: nodes, light: nodes, named: nodes, wrap: fc.boolean() })
    .map(({ before, between, fallback, light, named, wrap }) => {
      const first = slot({}, []);
      const children = [
        ...before,
        wrap ? tag('section', {}, [first]) : first,
        ...between,
        tag('div', {}, [slot({ name: 'a' }, [])]),
        slot({ name: 'z' }, fallback),
      ];
      return { ...tag('x-host', {}, [...light, ...named.flatMap(intoSlot)]), shadow: { mode, children } };
    });
}

function intoSlot(node: ModelNode): ModelNode[] {
  return typeof node === 'string' ? [] : [{ ...node, attributes: { ...node.attributes, slot: 'a' } }];
}

function withHosts(list: fc.Arbitrary<ModelNode[]>, extra: fc.Arbitrary<ModelElement>): fc.Arbitrary<ModelNode[]> {
  return fc.tuple(list, extra, list).map(([before, one, after]) => [...before, one, ...after]);
}

/** Trees that hold hosts of open and closed shadow roots, nested in each other. */
export const shadowTree: fc.Arbitrary<ModelNode[]> = fc
  .tuple(fc.constantFrom<Mode>('open', 'closed'), fc.constantFrom<Mode>('open', 'closed'))
  .chain(([first, second]) => fc.tuple(nodes, host(first, 1), nodes, host(second, 0)))
  .map(([before, one, between, other]) => [...before, one, tag('div', { class: 'a' }, [...between, other])]);

/** The same page without shadow roots: the flat tree, each slot an element that has no box, as a slot has none. */
export function flatten(list: readonly ModelNode[], light: readonly ModelNode[] = []): ModelNode[] {
  return list.map((node) => {
    if (typeof node === 'string') return node;
    if (node.shadow !== undefined)
      return { ...node, shadow: undefined, children: flatten(node.shadow.children, flatten(node.children)) };
    if (node.tag !== 'slot') return { ...node, children: flatten(node.children, light) };
    const assigned = light.filter((child) => slotOf(child) === (node.attributes['name'] ?? ''));
    return tag('x-slot', { style: 'display:contents' }, assigned.length > 0 ? assigned : flatten(node.children, light));
  });
}

function slotOf(node: ModelNode): string {
  return typeof node === 'string' ? '' : (node.attributes['slot'] ?? '');
}

function slot(attributes: Record<string, string>, children: readonly ModelNode[]): ModelElement {
  return tag('slot', attributes, children);
}

function tag(name: string, attributes: Record<string, string>, children: readonly ModelNode[]): ModelElement {
  return { tag: name, attributes, children };
}
