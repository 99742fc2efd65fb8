import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hasTest, titlesIn, type TestTitles } from './test-titles.ts';

const ATTACKERS = ['page', 'tool server', 'agent', 'archive', 'bundle', 'author'];
const GAINS = ['a pass', 'a headline', 'a file', 'a shell', 'script in a report', 'the terminal'];

interface Attack {
  attacker: string;
  gain: string;
  namedBy: string;
  file: string;
  test: string;
}

/** Rows of the table: attacker, what it does, what it would gain, what names it, and the test. */
const attacks: Attack[] = readFileSync('docs/attacks.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('.test.ts`'))
  .map((line) => {
    const [attacker = '', , gain = '', namedBy = '', held = ''] = line.slice(2, -2).split(' | ');
    const [, file = '', test = ''] = /^`([^`]+)`: (.+)$/.exec(held) ?? [];
    return { attacker, gain, namedBy, file, test };
  });

const read = new Map<string, TestTitles>();
function titles(file: string): TestTitles {
  const known = read.get(file) ?? titlesIn(file);
  read.set(file, known);
  return known;
}

it('there are at least forty attacks, each with a test of its own', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(40);
  expect(new Set(attacks.map(({ file, test }) => `${file} ${test}`)).size).toBe(attacks.length);
});

it.each(attacks)('$attacker: "$test" is a test of $file', ({ file, test }) => {
  expect(hasTest(titles(file), test)).toBe(true);
});

const MATRIX = ATTACKERS.flatMap((attacker) => GAINS.map((gain): [string, string] => [attacker, gain]));

/** Pairs of attacker and gain that nobody has tried. */
function untried(tried: readonly Attack[]): [string, string][] {
  return MATRIX.filter(([attacker, gain]) => !tried.some((each) => each.attacker === attacker && each.gain === gain));
}

it('each attacker tries for each gain, and there are no others', () => {
  expect(untried(attacks)).toEqual([]);
  expect(new Set(attacks.map(({ attacker }) => attacker))).toEqual(new Set(ATTACKERS));
  expect(new Set(attacks.map(({ gain }) => gain))).toEqual(new Set(GAINS));
});

it('a pair that nobody has tried is noticed', () => {
  const others = attacks.filter(({ attacker, gain }) => attacker !== 'page' || gain !== 'a shell');
  expect(untried(others)).toEqual([['page', 'a shell']]);
});

it('each attack is named by something', () => {
  expect(attacks.filter(({ namedBy }) => namedBy === '')).toEqual([]);
});

it('a test that is not there is noticed, and so is one of another case', () => {
  const held = titles('test/episode/tampering.browser.test.ts');
  expect(hasTest(held, 'a page that overwrites querySelector gains nothing')).toBe(true);
  expect(hasTest(held, 'a page that asks nicely gains nothing')).toBe(false);
  expect(hasTest(held, 'a page that overwrites querySelector gains')).toBe(false);
});
