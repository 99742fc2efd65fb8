import { expect, test } from 'vitest';
import type { Json } from '../../src/contract/json.ts';
import { judgeRow } from '../../src/dataset/webarena-verified/judge-row.ts';
import { answerCheck, MUTATED, SITES, verifiedRow } from './verified-rows.ts';

function verdictOn(items: object, expected: Json, given: Json, more: object = {}) {
  const response = JSON.stringify({ task_type: 'RETRIEVE', status: 'SUCCESS', retrieved_data: given });
  return judgeRow(verifiedRow(answerCheck(items, expected, more)), { response, exchanges: null }, SITES).verdict;
}

const format = (name: string) => ({ type: 'string', format: name });

/** For each kind of value: what is expected, what must pass, and what must fail. */
const KINDS: [kind: string, items: object, expected: Json, right: Json[], wrong: Json[]][] = [
  [
    'text',
    { type: 'string' },
    'Blue Café™ mug',
    ['blue cafe mug', '"Blue  Café mug."', 'Blue–Café mug'],
    ['Blue mug', 7],
  ],
  ['pattern', { type: 'string' }, '^#?0*17$', ['#017', '17'], ['#171', '^.*$']],
  [
    'number',
    { type: 'number' },
    1200,
    ['1,200', 1200, 'twelve hundred', 'one thousand two hundred'],
    ['1200 or 1300', '12,00', '120 0', 120],
  ],
  ['small number', { type: 'number' }, 3, ['three', '3.0', '+3.'], ['one two', 'two and one', '3,4', '']],
  ['tens', { type: 'number' }, 121, ['one hundred and twenty-one'], ['one hundred twenty one two', '12 1']],
  ['boolean', { type: 'boolean' }, false, ['no', 0, 'FALSE'], ['yes', 'neither']],
  [
    'price',
    { type: 'number', format: 'currency' },
    68.51,
    ['$68.51', '€68,51', 68.6],
    ['$68.71', '68.51 or 99', '$6851'],
  ],
  ['large price', { type: 'number', format: 'currency' }, 3053, ['$3,053', '3.053,00 €'], ['3.053']],
  ['date', format('date'), 'March 2, 2022', ['2022-03-02', '3/2/2022', '2 March 2022'], ['2/3/2022', 'March 2022']],
  ['late day', format('date'), '01/16/2023', ['16/01/2023', 'Jan 16 2023'], ['01/17/2023']],
  ['month', format('month'), 'September', ['Sep', 9, 'sept.'], ['August', 13, 'Septober']],
  ['duration', format('duration'), '1h 3min', ['63 minutes', '1:04:00', '1 hour, 6 minutes'], ['1h 11m', 63, '1:03']],
  ['distance', format('distance'), '2.2km', ['2200 m', '2,222m', '1.367 mi'], ['2251 m', '2.2']],
  [
    'place',
    format('location-name'),
    'Apple Store Shadyside',
    ['shadyside apple store', 'Apple Store, Shadyside'],
    ['Shadyside'],
  ],
  [
    'point',
    { format: 'coordinates' },
    { latitude: '40.46', longitude: '-79.94' },
    ['40.46, -79.94', [40.46, -79.94]],
    ['40.47, -79.94', [40.46]],
  ],
  [
    'SSH address',
    format('url'),
    'git@__SSH_HOST__:Ann/robot.git',
    ['ssh://git@localhost:2222/ann/robot.git', '"git@host:ann/robot.git"'],
    ['https://host/ann/robot.git', 'git@host:ann/robots.git'],
  ],
  [
    'address',
    format('url'),
    '__GITLAB__/ann',
    ['http://localhost:8023/ann/'],
    ['http://localhost:80231/ann', 'http://localhost:8023/bob'],
  ],
  [
    'map',
    { type: 'object', properties: { n: { type: 'number' } } },
    { n: 2, of: 'Ann' },
    [{ of: 'ann', n: 'two' }, '{"n": 2, "of": "Ann"}'],
    [{ n: 2 }, { n: 2, of: 'Ann', to: 'Bob' }, 'Ann'],
  ],
];

test.each(
  KINDS.flatMap(([kind, items, expected, right]) => right.map((given) => [kind, given, items, expected] as const)),
)('%s: %j passes', (_kind, given, items, expected) => {
  expect(verdictOn(items, [expected], [given])).toBe('pass');
});

test.each(
  KINDS.flatMap(([kind, items, expected, , wrong]) => wrong.map((given) => [kind, given, items, expected] as const)),
)('%s: %j fails', (_kind, given, items, expected) => {
  expect(verdictOn(items, [expected], [given])).toBe('fail');
});

const TEXT = { type: 'string' };

test('a list in the place of a value holds alternatives', () => {
  expect(verdictOn(TEXT, [['Ann', 'A. Lee'], 'Bob'], ['Bob', 'a. lee'])).toBe('pass');
});

test('several guesses for one value fail if one of them is wrong', () => {
  expect(verdictOn(TEXT, [['Ann', 'A. Lee']], [['Ann', 'Carl']])).toBe('fail');
});

test('an answer with an entry too many, or with one too few, fails', () => {
  expect(verdictOn(TEXT, ['Ann', 'Bob'], ['Ann', 'Bob', 'Carl'])).toBe('fail');
  expect(verdictOn(TEXT, ['Ann', 'Ann'], ['Ann'])).toBe('fail');
});

test('the order counts only if the row asks for it', () => {
  expect(verdictOn(TEXT, ['Ann', 'Bob'], ['Bob', 'Ann'])).toBe('pass');
  expect(verdictOn(TEXT, ['Ann', 'Bob'], ['Bob', 'Ann'], { ordered: true })).toBe('fail');
});

test('nothing is an empty list, and no value is nothing', () => {
  expect(verdictOn(TEXT, null, [])).toBe('pass');
  expect(verdictOn(TEXT, null, ['Ann'])).toBe('fail');
  expect(verdictOn(TEXT, ['Ann'], null)).toBe('fail');
});

test('a value of an unknown type is inconclusive, whatever the answer', () => {
  expect(verdictOn(format('colour'), ['red'], ['red'])).toBe('inconclusive');
});

test('an expected value that its own type cannot read is inconclusive', () => {
  expect(verdictOn(format('distance'), ['far'], ['far'])).toBe('inconclusive');
});

function findingsOn(response: string) {
  return judgeRow(verifiedRow(MUTATED), { response, exchanges: null }, SITES).findings;
}

test('a response may stand in a block of Markdown, with the earlier name of its first field', () => {
  expect(findingsOn('Done.\n```json\n{ "performed_operation": "mutate", "status": "success" }\n```')).toEqual([]);
});

test('JSON that quotes a fenced block is read as a whole', () => {
  expect(
    findingsOn(JSON.stringify({ task_type: 'MUTATE', status: 'SUCCESS', error_details: '```json\nnone\n```' })),
  ).toEqual([]);
});

test('the type of the task and the status must be right; a pattern is not a status', () => {
  expect(findingsOn('{ "task_type": "^.*$", "status": "NOT_FOUND_ERROR" }')).toMatchObject([
    { code: 'record_differs', params: { field: 'task_type' } },
    { code: 'record_differs', params: { field: 'status' } },
  ]);
});

test('a response that is not JSON fails; one that is missing is inconclusive', () => {
  expect(findingsOn('I did it')).toMatchObject([{ code: 'response_not_a_map' }]);
  expect(judgeRow(verifiedRow(MUTATED), { response: null, exchanges: null }, SITES).verdict).toBe('inconclusive');
});
