import { mkdir, symlink } from 'node:fs/promises';
import { describe, expect, it, test } from 'vitest';
import type { Contract } from '../../src/contract/schema.ts';
import { fact } from '../../src/messages/messages.ts';
import { defineTask } from '../../src/task/validate.ts';
import {
  anyDownloadWarnings,
  clockWarnings,
  endlessAddressWarnings,
  placeholderWarnings,
  publicRuleWarnings,
  stateWarnings,
} from '../../src/task/suite-rules.ts';
import { SAMPLE } from './sample-task.ts';
import { confineIfThere } from '../../src/task/suite-paths.ts';
import { tempFiles } from './temp-files.ts';

it.each([
  "Read today's weather.",
  'What is the latest release?',
  'Log in and read.',
  'Sign in.',
  'Pay the bill.',
  'Solve the CAPTCHA.',
])('a public task gets a warning: %s', (goal) => {
  const warnings = publicRuleWarnings(defineTask({ ...SAMPLE, goal, startUrl: 'https://example.com/' }), []);
  expect(warnings.map(({ path }) => path)).toEqual([['goal']]);
});

it('a word that merely contains such a word gets no warning', () => {
  expect(
    publicRuleWarnings(
      defineTask({ ...SAMPLE, goal: 'Read the payload of the blog.', startUrl: 'https://example.com/' }),
      [],
    ),
  ).toEqual([]);
});

it('a task on a built-in app may use such words', () => {
  const task = defineTask({ ...SAMPLE, goal: 'Log in and pay.' });
  expect(publicRuleWarnings(task, ['https://example.com'])).toEqual([]);
});

it('a task that starts on a blank page is public when the suite has public sites', () => {
  const task = defineTask({ ...SAMPLE, goal: 'Log in and pay.', startUrl: 'about:blank' });
  expect(publicRuleWarnings(task, ['http://app.localhost'])).toEqual([]);
  expect(publicRuleWarnings(task, ['http://app.localhost', 'https://example.com'])).toHaveLength(1);
});

it('a placeholder in a task without instances gets a warning at its place', () => {
  const task = defineTask({ ...SAMPLE, goal: 'Order {{ count }} of {{thing}}.', tags: ['{{a}}'] });
  expect(placeholderWarnings(task)).toEqual([
    { path: ['goal'], what: fact('placeholder_kept', { placeholder: '{{ count }}' }) },
    { path: ['tags', 0], what: fact('placeholder_kept', { placeholder: '{{a}}' }) },
  ]);
});

it('a task with instances, whose placeholders are filled, and one without any get none', () => {
  const instance = { name: 'tea', parameters: { text: '{{a}}' } };
  expect(placeholderWarnings(defineTask({ ...SAMPLE, goal: 'Write {{a}}.', instance }))).toEqual([]);
  expect(placeholderWarnings(defineTask({ ...SAMPLE, goal: 'Write {}.' }))).toEqual([]);
});

test('a new file stays inside, whichever of its folders exist', async () => {
  await using files = await tempFiles({ 'there.zip': '' });
  const at = (path: string) => confineIfThere(files.folder, path, [files.folder]);
  expect(await at('new.zip')).toEqual({ ok: true, value: files.path('new.zip') });
  expect(await at('deep/er/new.zip')).toEqual({ ok: true, value: files.path('deep/er/new.zip') });
  expect(await at('there.zip')).toEqual({ ok: true, value: files.path('there.zip') });
  expect(await at('../new.zip')).toMatchObject({ ok: false });
});

test('no file is created through a link out of the folder', async () => {
  await using outside = await tempFiles({});
  await using files = await tempFiles({});
  await mkdir(files.path('inside'));
  await symlink(outside.folder, files.path('linked'));
  await symlink(files.path('inside'), files.path('linked-inside'));
  const problems = [{ path: [], what: fact('path_leaves', { path: 'linked', roots: 1, link: true }) }];
  expect(await confineIfThere(files.folder, 'linked/deep/new.zip', [files.folder])).toEqual({ ok: false, problems });
  expect(await confineIfThere(files.folder, 'linked-inside/new.zip', [files.folder])).toMatchObject({ ok: true });
});

const NO_PROGRAM = { world: { kind: 'local' as const, sites: [{ origin: 'http://a.localhost', app: 'app.ts' }] } };

it.each([
  ['Book a room for tomorrow.', 'tomorrow'],
  ['List what is due this week.', 'this week'],
  ['What was sold in the last month?', 'last month'],
  ['Pay within 3 days.', 'within 3 days'],
  ['Add an appointment on 13 October.', '13 October'],
  ['Add an appointment on May 2nd at noon.', 'May 2nd'],
])('a goal with another day each day gets a warning without a clock: %s', (goal, word) => {
  const task = defineTask({ ...SAMPLE, goal });
  expect(clockWarnings(task, NO_PROGRAM)).toEqual([{ path: ['goal'], what: fact('goal_of_a_day', { word }) }]);
  expect(clockWarnings({ ...task, setup: { clock: '2026-03-02T09:00:00Z' } }, NO_PROGRAM)).toEqual([]);
});

it.each([
  'Add one on 13 October 2031.',
  'Add one on May 2, 2031.',
  'Read the daily mail of the mayor.',
  'Buy 3 marches.',
])('a goal with a whole date or with none gets no warning: %s', (goal) => {
  expect(clockWarnings(defineTask({ ...SAMPLE, goal }), NO_PROGRAM)).toEqual([]);
});

it('a day that neither goal nor solution names gets one in the contract of a program, which has a clock', () => {
  const program = { folder: 'app', command: ['serve', '{{port}}'], env: {}, ready: '/' };
  const withProgram = { world: { kind: 'local' as const, sites: [{ origin: 'http://a.localhost', program }] } };
  const success = { kind: 'app_state', pointer: '/due', equals: '2026-10-13T10:00' } as const;
  const task = defineTask({ ...SAMPLE, success });
  expect(clockWarnings(task, NO_PROGRAM)).toEqual([]);
  expect(clockWarnings(task, withProgram)).toMatchObject([{ path: ['success', 'equals'] }]);
  expect(clockWarnings({ ...task, goal: 'Set it to 2026-10-13.' }, withProgram)).toEqual([]);
});

it('a clock that does not reach a program gets a warning', () => {
  const program = { folder: 'app', command: ['serve', '{{port}}'], env: {}, ready: '/' };
  const worldOf = (more: object) => ({
    world: { kind: 'local' as const, sites: [{ origin: 'http://a.localhost', program: { ...program, ...more } }] },
  });
  const task = defineTask({ ...SAMPLE, setup: { clock: '2026-03-02T09:00:00Z' } });
  expect(clockWarnings(task, worldOf({}))).toMatchObject([{ path: ['setup', 'clock'] }]);
  expect(clockWarnings(task, worldOf({ clock_env: 'NOW' }))).toEqual([]);
  expect(clockWarnings(task, worldOf({ faketime: true }))).toEqual([]);
});

describe('warnings about the state of the app', () => {
  const STATIC = { world: { kind: 'local' as const, sites: [{ origin: 'http://a.localhost', folder: 'site' }] } };
  const saved: Contract = { kind: 'app_state', pointer: '/issues/[id=5]/title', equals: 'Tea' };
  const shown: Contract = { kind: 'dom_text', selector: 'h1', contains: 'Tea' };
  const solutions = [{ steps: [{ do: 'fill' as const, label: 'Title', text: 'Tea' }] }];
  const warned = (own: object, world: Parameters<typeof stateWarnings>[1] = NO_PROGRAM) =>
    stateWarnings(defineTask({ ...SAMPLE, success: shown, solutions, guards: undefined, ...own }), world);

  it('a solution enters something, and success reads only pages', () => {
    expect(warned({})).toEqual([{ path: ['success'], what: fact('state_not_read') }]);
    expect(warned({ success: { kind: 'and', children: [shown, saved] } })).toEqual([]);
    expect(warned({ solutions: [{ steps: [{ do: 'read' }] }] })).toEqual([]);
    expect(warned({}, STATIC)).toEqual([]);
  });

  it('a guard excepts a whole list, of which success reads one entry', () => {
    const guarded = (except: string) => warned({ success: saved, guards: { kind: 'unchanged', except: [except] } });
    expect(guarded('/issues')).toEqual([
      { path: ['guards', 'except', 0], what: fact('guard_excepts_list', { list: '/issues', entry: '/issues/[id=5]' }) },
    ]);
    expect(guarded('/issues/[id=5]')).toEqual([]);
    expect(guarded('/log')).toEqual([]);
  });
});

describe('an open-ended address in success gets a warning', () => {
  const warned = (success: Contract) => endlessAddressWarnings(defineTask({ ...SAMPLE, success })).length;

  test.each(['/viewed', '^http://shop\\.localhost/viewed', '/viewed\\b', '/price\\$'])('%s', (pattern) => {
    expect(warned({ kind: 'and', children: [{ kind: 'url', pattern }] })).toBe(1);
  });

  test.each(['/viewed$', '/viewed([?#]|$)', '/viewed(?:$|[/?#])', '/viewed\\z'])('not for %s', (pattern) => {
    expect(warned({ kind: 'url', pattern })).toBe(0);
  });

  test('not for a denied address, where an end would let more pass', () => {
    expect(warned({ kind: 'not', child: { kind: 'url', pattern: '/viewed' } })).toBe(0);
  });
});

describe('a download in success that does not identify its file gets a warning', () => {
  const warned = (more: object, denied = false) => {
    const asserted: Contract = { kind: 'download', ...more };
    const success: Contract = denied ? { kind: 'not', child: asserted } : { kind: 'and', children: [asserted] };
    return anyDownloadWarnings(defineTask({ ...SAMPLE, success }));
  };

  test.each([{}, { bytes: { op: 'gte', value: 1 } }, { count: { op: 'eq', value: 2 } }])('%j', (more) => {
    expect(warned(more)).toEqual([{ path: ['success', 'children', 0], what: fact('download_of_any_file') }]);
  });

  test.each([
    { url_pattern: '/invoices/7$' },
    { name_pattern: '^invoice' },
    { sha256: '0'.repeat(64) },
    { contains: 'Ada' },
    { equals: 'Ada' },
    { matches: 'Ada' },
    { count: { op: 'eq', value: 0 } },
  ])('not for %j', (more) => {
    expect(warned(more)).toEqual([]);
  });

  test('not for a denied one', () => {
    expect(warned({}, true)).toEqual([]);
  });
});
