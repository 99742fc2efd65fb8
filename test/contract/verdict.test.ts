import { describe, expect, it } from 'vitest';
import { all, any, negate, type Verdict } from '../../src/contract/verdict.ts';

const VALUES = { pass: 1, inconclusive: 0.5, fail: 0 };
const VERDICTS: Verdict[] = ['pass', 'inconclusive', 'fail'];
const PAIRS = VERDICTS.flatMap((a) => VERDICTS.map((b): [Verdict, Verdict] => [a, b]));

describe("Kleene's tables, with fail < inconclusive < pass", () => {
  it.each(PAIRS)('%s and %s is the lesser', (a, b) => {
    expect(VALUES[all([a, b])]).toBe(Math.min(VALUES[a], VALUES[b]));
  });

  it.each(PAIRS)('%s or %s is the greater', (a, b) => {
    expect(VALUES[any([a, b])]).toBe(Math.max(VALUES[a], VALUES[b]));
  });

  it.each(VERDICTS)('not %s is its mirror image', (verdict) => {
    expect(VALUES[negate(verdict)]).toBe(1 - VALUES[verdict]);
  });
});
