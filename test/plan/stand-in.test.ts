import { expect, test } from 'vitest';
import { againstPinned } from '../../src/plan/pins.ts';

const KNOWN = { name: 'Chrome', version: '156.0', build: 'r1', kind: 'full' } as const;
const OURS = { ...KNOWN, ours: true, sandbox: true, isolation: 'bubblewrap' } as const;
const THEIRS = { ...KNOWN, ours: false, sandbox: null };

test.each([
  ['the pinned one', 'pinned', OURS, OURS],
  ['one of its build that is not ours', 'stand_in', THEIRS, OURS],
  ['one of its version and another build', 'other', { ...THEIRS, build: 'r2' }, OURS],
  ['one of another kind', 'other', { ...THEIRS, kind: 'shell' as const }, OURS],
  ['one of ours without its sandbox', 'other', { ...OURS, sandbox: false }, OURS],
  ['one of ours, where the pinned one is not ours', 'other', OURS, THEIRS],
])('beside the browser that is pinned, %s is %s', (_, standing, browser, pinned) => {
  expect(againstPinned(browser, pinned)).toBe(standing);
});
