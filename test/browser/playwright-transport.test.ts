import { expect, test, vi } from 'vitest';
import { PlaywrightTransport } from '../../src/browser/playwright-transport.ts';
import { FakeBrowser } from './fake-browser.ts';

/** Playwright's end of a line to a browser, which has sent one command there. */
async function having(method: string) {
  const browser = new FakeBrowser();
  await browser.observed();
  const transport = await PlaywrightTransport.to(browser.switchboard);
  const taken: object[] = [];
  Object.assign(transport, { onmessage: (message: object) => taken.push(message) });
  transport.send({ id: 7, method });
  await expect.poll(() => browser.heard.length).toBeGreaterThan(0);
  return { browser, taken, number: browser.heard[0]?.id ?? 0 };
}

const values = (count: number): number[] => Array.from({ length: count }, () => 1);
const sessionId = 'GUEST1';

test.each([
  ['a script', 'Runtime.callFunctionOn', 49_000, 50_001],
  ['a snapshot', 'DOMSnapshot.captureSnapshot', 1_900_000, 2_000_001],
])('Playwright gets at most so many values of the reply to %s', async (_what, method, few, many) => {
  for (const count of [few, many]) {
    const { browser, taken, number } = await having(method);
    const parsed = vi.spyOn(JSON, 'parse');
    browser.say({ id: number, result: { value: values(count) }, sessionId });
    await expect.poll(() => taken.length).toBeGreaterThan(0);
    const isWhole = count === few;
    expect(taken).toMatchObject([isWhole ? { id: 7, result: {} } : { id: 7, error: { code: -32_000 } }]);
    expect(parsed.mock.calls.some(([text]) => text.length > count)).toBe(isWhole);
    parsed.mockRestore();
  }
});

const printed = (count: number) => ({
  method: 'Runtime.consoleAPICalled',
  params: { args: values(count) },
});

test('events with as many do not reach it, and others do', async () => {
  const { browser, taken } = await having('Runtime.enable');
  for (const count of [2_001, 2]) browser.say({ ...printed(count), sessionId });
  await expect.poll(() => taken.length).toBeGreaterThan(0);
  expect(taken).toEqual([printed(2)]);
});

test('messages are passed on one a turn, and of a page’s output meanwhile no more than can wait', async () => {
  const { browser, taken, number } = await having('Runtime.enable');
  for (let count = 0; count < 1_000; count += 1) browser.say({ ...printed(1), sessionId });
  browser.say({ id: number, result: {}, sessionId });
  const [first, second] = await turns(2, () => taken.length);
  expect(second).toBe((first ?? 0) + 1);
  await expect.poll(() => taken.some((message) => 'id' in message)).toBe(true);
  expect(taken).toHaveLength(258);
});

/** The results of `look` after each of this many turns. */
async function turns(count: number, look: () => number): Promise<number[]> {
  const seen: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise(setImmediate);
    seen.push(look());
  }
  return seen;
}
