import { expect, test } from 'vitest';
import { withoutRepeats } from '../../../src/world/archive/changes.ts';
import { BodyStore } from '../../../src/world/archive/write-archive.ts';
import { type SampleExchange, sampleHar } from './sample-archive.ts';

/** Exchanges that remain, each as `<page>: <body>`. */
async function left(exchanges: readonly SampleExchange[], ignoreQuery: readonly string[] = []): Promise<string[]> {
  await using bodies = await BodyStore.create();
  const har = await sampleHar(exchanges, bodies);
  const bodyOf = new Map<string | undefined, string>();
  for (const { body = '' } of exchanges) bodyOf.set(await bodies.put(Buffer.from(body)), String(body));
  return withoutRepeats(har.log.entries, new Set(ignoreQuery)).map(
    ({ pageref, response: { content } }) => `${pageref}: ${bodyOf.get(content['_file']) ?? ''}`,
  );
}

const URL = 'http://a.test/';

test('a request with a constant answer is kept once, and one whose answer changes is kept whole', async () => {
  const of = (body: string): SampleExchange => ({ url: URL, body });
  expect(await left([of('x'), of('x')])).toEqual(['a: x']);
  expect(await left([of('x'), of('y'), of('y')])).toEqual(['a: x', 'a: y']);
  expect(await left([of('x'), of('y'), of('x')])).toEqual(['a: x', 'a: y', 'a: x']);
});

test('an answer that another route or task got too is left out, and a different one is kept', async () => {
  const of = (page: string, body: string): SampleExchange => ({ url: URL, page, body });
  expect(await left([of('a', 'x'), of('a (near-miss 1)', 'x'), of('b', 'x')])).toEqual(['a: x']);
  const otherwise = [of('a', 'x'), of('a (solution 2)', 'x'), of('a (near-miss 1)', 'y'), of('b', 'z')];
  expect(await left(otherwise)).toEqual(['a: x', 'a (solution 2): x', 'a (near-miss 1): y', 'b: z']);
});

test('an exchange off the routes is kept only if no route has it', async () => {
  const beside = { page: 'beside the tasks' };
  const exchanges = [
    { url: URL, body: 'x' },
    { ...beside, url: URL, body: 'other' },
    { ...beside, url: `${URL}b`, body: 'b' },
  ];
  expect(await left(exchanges)).toEqual(['a: x', 'beside the tasks: b']);
});

test('sent bodies stay on every route, since they distinguish routes', async () => {
  const sent = { url: URL, method: 'POST', sent: 'q', body: 'x' };
  const exchanges = [sent, { ...sent, page: 'a (near-miss 1)' }];
  expect(await left(exchanges)).toEqual(['a: x', 'a (near-miss 1): x']);
});

test('an ignored parameter distinguishes nothing', async () => {
  const exchanges = [
    { url: `${URL}?t=1`, body: 'x' },
    { url: `${URL}?t=2`, body: 'x' },
  ];
  expect(await left(exchanges, ['t'])).toEqual(['a: x']);
  expect(await left(exchanges)).toEqual(['a: x', 'a: x']);
});
