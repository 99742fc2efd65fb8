import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whileWaiting } from '../../../src/cli/live/progress-display.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function wait(ms: number): () => Promise<string> {
  return async () => {
    await vi.advanceTimersByTimeAsync(ms);
    return 'the result';
  };
}

test('a wait prints a line every ten seconds where nothing can be drawn in place', async () => {
  const lines: string[] = [];
  const terminal = { note: (line: string) => void lines.push(line) };
  await expect(whileWaiting('installing tiddlywiki', terminal, wait(25_000))).resolves.toBe('the result');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines).toEqual(['installing tiddlywiki  10 s', 'installing tiddlywiki  20 s']);
});

test('a short wait leaves no line', async () => {
  const note = vi.fn<(line: string) => void>();
  await whileWaiting('starting', { note }, wait(9_000));
  expect(note).not.toHaveBeenCalled();
});

test('on a terminal the wait is drawn in place, and nothing of it is left', async () => {
  const drawn: string[] = [];
  const screen = {
    size: { columns: 80, rows: 24 },
    show: (lines: () => readonly string[]) => void drawn.push(lines().join('\n')),
  };
  const note = vi.fn<(line: string) => void>();
  await whileWaiting('installing tiddlywiki', { note, screen }, wait(25_000));
  expect(drawn).toContain('installing tiddlywiki  20 s');
  expect(drawn.at(-1)).toBe('');
  expect(note).not.toHaveBeenCalled();
});

test('a wait that ends in an error leaves no timer', async () => {
  const note = vi.fn<(line: string) => void>();
  await expect(whileWaiting('starting', { note }, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(vi.getTimerCount()).toBe(0);
});
