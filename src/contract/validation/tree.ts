import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import { shown } from './wording.ts';
import type { Problem } from './problem.ts';
import { isRecord } from './record.ts';

/** The root alone has depth 1. */
const MAX_DEPTH = 32;

/** Branching assertions included. */
const MAX_NODES = 256;

export interface Visit {
  node: Record<string, unknown>;
  path: (string | number)[];
  parent: Record<string, unknown> | null;
}

interface Waiting {
  value: unknown;
  path: (string | number)[];
  ancestors: readonly Record<string, unknown>[];
}

/** The assertions of an unvalidated tree, parents first, and what is wrong with its shape. Without recursion, and bounded. */
export function contractTree(root: unknown): { visits: Visit[]; problems: Problem[] } {
  const visits: Visit[] = [];
  const problems: Problem[] = [];
  const waiting: Waiting[] = [{ value: root, path: [], ancestors: [] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (visits.length === MAX_NODES) {
      problems.push({ path: [], what: fact('too_many_assertions', { most: MAX_NODES }) });
      break;
    }
    const { value, path, ancestors } = next;
    const problem = placeProblem(value, ancestors);
    if (problem !== null) problems.push({ path, what: problem });
    else if (isRecord(value)) {
      visits.push({ node: value, path, parent: ancestors.at(-1) ?? null });
      waiting.push(...below(value, path, [...ancestors, value]).toReversed());
    }
  }
  return { visits, problems };
}

function placeProblem(value: unknown, ancestors: readonly object[]): Fact | null {
  const wanted = { type: 'assertion', choices: '' };
  if (value === undefined) return fact('field_missing', wanted);
  if (!isRecord(value)) return fact('wrong_type', { ...wanted, given: shown(value), quotes: 'fine' });
  if (ancestors.includes(value)) return fact('contains_itself');
  if (ancestors.length >= MAX_DEPTH) return fact('assertions_too_deep', { most: MAX_DEPTH });
  return null;
}

/** The nodes below one, of any kind: a misspelt "and" must not hide what is wrong inside it. */
function below(node: Record<string, unknown>, path: Visit['path'], ancestors: Waiting['ancestors']): Waiting[] {
  const children: readonly unknown[] = Array.isArray(node['children']) ? node['children'].slice(0, MAX_NODES + 1) : [];
  const waiting = children.map((value, index) => ({ value, path: [...path, 'children', index], ancestors }));
  if ('child' in node || node['kind'] === 'not') {
    waiting.push({ value: node['child'], path: [...path, 'child'], ancestors });
  }
  return waiting;
}
