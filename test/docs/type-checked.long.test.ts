import { expect, it } from 'vitest';
import { blocksOf, pages } from './pages.ts';
import { typeProblems } from './type-check.ts';

it('blocks marked "ts check" type-check', async () => {
  const marked = pages()
    .flatMap(blocksOf)
    .filter(({ language, marks }) => language === 'ts' && marks.includes('check'));
  const sources = marked.map(({ text }, index) => [`snippet-${index}.ts`, text]);
  expect(sources.length).toBeGreaterThan(0);
  const wrong = { 'wrong.ts': 'export const wrong: number = "text";' };
  expect(await typeProblems({ ...Object.fromEntries(sources), ...wrong })).toEqual([
    "wrong.ts: Type 'string' is not assignable to type 'number'.",
  ]);
});
