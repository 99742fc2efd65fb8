import { describe, expect, it } from 'vitest';
import { parsePlainly, problemText } from '../../src/contract/validation/problem.ts';
import { rule } from '../../src/contract/validation/wording.ts';
import { OutsideApp } from '../../src/task/outside-app.ts';

function problemsOf(how: { command: string[]; env?: Record<string, string>; port?: number }): string[] {
  const parsed = parsePlainly(OutsideApp, { folder: '.', ...how });
  return parsed.ok ? [] : parsed.problems.map(problemText);
}

describe('a path left out of a program', () => {
  const problemsWith = (place: string) =>
    OutsideApp.safeParse({ folder: '..', command: ['node', '{{port}}'], leave_out: [place] }).error?.issues ?? [];

  it.each(['README.md', 'docs', 'docs/', 'docs/old/a.md', '.github', '..notes'])('may be %s', (place) => {
    expect(problemsWith(place)).toEqual([]);
  });

  it.each(['', '.', '..', '../other', '/etc', 'docs/../..', './README.md', 'docs//a', String.raw`docs\a`])(
    'is invalid if written as %j',
    (place) => {
      expect(problemsWith(place)).toEqual([expect.objectContaining({ message: rule('place_in_folder') })]);
    },
  );
});

describe('the port of a program', () => {
  it.each([{ command: ['node', 'app.js'] }, { command: ['node', 'app.js'], env: { PORT: '3000' } }])(
    'is a problem if nothing gives it, as in %j: each start has another',
    (how) => {
      expect(problemsOf(how)).toEqual([
        expect.stringMatching(/^does not give the program a port.*env: \{ PORT: '\{\{port\}\}' \}/),
      ]);
    },
  );

  it.each([
    { command: ['node', 'app.js', '--port={{port}}'] },
    { command: ['node'], env: { PORT: '{{port}}' } },
    { command: ['node', 'app.js'], port: 3000 },
  ])('is given or declared by %j', (how) => {
    expect(problemsOf(how)).toEqual([]);
  });
});

describe('a path for the judge', () => {
  const problemsWith = (at: string) => {
    const program = { folder: '.', command: ['node', '{{port}}'] };
    return ['state', 'reset'].flatMap((field) => OutsideApp.safeParse({ ...program, [field]: at }).error?.issues ?? []);
  };

  it.each(['/__state', '/__state/', '/Admin/state.json', '/~judge/v1.0-a'])('may be %s', (at) => {
    expect(problemsWith(at)).toEqual([]);
  });

  it.each([
    '',
    '/',
    '/a',
    '//',
    'state',
    '/état',
    '/\uFF3F\uFF3Fstate',
    '/__state//',
    '//__state',
    '/%5f_state',
    '/__state;a',
    '/__state?a',
    '/__state#a',
    '/a b',
    '/a+b',
    String.raw`/\__state`,
    '/./__state',
    '/a/../__state',
    '/a/..',
  ])('may not be %j', (at) => {
    expect(problemsWith(at)).toHaveLength(2);
  });
});
