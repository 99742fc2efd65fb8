import type { Operator } from './fields.ts';

export function each<T, Node>(values: Record<string, T>, node: (value: T) => Node): Record<string, Node> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, node(value)]));
}

export function unanchored(pattern: string): Record<string, string> {
  const [start, end] = [pattern.slice(1), pattern.slice(0, -1)];
  return {
    ...(pattern.startsWith('^') && start !== '' ? { unanchored_start: start } : {}),
    ...(/(^|[^\\])\$$/.test(pattern) && end !== '' ? { unanchored_end: end } : {}),
  };
}

interface Count {
  op: Operator;
  value: number;
}

/** At least one less than one is any number, which a dropped clause covers. */
export function looserCounts({ op, value }: Count): Record<string, Count> {
  if (op === 'eq') return { at_least: { op: 'gte', value }, ...(value === 0 ? {} : { at_most: { op: 'lte', value } }) };
  if (op === 'lte') return { one_more: { op, value: value + 1 } };
  return value > 1 ? { one_less: { op, value: value - 1 } } : {};
}

/** The node as judged on the open page, which a script can write into. */
export function withoutFresh<Node extends { fresh?: true | undefined }>(
  node: Node,
): Record<string, Omit<Node, 'fresh'>> {
  const { fresh, ...rest } = node;
  return fresh === undefined ? {} : { not_fresh: rest };
}
