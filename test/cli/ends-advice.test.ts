import { describe, expect, it } from 'vitest';
import { endsAdvice } from '../../src/cli/ends-advice.ts';

const NOTHING = { state: false, sent: false, answer: false, address: false };
const NO_WRONG = { judged: 0, right: { passed: 0, of: 0 }, inconclusive: 8 };
const FAILED_RIGHT = { judged: 3, right: { passed: 4, of: 10 }, inconclusive: 0 };

describe('the reason and the way out are said', () => {
  it('of a task that leaves nothing but its page', () => {
    const [line, ...others] = endsAdvice(NO_WRONG, NOTHING);
    expect(others).toEqual([]);
    expect(line).toContain('leaves nothing behind but the page');
    expect(line).toContain('let the app keep state (`program` with `state`), change the address');
  });

  it('of one whose right ends are known by answer and address, and fail', () => {
    const [line, ...others] = endsAdvice(FAILED_RIGHT, { ...NOTHING, answer: true, address: true });
    expect(others).toEqual([]);
    expect(line).toContain('by its answer and address alone, whatever the page shows: let the app keep state');
  });

  it('of one whose right ends are known by what is kept or sent, and fail', () => {
    expect(endsAdvice(FAILED_RIGHT, { ...NOTHING, state: true, sent: true, address: true })).toEqual([
      expect.stringMatching(/by its app state, and these were; .* let the app's state tell these ends apart$/),
    ]);
    expect(endsAdvice(FAILED_RIGHT, { ...NOTHING, sent: true })).toEqual([
      expect.stringMatching(/by its requests, and these were; .* let the app keep state/),
    ]);
  });

  it('of one that leaves something, but of which no wrong end was reached', () => {
    const [line] = endsAdvice(NO_WRONG, { ...NOTHING, state: true });
    expect(line).toContain('raise --perturbations, or add a task on the same app');
    expect(line).not.toContain('nothing behind');
  });
});

it('nothing is said where nothing is wrong, or where nobody knows what is left', () => {
  const sound = { judged: 3, right: { passed: 2, of: 2 }, inconclusive: 8 };
  expect(endsAdvice(sound, NOTHING)).toEqual([]);
  expect(endsAdvice(NO_WRONG, undefined)).toEqual([]);
});
