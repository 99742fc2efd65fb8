import { expect, test } from 'vitest';
import { mutantAdvice } from '../../src/cli/mutant-advice.ts';
import { mutantsOf } from '../../src/contract/mutants.ts';

test.each([
  ['guards:drop', 'success already implies them: remove them, or add a near-miss that breaks only them'],
  ['success.children.0:drop', 'success.children[0]: nothing that was tried breaks only this, so the clauses beside it'],
  ['success:or', 'success: nothing that was tried meets only some of its clauses'],
  ['success:negate', 'add a near-miss that gets this wrong and nothing else'],
  ['success.child:drop_not', 'success.child: nothing that was tried reverses only this'],
  [
    'success.children.1:contains',
    'success.children[1]: a looser form of it (contains) tells right from wrong just as well',
  ],
])('%s is told as its author can act on it', (mutant, words) => {
  expect(mutantAdvice(mutant)).toContain(words);
});

test('guards that except all that there is are told to except less, and not to go', () => {
  const wide = { except: ['/guests'], changed: ['/guests/1'] };
  expect(mutantAdvice('guards:drop', wide)).toBe(
    "guards: except /guests is all of the app's state, so they guard nothing: except only what the solution changes, except: [/guests/1]",
  );
});

test('every mutant of a contract has its place in the advice', () => {
  const success = {
    kind: 'and',
    children: [
      { kind: 'url', pattern: 'x' },
      { kind: 'not', child: { kind: 'dom_text', selector: 'p', equals: 'x' } },
    ],
  } as const;
  const mutants = mutantsOf({
    success: { ...success, children: [...success.children] },
    guards: { kind: 'no_dialog' },
  });
  expect(mutants.length).toBeGreaterThan(3);
  for (const { name } of mutants) expect(mutantAdvice(name)).toMatch(/^(?:success|guards)[\w.[\]]*: /);
});
