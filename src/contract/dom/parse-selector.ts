import { AttributeAction, isTraversal, parse, SelectorType, type PseudoSelector, type Selector } from 'css-what';
import { IDENTIFIER, pseudoProblem } from './pseudo-class-rules.ts';
import { FactError } from '../../messages/fact-error.ts';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import { messageOf } from '../message-of.ts';

export const MAX_SELECTOR_LENGTH = 512;

export type Combinator = Exclude<CombinatorType, SelectorType.Parent | SelectorType.ColumnCombinator>;
export type SimpleSelector = Exclude<Selector, { type: CombinatorType }>;
type CombinatorType =
  | SelectorType.Adjacent
  | SelectorType.Child
  | SelectorType.Descendant
  | SelectorType.Parent
  | SelectorType.Sibling
  | SelectorType.ColumnCombinator;

/** A compound selector, and its relation to the one on its left (in `:has()`, of the first one to the element itself). */
export interface SelectorStep {
  readonly combinator: Combinator;
  readonly compound: readonly SimpleSelector[];
}
export type ComplexSelector = readonly SelectorStep[];

/** A selector that cannot be judged over a capture. */
export class SelectorError extends FactError {}

/**
 * Parses a selector list (Selectors Level 4). Stricter than css-what: it refuses what `querySelectorAll` refuses.
 * @throws SelectorError
 */
export function parseSelector(selector: string): ComplexSelector[] {
  if (selector.length > MAX_SELECTOR_LENGTH) {
    throw new SelectorError(fact('selector_too_long', { most: MAX_SELECTOR_LENGTH }));
  }
  const lists = parsed(selector);
  checkText(selector);
  return lists.map((tokens) => toSteps(tokens, false));
}

export function argumentOf(pseudo: PseudoSelector): ComplexSelector[] {
  return Array.isArray(pseudo.data) ? pseudo.data.map((tokens) => toSteps(tokens, pseudo.name === 'has')) : [];
}

const ESCAPE = /\\(?:[\da-f]{1,6}\s?|[^\n])/gi;
const STRING = /"[^"]*"|'[^']*'/g;
const UNQUOTED = /=\s*([^\s"'\]]+)/g;

/** css-what takes any name and unquoted value; CSS only identifiers. */
function checkText(selector: string): void {
  // With every escape replaced by a plain letter, a sound name is an identifier as it stands.
  const plain = selector.replaceAll(ESCAPE, 'x');
  for (const tokens of parsed(plain)) checkNames(tokens);
  for (const [, value] of plain.replaceAll(STRING, '""').matchAll(UNQUOTED)) {
    if (value !== undefined && !IDENTIFIER.test(value)) throw new SelectorError(fact('selector_unquoted', { value }));
  }
}

function checkNames(tokens: readonly Selector[]): void {
  for (const token of tokens) {
    const name = token.type === SelectorType.Attribute && isClassOrId(token) ? token.value : nameOf(token);
    if (name !== null && !IDENTIFIER.test(name)) throw new SelectorError(fact('selector_name', { name }));
    if (token.type === SelectorType.Pseudo && Array.isArray(token.data)) token.data.forEach(checkNames);
  }
}

function isClassOrId(token: { ignoreCase: unknown }): boolean {
  return token.ignoreCase === 'quirks';
}

function nameOf(token: Selector): string | null {
  return 'name' in token ? token.name : null;
}

function parsed(selector: string): Selector[][] {
  try {
    const lists = parse(selector);
    if (lists.length === 0) throw new Error('it is empty');
    return lists;
  } catch (error) {
    // The parser quotes the rest of the selector, which is empty at its end.
    const why = messageOf(error).replace(/found\s*$/, 'found the end of the selector');
    throw new SelectorError(fact('selector_invalid', { why }), error);
  }
}

function toSteps(tokens: readonly Selector[], relative: boolean): ComplexSelector {
  const steps: { combinator: Combinator; compound: SimpleSelector[] }[] = [];
  let step: (typeof steps)[number] = { combinator: SelectorType.Descendant, compound: [] };
  for (const [i, token] of tokens.entries()) {
    if (!isCombinator(token)) {
      check(token, step.compound.length === 0);
      step.compound.push(token);
      continue;
    }
    if (i === 0 && !relative) throw new SelectorError(fact('selector_starts_with_combinator'));
    if (i > 0) steps.push(step);
    step = { combinator: combinatorOf(token.type), compound: [] };
  }
  if (step.compound.length === 0) throw new SelectorError(fact('selector_ends_with_combinator'));
  return [...steps, step];
}

function isCombinator(token: Selector): token is Extract<Selector, { type: CombinatorType }> {
  return isTraversal(token);
}

function combinatorOf(type: CombinatorType): Combinator {
  if (type === SelectorType.Parent) throw new SelectorError(fact('selector_parent'));
  if (type === SelectorType.ColumnCombinator) throw new SelectorError(fact('selector_column'));
  return type;
}

function check(token: SimpleSelector, first: boolean): void {
  const problem = tokenProblem(token, first);
  if (problem !== null) throw new SelectorError(problem);
}

function tokenProblem(token: SimpleSelector, first: boolean): Fact | null {
  if (token.type === SelectorType.PseudoElement) {
    return fact('selector_pseudo_element', { name: token.name });
  }
  if (token.type === SelectorType.Pseudo) return pseudoProblem(token) ?? argumentProblem(token);
  if (token.namespace !== null && token.namespace !== '*') return fact('selector_namespace');
  if (token.type !== SelectorType.Attribute) {
    return first ? null : fact('selector_name_late');
  }
  if (token.ignoreCase === false) return fact('selector_flag');
  return token.action === AttributeAction.Not ? fact('selector_not_equal', { name: token.name }) : null;
}

function argumentProblem(pseudo: PseudoSelector): Fact | null {
  argumentOf(pseudo);
  if (pseudo.name !== 'has' || !Array.isArray(pseudo.data) || !pseudo.data.flat().some(mayNotBeInHas)) return null;
  return fact('selector_nested_has');
}

function mayNotBeInHas(token: Selector): boolean {
  if (token.type !== SelectorType.Pseudo) return false;
  return NOT_IN_HAS.has(token.name) || (Array.isArray(token.data) && token.data.flat().some(mayNotBeInHas));
}

const NOT_IN_HAS: ReadonlySet<string> = new Set(['has', 'scope']);
