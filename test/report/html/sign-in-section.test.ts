import { expect, test } from 'vitest';
import type { SignInFigures } from '../../../src/claim/sign-in.ts';
import { signInSection } from '../../../src/report/html/sign-in-section.ts';
import { signInLines } from '../../../src/report/sign-in-lines.ts';

const FIGURES: SignInFigures = {
  entrants: [
    {
      agent: 'reference',
      surface: 'aria',
      by: 'form',
      passed: { count: 3, of: 4, interval: { low: 0.3, high: 0.95 } },
    },
    {
      agent: 'null',
      surface: 'aria',
      by: 'stored_state',
      passed: { count: 0, of: 1, interval: { low: 0, high: 0.8 } },
    },
  ],
  setups: [{ suite: 'account', role: 'grace', setup_ms: 4_321, episodes: 2 }],
};

test.each([
  ['HTML', String(signInSection(FIGURES))],
  ['Markdown', signInLines(FIGURES).join('\n')],
])('%s tells what was passed behind a login, how one was signed in, and what that took', (_, text) => {
  for (const part of ['3 of 4', '0 of 1', 'by the agent, in the episode', 'beforehand, as a role', 'grace', '4.32 s']) {
    expect(text).toContain(part);
  }
});

test('a name that is markup is text in it', () => {
  const setups = [{ suite: 'account', role: '<img src=x onerror=alert(1)>', setup_ms: 1, episodes: 1 }];
  const section = String(signInSection({ ...FIGURES, setups }));
  expect(section).not.toContain('<img');
  expect(section).toContain('&lt;img');
});

test('where no task was behind a login there is no such section', () => {
  expect(signInSection(undefined)).toBeNull();
  expect(signInLines(undefined)).toEqual([]);
});
