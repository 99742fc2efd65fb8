import { selectorProblem } from '../../contract/dom/select.ts';

/** A selector of this surface: CSS; what stands left of each `>>` is the frame in whose document the rest is. */
export type SelectorPath = [string, ...string[]];

/** Quoted strings, and what is in square brackets, hold no `>>` of ours. */
const PIECES = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\.|>>|[^"'\\>]+|./gs;

/** The steps of a selector, or what is wrong with it. */
export function parsePath(selector: string): { path: SelectorPath } | { problem: string } {
  const steps: SelectorPath = [''];
  for (const [piece] of selector.matchAll(PIECES)) {
    if (piece === '>>') steps.push('');
    else steps[steps.length - 1] = `${steps.at(-1) ?? ''}${piece}`;
  }
  const [first, ...others] = steps;
  const path: SelectorPath = [first.trim(), ...others.map((step) => step.trim())];
  for (const step of path) {
    const problem = selectorProblem(step);
    if (problem !== null) return { problem: `the selector ${JSON.stringify(step)} ${problem}` };
  }
  return { path };
}
