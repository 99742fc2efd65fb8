import type { TaskContracts } from '../../contract/judge-task.ts';
import type { Contract, ContractNode } from '../../contract/schema.ts';

/** A task's contracts with one thing changed, so that more may pass. */
export interface Mutant {
  /** Where, and what was done there, for example `success.children.0:drop`. */
  name: string;
  contracts: TaskContracts;
}

/** A change of one node: what it is called, and what then stands in its place. */
interface Change {
  at: string;
  node: Contract;
}

/**
 * Every way to make a task's contracts say less by one thing: a clause dropped, an operator flipped, a match loosened. What
 * would only say less in a case that another change covers already is left out; so is what makes a contract stricter, and
 * so all below a `not`.
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
    const turned = node.children.flatMap((child, index) =>
      negated(child, `${path}.children.${index}`).map(({ at, node: other }) => ({
        at,
        node: withChild(node, index, other),
      })),
    );
    return [...turned, ...changesBelow(node, path)];
  }
  return Object.entries(loosened(node)).map(([what, other]) => ({ at: `${path}:${what}`, node: other }));
}

/** To drop a clause of an `and` covers its negation: whatever shows that one shows the other. */
function changesOfAnd(node: ContractNode<'and'>, path: string): Change[] {
  if (node.children.length === 1) return node.children.flatMap((child) => negated(child, `${path}.children.0`));
  const dropped = node.children.map((_, index) => ({
    at: `${path}.children.${index}:drop`,
    node: { ...node, children: node.children.filter((_child, other) => other !== index) },
  }));
  return [...dropped, { at: `${path}:or`, node: { kind: 'or', children: node.children } }];
}

function changesBelow(node: ContractNode<'and' | 'or'>, path: string): Change[] {
  return node.children.flatMap((child, index) =>
    changesOf(child, `${path}.children.${index}`).map(({ at, node: other }) => ({
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

type Leaf = Exclude<Contract, { kind: 'and' | 'or' | 'not' }>;

/** What an assertion can be loosened to, by the name of the change. */
function loosened(node: Leaf): Record<string, Contract> {
  switch (node.kind) {
    case 'url':
      return each(unanchored(node.pattern), (pattern) => ({ ...node, pattern }));
    case 'dom_text':
      return { ...looserText(node), ...withoutFresh(node) };
    case 'dom_count':
      return { ...each(looserCounts(node), (count) => ({ ...node, ...count })), ...withoutFresh(node) };
    case 'network':
      return looserNetwork(node);
    case 'answer':
      return looserAnswer(node);
    case 'app_state':
      return looserState(node);
    case 'unchanged':
      return widerExceptions(node);
    case 'no_dialog':
    case 'screenshot_class':
      return {};
  }
}

function each<T>(values: Record<string, T>, node: (value: T) => Contract): Record<string, Contract> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, node(value)]));
}

function unanchored(pattern: string): Record<string, string> {
  const [start, end] = [pattern.slice(1), pattern.slice(0, -1)];
  return {
    ...(pattern.startsWith('^') && start !== '' ? { unanchored_start: start } : {}),
    ...(/(^|[^\\])\$$/.test(pattern) && end !== '' ? { unanchored_end: end } : {}),
  };
}

function looserText(node: ContractNode<'dom_text'>): Record<string, Contract> {
  const { contains, equals, matches, ...rest } = node;
  if (equals !== undefined) return { contains: { ...rest, contains: equals } };
  if (matches !== undefined) return each(unanchored(matches), (pattern) => ({ ...rest, matches: pattern }));
  const { selector, ...others } = rest;
  return selector === undefined || contains === undefined
    ? {}
    : { any_text: { ...others, kind: 'dom_count', selector, op: 'gte', value: 1 } };
}

function withoutFresh(node: ContractNode<'dom_text' | 'dom_count'>): Record<string, Contract> {
  const { fresh, ...rest } = node;
  return fresh === undefined ? {} : { not_fresh: rest };
}

type Count = Pick<ContractNode<'dom_count'>, 'op' | 'value'>;

/** At least one less than one is any number, and so is covered where the clause is dropped. */
function looserCounts({ op, value }: Count): Record<string, Count> {
  if (op === 'eq') return { at_least: { op: 'gte', value }, ...(value === 0 ? {} : { at_most: { op: 'lte', value } }) };
  if (op === 'lte') return { one_more: { op, value: value + 1 } };
  return value > 1 ? { one_less: { op, value: value - 1 } } : {};
}

function looserNetwork(node: ContractNode<'network'>): Record<string, Contract> {
  const { method, body_matches: body, ...rest } = node;
  return {
    ...each(unanchored(node.url_pattern), (pattern) => ({ ...node, url_pattern: pattern })),
    ...(node.count === undefined ? {} : each(looserCounts(node.count), (count) => ({ ...node, count }))),
    ...(method === undefined ? {} : { any_method: body === undefined ? rest : { ...rest, body_matches: body } }),
    ...(body === undefined ? {} : { any_body: method === undefined ? rest : { ...rest, method } }),
    ...(node.since === 'last_tool_call' ? { any_time: { ...node, since: 'contract_enter' } } : {}),
  };
}

function looserAnswer(node: ContractNode<'answer'>): Record<string, Contract> {
  if (node.number !== undefined) return { one_off: { ...node, tolerance: (node.tolerance ?? 0) + 1 } };
  const hasCase = (node.one_of ?? []).some((text) => text.toLowerCase() !== text.toUpperCase());
  return hasCase && node.ignore_case !== true ? { any_case: { ...node, ignore_case: true } } : {};
}

function looserState(node: ContractNode<'app_state'>): Record<string, Contract> {
  const { equals, matches, ...rest } = node;
  if (matches !== undefined) return each(unanchored(matches), (pattern) => ({ ...rest, matches: pattern }));
  if (equals === undefined) return {};
  if (typeof equals === 'number') {
    const or = (other: number): Contract => ({ kind: 'or', children: [node, { ...rest, equals: other }] });
    return { one_more: or(equals + 1), one_less: or(equals - 1) };
  }
  return { any_value: { kind: 'not', child: { ...rest, absent: true } } };
}

/** An exception to all that it stands in. */
function widerExceptions(node: ContractNode<'unchanged'>): Record<string, Contract> {
  const { except = [] } = node;
  return Object.fromEntries(
    except.flatMap((pointer, index) => {
      const parent = pointer.slice(0, pointer.lastIndexOf('/'));
      if (parent === '') return [];
      return [[`wider_${index}`, { ...node, except: except.map((own, at) => (at === index ? parent : own)) }]];
    }),
  );
}
