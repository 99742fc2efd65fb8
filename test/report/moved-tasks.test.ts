import { expect, test } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import { changesBetween } from '../../src/claim/changes.ts';
import { changesScreen } from '../../src/cli/changes-screen.ts';
import { widthOf } from '../../src/cli/layout.ts';
import { onlyControls } from '../../src/report/changes-report.ts';
import { markdownBlocks } from '../../src/report/markdown.ts';
import { comparedSentence, moveLines, movesBlocks, movesIn } from '../../src/report/moved-tasks.ts';
import { CONTROL, ofTask, PASSED, sampleRows } from '../bundle/sample-row.ts';

const rowsOf = (passed: Record<string, boolean>, more: Partial<Row> = {}): Row[] =>
  sampleRows(...Object.entries(passed).map(([task, is]) => ({ ...ofTask(task), ...(is ? PASSED : {}), ...more })));

const movesOf = (before: Row[], after: Row[], files = { changed: ['mine'], same: [] as string[] }) => ({
  ...movesIn([changesBetween(before, after)], { rows: after, state: new Map() }, onlyControls([...before, ...after])),
  differs: [],
  files,
});

const NO_FILES = { changed: [] as string[], same: [] as string[] };
const GAVE_UP = { status: 'gave_up', stop: 'gave_up', declared_done: false, failure_category: 'gave_up' } as const;
const result = (counts: string, controls: string[] = []) => ({ counts, blame: '', controls });

test('a task that used to pass and now fails has the new reason; a fixed one has none', () => {
  const { worse, better } = movesOf(rowsOf({ buy: true, sell: false }), rowsOf({ buy: false, sell: true }));
  expect(worse).toMatchObject([{ task: 'basics/buy', before: { passed: 1 }, after: { passed: 0 } }]);
  expect(worse[0]?.why).toMatch(/^The page should/);
  expect(better).toMatchObject([{ task: 'basics/sell', why: null }]);
});

test('a task that fails as before is neither worse nor better', () => {
  const moves = movesOf(rowsOf({ buy: false }), rowsOf({ buy: false }));
  expect(moves).toMatchObject({ worse: [], better: [] });
  expect(comparedSentence(result('0 of 1 passed.'), result('0 of 1 passed.'), moves)).toContain('No task passes more');
});

test('a control is never worse, and one that now passes is named', () => {
  const moves = movesOf(rowsOf({ buy: true }, CONTROL), rowsOf({ buy: false }, CONTROL));
  expect(moves.worse).toEqual([]);
  const after = result('1 of 1 passed.', ['The control null/aria passed 1 of 1.']);
  expect(comparedSentence(result('1 of 1 passed.'), after, moves)).toContain('The control null/aria');
});

test('new and missing tasks have one line each, and an entrant is named once', () => {
  const moves = movesOf(rowsOf({ a: true, gone: true }), [
    ...rowsOf({ a: true, b: true, c: true, d: true, e: true, f: true }),
    ...rowsOf({ a: true, b: true }, { surface: 'dom' }),
  ]);
  expect(moveLines(moves).slice(0, 2)).toEqual([
    ['new', 'model through dom, basics/b, basics/c, basics/d and 2 more'],
    ['gone', 'basics/gone'],
  ]);
});

test('a control that only the earlier bundle has is not gone', () => {
  const own = rowsOf({ buy: true });
  expect(moveLines(movesOf([...own, ...rowsOf({ buy: false, sell: false }, CONTROL)], own, NO_FILES))).toEqual([]);
  const moves = movesOf([...own, ...rowsOf({ buy: false }, { agent: 'mine' })], own, NO_FILES);
  expect(moveLines(moves)).toEqual([['gone', 'mine through aria']]);
});

test('a task whose contract changed is counted in the sentence, once, and named', () => {
  const after = rowsOf({ buy: true }, { contract_hash: 'f'.repeat(64) });
  const throughDom = [rowsOf({ buy: true }), after].map((rows) => rows.map((row) => ({ ...row, surface: 'dom' })));
  const [wasDom = [], isDom = []] = throughDom;
  const moves = movesOf([...rowsOf({ buy: true }), ...wasDom], [...after, ...isDom], NO_FILES);
  expect(moveLines(moves)).toEqual([['not compared', 'basics/buy: contract or task changed']]);
  const sentence = comparedSentence(result('2 of 2 passed.'), result('2 of 2 passed.'), moves);
  expect(sentence).toMatch(/than before; 1 task changed and is not compared\.$/);
  const same = movesOf(after, after, NO_FILES);
  expect(comparedSentence(result('1 of 1 passed.'), result('1 of 1 passed.'), same)).toMatch(/than before\.$/);
});

test('the file of an agent is changed, or unchanged if a task still became worse', () => {
  const [before, after] = [rowsOf({ buy: true }), rowsOf({ buy: false })];
  expect(moveLines(movesOf(before, after))).toEqual([['changed', 'the file of mine']]);
  const same = { changed: [], same: ['mine'] };
  expect(moveLines(movesOf(before, after, same))).toEqual([['unchanged', 'the file of mine']]);
  expect(moveLines(movesOf(before, before, same))).toEqual([]);
});

test('words of a page are no markup', () => {
  const moves = movesOf(rowsOf({ buy: true }), rowsOf({ buy: false }, { ...GAVE_UP, detail: '[x](//evil)' }));
  const lines = markdownBlocks(movesBlocks('0 of 1 passed.', moves).filter((block) => block !== null));
  expect(lines.join('\n').replaceAll(/`[^`]*`/g, '')).not.toContain('evil');
  expect(lines.join('\n')).toContain('evil');
});

test.each([80, 120])('a screen of %d columns has the worse task first, and no line wraps', (columns) => {
  const [before, after] = [rowsOf({ 'dialog-delete': true }), rowsOf({ 'dialog-delete': false })];
  const report = {
    schema_version: 1 as const,
    before: 'bundles/a',
    after: 'bundles/b',
    sentence: '0 of 1 passed.',
    ...changesBetween(before, after),
    moves: { ...movesOf(before, after), differs: ['commit'] },
    differences: [],
    recovery: null,
    problems: [],
  };
  const lines = changesScreen(report, new Set(), { columns });
  expect(lines.find((line) => line.includes('dialog-delete'))).toMatch(/1 of 1 → 0 of 1 {2}may be chance/);
  expect(lines).toContain('differs        commit');
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
});
