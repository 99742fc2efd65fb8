import { describe, expect, it } from 'vitest';
import { OutsideApp } from '../../src/task/outside-app.ts';

function problemsOf(how: { command: string[]; env?: Record<string, string> }): string[] {
  return OutsideApp.safeParse({ folder: '.', ...how }).error?.issues.map(({ message }) => message) ?? [];
}

describe('the port of a program', () => {
  it.each([{ command: ['node', 'app.js'] }, { command: ['node', 'app.js'], env: { PORT: '3000' } }])(
    'is a problem where nothing tells it, as in %j: each start has another',
    (how) => {
      expect(problemsOf(how)).toEqual([
        expect.stringMatching(/^never tells the program its port.*env: \{ PORT: '\{\{port\}\}' \}/),
      ]);
    },
  );

  it.each([{ command: ['node', 'app.js', '--port={{port}}'] }, { command: ['node'], env: { PORT: '{{port}}' } }])(
    'is told by %j',
    (how) => {
      expect(problemsOf(how)).toEqual([]);
    },
  );
});
