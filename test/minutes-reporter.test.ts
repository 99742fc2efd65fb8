import { expect, test } from 'vitest';
import { MinutesReporter } from './minutes-reporter.ts';

test('a long run says once a minute how many of its files have ended', () => {
  let now = 1000;
  let said = '';
  const reporter = new MinutesReporter(
    () => now,
    (text) => {
      said += text;
    },
  );
  reporter.onTestRunStart([{ moduleId: 'a' }, { moduleId: 'b' }, { moduleId: 'c' }, { moduleId: 'd' }]);
  for (const ms of [59_999, 1, 1, 180_000]) {
    now += ms;
    reporter.onTestModuleEnd();
  }
  expect(said).toBe('after 1 min: 2 of 4 files\nafter 4 min: 4 of 4 files\n');
});
