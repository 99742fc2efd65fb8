import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { finishRow } from '../../src/bundle/row.ts';
import { together } from '../../src/cli/live/follow.ts';
import { whileWaiting } from '../../src/cli/live/progress-display.ts';
import { Region } from '../../src/cli/terminal.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

describe('while something is awaited', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const wait = (ms: number) => async () => {
    await vi.advanceTimersByTimeAsync(ms);
    return 'the result';
  };

  test('a log gets a line every ten seconds, and none for a short wait', async () => {
    const lines: string[] = [];
    const terminal = { note: (line: string) => void lines.push(line) };
    await whileWaiting('starting', terminal, wait(9_000));
    expect(lines).toEqual([]);
    await expect(whileWaiting('installing tiddlywiki', terminal, wait(25_000))).resolves.toBe('the result');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lines).toEqual(['installing tiddlywiki  10 s', 'installing tiddlywiki  20 s']);
  });

  test('a terminal shows it in place, and it disappears', async () => {
    const drawn: string[] = [];
    const show = (lines: () => readonly string[]) => void drawn.push(lines().join('\n'));
    const note = vi.fn<(line: string) => void>();
    const terminal = { note, screen: { size: { columns: 80, rows: 24 }, show } };
    await whileWaiting('installing tiddlywiki', terminal, wait(25_000));
    expect(drawn).toContain('installing tiddlywiki  20 s');
    expect(drawn.at(-1)).toBe('');
    expect(note).not.toHaveBeenCalled();
  });

  test('an error leaves no timer', async () => {
    const failing = whileWaiting('starting', { note: () => {} }, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('listeners are called one after the other, each when the one before it is done', async () => {
  const order: string[] = [];
  const slow = {
    finished: async () => {
      await Promise.resolve();
      order.push('first');
    },
  };
  await together(slow, { finished: () => void order.push('second') }).finished?.(finishRow(SAMPLE));
  expect(order).toEqual(['first', 'second']);
});

/** As much of a terminal as a region uses: it wraps, goes up, and erases to its end. */
class FakeTerminal {
  columns = 20;
  rows = 10;
  #text = '';

  write(text: string): boolean {
    this.#text += text;
    return true;
  }

  get lines(): string[] {
    let lines: string[] = [''];
    let row = 0;
    for (const [piece] of this.#text.replaceAll('\u001b', '~').matchAll(/~\[\d+A|~\[J|[\r\n]|[^~\r\n]+/g)) {
      if (piece.endsWith('A')) row -= Number(piece.slice(2, -1));
      else if (piece === '~[J') lines = [...lines.slice(0, row), ''];
      else if (piece === '\n') lines[(row += 1)] ??= '';
      else if (piece !== '\r') {
        for (let at = 0; at < piece.length; at += this.columns) {
          if (at > 0) lines[(row += 1)] ??= '';
          lines[row] = piece.slice(at, at + this.columns);
        }
      }
    }
    return lines;
  }
}

describe('the region of a terminal that is redrawn', () => {
  const drawnOn = () => {
    const terminal = new FakeTerminal();
    return { terminal, region: new Region(terminal) };
  };

  test('shows the last lines only', () => {
    const { terminal, region } = drawnOn();
    region.show(() => ['one', 'two', 'three']);
    region.show(() => ['four']);
    expect(terminal.lines).toEqual(['four', '']);
    region.show(() => []);
    expect(terminal.lines).toEqual(['']);
  });

  test('stays below what is printed, and is up to date with it', () => {
    const { terminal, region } = drawnOn();
    let done = 1;
    region.show(() => [`${done}/16`]);
    region.above(() => terminal.write('a line\n'));
    done = 2;
    region.above(() => terminal.write('2/16 passed\n'));
    expect(terminal.lines).toEqual(['a line', '2/16 passed', '2/16', '']);
  });
});
