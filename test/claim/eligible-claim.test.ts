import { describe, expect, it, test } from 'vitest';
import { drawClaims } from '../../src/claim/claims.ts';
import type { EligibleClaim } from '../../src/claim/eligible-claim.ts';
import { competitiveSentence } from '../../src/report/report.ts';
import { completionOf, eligibleFacts, withTaskFacts } from './eligible-facts.ts';

describe('the better entrant', () => {
  it('is named by a claim that was found eligible', () => {
    const [claim] = drawClaims(completionOf(eligibleFacts({ won: 18 })), 1).eligible;
    expect(claim === undefined ? '' : competitiveSentence(claim)).toBe(
      'first through aria passed more than second through aria: by 90.0 points, p = 0.000031 after Holm; 23.8 points is the smallest difference that they can show. Measured on 20 tasks (fixture_app), and speaks of tasks like these.',
    );
  });

  it('is left open below the smallest difference that can be shown, however small p is', () => {
    const facts = eligibleFacts({ templates: 40, won: 6 });
    const { claims, eligible } = drawClaims(completionOf(facts), 1);
    expect(claims.comparisons).toMatchObject([{ difference: 0.15, better: null }]);
    expect(claims.comparisons[0]?.p_adjusted).toBeLessThan(0.05);
    expect(eligible.map(competitiveSentence)).toEqual([expect.stringContaining('no difference was shown')]);
  });

  it('is named with every waiver that the claim rests on', () => {
    const waivers = [{ mutant: 'success:drop', reason: 'the app has no other' }];
    const [claim] = drawClaims(completionOf(withTaskFacts(eligibleFacts({ won: 18 }), { waivers })), 1).eligible;
    const sentence = claim === undefined ? '' : competitiveSentence(claim);
    expect(sentence).toContain('; waived of basics/task-7: success:drop, because the app has no other');
  });

  it('is never named by a claim that is not eligible: no type allows it', () => {
    const { claims, eligible } = drawClaims(completionOf({ ...eligibleFacts({ won: 18 }), verified: null }), 1);
    expect(eligible).toEqual([]);
    expect(claims.comparisons).toMatchObject([{ decision: { grade: 'diagnostic' } }]);
  });
});

test('a claim cannot be made by hand: both the compiler and the sentence refuse it', () => {
  const [comparison] = drawClaims(completionOf(eligibleFacts()), 1).claims.comparisons;
  if (comparison === undefined) throw new Error('there is no comparison');
  // @ts-expect-error What makes it eligible is missing, and nothing exports it.
  const forged: EligibleClaim = { comparison, scope: 'tasks like these', worlds: ['live_web'] };
  expect(() => competitiveSentence(forged)).toThrow('was not found eligible');
});

test('a claim that went through JSON is no longer one', () => {
  const [claim] = drawClaims(completionOf(eligibleFacts()), 1).eligible;
  expect(() => competitiveSentence(JSON.parse(JSON.stringify(claim)))).toThrow('was not found eligible');
});
