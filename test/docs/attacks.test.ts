import { expect, it } from 'vitest';
import { type Attack, ATTACKERS, GAINS, readAttacks } from '../../scripts/draw-attacks.ts';
import { hasTest, titlesIn, type TestTitles } from './test-titles.ts';

const attacks = readAttacks();

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

function untried(tried: readonly Attack[]): [string, string][] {
  return MATRIX.filter(([attacker, gain]) => !tried.some((each) => each.attacker === attacker && each.gain === gain));
}

it('each attacker tries for each gain', () => {
  expect(untried(attacks)).toEqual([]);
});

it('a pair without an attack is noticed', () => {
  const others = attacks.filter(({ attacker, gain }) => attacker !== 'page' || gain !== 'a shell');
  expect(untried(others)).toEqual([['page', 'a shell']]);
});

it('a missing test is noticed, and so is a shortened title', () => {
  const held = titles('test/episode/tampering.browser.test.ts');
  expect(hasTest(held, 'a page that overwrites querySelector gains nothing')).toBe(true);
  expect(hasTest(held, 'a page that asks nicely gains nothing')).toBe(false);
  expect(hasTest(held, 'a page that overwrites querySelector gains')).toBe(false);
});
