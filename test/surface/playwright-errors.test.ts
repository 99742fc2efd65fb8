import { describe, expect, it } from 'vitest';
import { reasonOf } from '../../src/surface/page/playwright-errors.ts';

function failed(message: string, ...log: string[]): Error {
  return new Error([message, 'Call log:', ...log.map((line) => `  - ${line}`)].join('\n'));
}

describe('the reason why the browser did not act', () => {
  it.each([
    ['<div id="cover">…</div> intercepts pointer events'],
    ['<b>Wait</b> from <div id="cover">…</div> subtree intercepts pointer events'],
    ['element is not visible'],
    ['did not find some options'],
  ])('includes the log’s report on the element: %s', (words) => {
    const error = failed('locator.click: Timeout 5000ms exceeded.', 'waiting for the element', words, 'retrying');
    expect(reasonOf(error)).toBe(`Timeout 5000ms exceeded. (${words})`);
  });

  it('includes the first of several reports', () => {
    const error = failed('Timeout.', 'element is not stable', '<i></i> intercepts pointer events');
    expect(reasonOf(error)).toBe('Timeout. (element is not stable)');
  });

  it('has nothing of a log without the element', () => {
    expect(reasonOf(failed('Timeout.', 'waiting for <a href="/">'))).toBe('Timeout.');
  });

  // The names of elements are a page's to choose, and may hold what begins others.
  it.each([
    ['elements begin and never end', '<'],
    ['elements come from elements', '> from <'],
  ])('is read in linear time if %s', (_, part) => {
    const words = part.repeat(500_000);
    expect(reasonOf(failed('Timeout.', words))).toBe('Timeout.');
    expect(reasonOf(failed('Timeout.', `<${words}> intercepts pointer events`))).toHaveLength(
      'Timeout. (<> intercepts pointer events)'.length + words.length,
    );
  });
});
