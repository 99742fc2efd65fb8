import path from 'node:path';
import { expect, test } from 'vitest';
import { readQualification } from '../../src/plan/qualification.ts';
import { proofsLine } from '../../src/cli/proofs-line.ts';

const PROOF = await readQualification({ file: 'suites/basics/suite.yaml' });
const [GOOD, TRIVIAL] = [PROOF?.tasks['dialog-delete'], PROOF?.tasks['example-h1']];
if (GOOD === undefined || TRIVIAL === undefined) throw new Error('basics has other tasks now');

const of = (suite: string, ...tasks: string[]) => tasks.map((task) => ({ suite, task }));
const NONE = new Map<string, string[]>();

test('tasks that qualify are counted, and one that does not is named with the reason of its proof', () => {
  expect(proofsLine(of('s', 'a'), { 's/a': GOOD }, ['s'], NONE)).toBe('1 of 1 task qualifies');
  expect(proofsLine(of('s', 'a', 'b'), { 's/a': GOOD, 's/b': TRIVIAL }, ['s'], NONE)).toBe(
    '1 of 2 tasks qualify; not b (trivial: teleport passed)',
  );
});

test('tasks without a current proof come with the line that makes it, to be pasted', () => {
  expect(proofsLine(of('s', 'a', 'b', 'c', 'd'), { 's/a': GOOD }, ["./my suite's"], NONE)).toBe(
    String.raw`1 of 4 tasks qualify; no proof yet of b, c, d: touchstone qualify './my suite'\''s'`,
  );
});

test('no more than three are named, and with their suite where there are two', () => {
  expect(proofsLine([...of('s', 'a', 'b', 'c'), ...of('t', 'a', 'b')], { 's/a': GOOD }, ['s', 't'], NONE)).toBe(
    '1 of 5 tasks qualify; no proof yet of s/b, s/c, t/a and 1 more: touchstone qualify s t',
  );
});

test('a stale proof is told from none, with what has changed, and once for all of which the same has', () => {
  const app = ['the app (a file in site, or its entry in suite.yaml)'];
  const stale = new Map([
    ['s/a', app],
    ['s/b', app],
    ['s/c', ['the contract', 'its waivers']],
  ]);
  expect(proofsLine(of('s', 'a', 'b', 'c', 'd'), {}, ['s'], stale)).toBe(
    '0 of 4 tasks qualify; stale proof of a, b, because of a change to the app (a file in site, or its entry in suite.yaml); stale proof of c, because of a change to the contract and its waivers; no proof yet of d: touchstone qualify s',
  );
});

test('a suite that a campaign file leads to is named as whoever types here would name it', () => {
  const lineOf = (name: string) => proofsLine(of('s', 'a'), {}, [path.resolve(name)], NONE);
  expect(lineOf('mine/touchstone')).toMatch(/: touchstone qualify mine\/touchstone$/);
  expect(lineOf('.')).toMatch(/: touchstone qualify \.$/);
  // A folder of the name of a suite that comes with the package is no such suite.
  expect(lineOf('basics')).toMatch(/: touchstone qualify \.\/basics$/);
});
