import { expect, test } from 'vitest';
import { raised, readBaseline, writeBaseline } from '../../src/plan/baseline.ts';
import { tempFiles } from '../task/temp-files.ts';

const OF = { suite: 'small', agent: 'transcript', surface: 'aria' };
const [ONE, TWO] = ['1'.repeat(64), '2'.repeat(64)];

const withTranscript = (sha256: string) => ({ contract_hash: '3'.repeat(64), transcript_sha256: sha256 });

test('a baseline is written and read', async () => {
  await using files = await tempFiles({ other: '' });
  const baseline = raised(null, OF, new Map([['a', withTranscript(ONE)]]));
  await writeBaseline(files.path('baseline.json'), baseline);
  expect(await readBaseline(files.path('baseline.json'))).toEqual(baseline);
});

test('it expects more with each task, and never less', () => {
  const first = raised(null, OF, new Map([['a', withTranscript(ONE)]]));
  const second = raised(first, OF, new Map([['b', withTranscript(ONE)]]));
  expect(second).toMatchObject({ expected_pass_count: 2, tasks: { a: {}, b: {} } });
  const third = raised(second, OF, new Map([['b', withTranscript(TWO)]]));
  expect(third).toMatchObject({ expected_pass_count: 2, tasks: { b: { transcript_sha256: TWO } } });
});

test('one of another entrant is not raised', () => {
  const aria = raised(null, OF, new Map([['a', withTranscript(ONE)]]));
  const code = 'baseline_of_others';
  expect(() => raised(aria, { ...OF, surface: 'dom' }, new Map())).toThrow(expect.objectContaining({ code }));
});

test.each([
  ['{ "schema_version": 1 }', /baseline\.json:1:1 .*suite/],
  ['[]', /baseline\.json/],
  [
    JSON.stringify({ schema_version: 1, ...OF, expected_pass_count: 2, tasks: {} }),
    /expected_pass_count: is 2, but 0 tasks are listed as passed/,
  ],
])('an invalid one gives an error that names file and field (%s)', async (text, message) => {
  await using files = await tempFiles({ 'baseline.json': text });
  await expect(readBaseline(files.path('baseline.json'))).rejects.toMatchObject({
    code: 'bad_baseline',
    message: expect.stringMatching(message),
  });
});
