import { expect, test } from 'vitest';
import type { SignInFigures } from '../../../src/claim/sign-in.ts';
import { signInSection } from '../../../src/report/html/sign-in-section.ts';
import { signInLines } from '../../../src/report/sign-in-lines.ts';
import { claimsOn } from '../axis-claims.ts';

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

const claims = claimsOn('authentication');

/** Both forms of the section. */
const FORMS: [string, string][] = [
  ['HTML', String(signInSection({ sign_in: FIGURES, claims, agents: [] }))],
  ['Markdown', signInLines({ sign_in: FIGURES, claims }).join('\n')],
];

test.each(FORMS)('%s tells what was passed behind a login, how one was signed in, and what that took', (_, text) => {
  for (const part of ['3 of 4', '0 of 1', 'by the agent, in the episode', 'beforehand, as a role', 'grace', '4.32 s']) {
    expect(text).toContain(part);
  }
});

test('a name that is markup is text in it', () => {
  const setups = [{ suite: 'account', role: '<img src=x onerror=alert(1)>', setup_ms: 1, episodes: 1 }];
  const section = String(signInSection({ sign_in: { ...FIGURES, setups }, claims, agents: [] }));
  expect(section).not.toContain('<img');
  expect(section).toContain('&lt;img');
});

test('where no task was behind a login there is no such section', () => {
  expect(signInSection({ claims, agents: [] })).toBeNull();
  expect(signInLines({ claims })).toEqual([]);
});

test.each(FORMS)('%s says who has a primary figure there, and what stands against the others', (_, text) => {
  expect(text).toMatch(/primary.*enough through aria/i);
  expect(text).toMatch(/smoke.*scarce through aria/);
  for (const part of ['too_few_repetitions', 'once is too few']) expect(text).toContain(part);
});
