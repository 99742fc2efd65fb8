import { expect, test } from 'vitest';
import { againstPinned } from '../../src/plan/stand-in.ts';

const OURS = { name: 'Chrome', version: '156.0', build: 'r1', kind: 'full', ours: true, sandbox: true } as const;
const THEIRS = { ...OURS, ours: false, sandbox: null };

test.each([
  ['the pinned one is', OURS, OURS, 'pinned'],
  ['one of its build that is not ours stands in for', THEIRS, OURS, 'stand_in'],
  ['one of its version and another build is another than', { ...THEIRS, build: 'r2' }, OURS, 'other'],
  ['one of another kind is another than', { ...THEIRS, kind: 'shell' as const }, OURS, 'other'],
  ['one of ours without its sandbox is another than', { ...OURS, sandbox: false }, OURS, 'other'],
  ['one of ours is another than one that is not ours and', OURS, THEIRS, 'other'],
])('%s the browser that is pinned', (_, browser, pinned, standing) => {
  expect(againstPinned(browser, pinned)).toBe(standing);
});
