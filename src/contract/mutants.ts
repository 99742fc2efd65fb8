import type { TaskContracts } from './judge-task.ts';
import { type Contract, type ContractNode, kindOf } from './schema.ts';

export interface Mutant {
  /** The place and the change, for example `success.children.0:drop`. */
  name: string;
  contracts: TaskContracts;
}

interface Change {
  at: string;
  node: Contract;
}

/**
 * Every way to weaken a task's contracts by one thing: a clause dropped, an operator flipped, a match loosened. Left out are
 * changes that another one covers, and stricter ones, so everything below a `not`.
 */
export function mutantsOf({ success, guards }: TaskContracts): Mutant[] {
  const ofSuccess = [...negated(success, 'success'), ...changesOf(success, 'success')];
  const mutants = ofSuccess.map(({ at, node }) => ({ name: at, contracts: { success: node, guards } }));
  if (guards === undefined) return mutants;
  const ofGuards = changesOf(guards, 'guards').map(({ at, node }) => ({
    name: at,
    contracts: { success, guards: node },
  }));
  return [...mutants, { name: 'guards:drop', contracts: { success } }, ...ofGuards];
}

function changesOf(node: Contract, path: string): Change[] {
  if (node.kind === 'not') return [{ at: `${path}:drop_not`, node: node.child }];
  if (node.kind === 'and') return [...changesOfAnd(node, path), ...changesBelow(node, path)];
  if (node.kind === 'or') {
    return [...changesBelow(node, path, negated), ...changesBelow(node, path)];
  }
  return Object.entries(kindOf(node).loosened(node)).map(([what, other]) => ({ at: `${path}:${what}`, node: other }));
}

/** Dropping a clause of an `and` covers its negation. */
function changesOfAnd(node: ContractNode<'and'>, path: string): Change[] {
  if (node.children.length === 1) return node.children.flatMap((child) => negated(child, `${path}.children.0`));
  const dropped = node.children.map((_, index) => ({
    at: `${path}.children.${index}:drop`,
    node: { ...node, children: node.children.filter((_child, other) => other !== index) },
  }));
  return [...dropped, { at: `${path}:or`, node: { kind: 'or', children: node.children } }];
}

function changesBelow(node: ContractNode<'and' | 'or'>, path: string, change = changesOf): Change[] {
  return node.children.flatMap((child, index) =>
    change(child, `${path}.children.${index}`).map(({ at, node: other }) => ({
      at,
      node: withChild(node, index, other),
    })),
  );
}

function withChild(node: ContractNode<'and' | 'or'>, index: number, child: Contract): Contract {
  return { ...node, children: node.children.map((own, other) => (other === index ? child : own)) };
}

function negated(node: Contract, path: string): Change[] {
  const isLeaf = node.kind !== 'and' && node.kind !== 'or' && node.kind !== 'not';
  return isLeaf ? [{ at: `${path}:negate`, node: { kind: 'not', child: node } }] : [];
}
