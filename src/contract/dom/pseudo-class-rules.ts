import type { PseudoSelector } from 'css-what';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';

/** The positions `step × n + start` for n = 0, 1, 2, … (CSS Syntax, "An+B"). */
export interface Nth {
  readonly step: number;
  readonly start: number;
}

const AN_PLUS_B = /^(?:([+-]?\d*)n(?:\s*([+-])\s*(\d+))?|([+-]?\d+))$/;

/** Parses the argument of `:nth-child()` and its relatives; null if it is not of the form An+B. */
export function parseNth(argument: string): Nth | null {
  const text = argument.trim().toLowerCase();
  if (text === 'odd') return { step: 2, start: 1 };
  if (text === 'even') return { step: 2, start: 0 };
  const [, step, sign, offset, position] = AN_PLUS_B.exec(text) ?? [];
  if (position !== undefined) return { step: 0, start: Number(position) };
  if (step === undefined) return null;
  const factor = step === '' || step === '+' || step === '-' ? Number(`${step}1`) : Number(step);
  return { step: factor, start: offset === undefined ? 0 : Number(`${sign ?? ''}${offset}`) };
}

export function isNth({ step, start }: Nth, position: number): boolean {
  const distance = position - start;
  return step === 0 ? distance === 0 : distance % step === 0 && distance / step >= 0;
}

/** An identifier of CSS Syntax Level 3, escapes aside. */
export const IDENTIFIER = /^(?:--|-?[a-z_\u0080-\u{10FFFF}])[\w\u0080-\u{10FFFF}-]*$/iu;

const STRUCTURAL = ['root', 'scope', 'empty', 'first-child', 'last-child', 'only-child'] as const;
const OF_TYPE = ['first-of-type', 'last-of-type', 'only-of-type'] as const;
const STATES = ['checked', 'disabled', 'enabled', 'required', 'optional', 'link', 'any-link'] as const;
const PLAIN = [...STRUCTURAL, ...OF_TYPE, ...STATES] as const;
export type PlainPseudoClass = (typeof PLAIN)[number];

const COUNTING = ['nth-child', 'nth-last-child', 'nth-of-type', 'nth-last-of-type'] as const;
const NESTING = ['not', 'is', 'where', 'has'] as const;

const NOT_CAPTURED: ReadonlySet<string> = new Set(
  (
    'hover active focus focus-visible focus-within visited target target-within local-link autofill user-valid ' +
    'user-invalid playing paused fullscreen modal popover-open'
  ).split(' '),
);
const SHADOW: ReadonlySet<string> = new Set(['host', 'host-context', 'slotted']);
const TEXT: ReadonlySet<string> = new Set(['contains', 'icontains', 'has-text', 'text', 'text-is']);

export function pseudoProblem({ name, data }: PseudoSelector): Fact | null {
  if (NOT_CAPTURED.has(name)) return fact('pseudo_not_captured', { name });
  if (SHADOW.has(name)) return fact('pseudo_shadow', { name });
  if (TEXT.has(name)) return fact('pseudo_text', { name });
  if (isOneOf(COUNTING, name)) return nthProblem(name, data);
  if (isOneOf(NESTING, name)) return Array.isArray(data) ? null : fact('pseudo_needs_selectors', { name });
  if (isPlainPseudoClass(name)) return data === null ? null : fact('pseudo_needs_no_argument', { name });
  const known = [...PLAIN, ...COUNTING, ...NESTING].map((each) => `:${each}`).join(' ');
  return fact('pseudo_unknown', { name, known });
}

export function isPlainPseudoClass(name: string): name is PlainPseudoClass {
  return isOneOf(PLAIN, name);
}

function nthProblem(name: string, data: PseudoSelector['data']): Fact | null {
  const nth = typeof data === 'string' ? parseNth(data) : null;
  return nth === null ? fact('pseudo_position', { name }) : null;
}

function isOneOf<T extends string>(names: readonly T[], name: string): name is T {
  return names.some((each) => each === name);
}
