import { expect, test } from 'vitest';
import { FailedSteps } from '../../src/episode/failed-steps.ts';
import { CALL, RESULT } from './sample-events.ts';

const SELECT = { ...CALL, step: 3, tool: 'select', args: { option: 'vegn' } };
const REPLY = { ...RESULT, step: 3, tool: 'select', text: 'there is no option "vegn"; it has "Fish"\nand more' };

test('a failed step has the number that its author gave it, with the reason', () => {
  const steps = new FailedSteps();
  expect(steps.take({ ...SELECT, written_step: 2 })).toBeNull();
  expect(steps.take({ ...REPLY, ok: false })).toBe(
    'step 2 of the solution failed: there is no option "vegn"; it has "Fish" (select {"option":"vegn"})',
  );
});

test('a successful step is not listed', () => {
  const steps = new FailedSteps();
  steps.take({ ...SELECT, written_step: 2 });
  expect(steps.take({ ...REPLY, ok: true })).toBeNull();
  expect(steps.first).toBeNull();
});

test('text of a page in a reason or a call is cut short', () => {
  const steps = new FailedSteps();
  steps.take({ ...SELECT, args: { option: 'o'.repeat(5_000) }, written_step: 2 });
  expect(steps.take({ ...REPLY, text: 'x'.repeat(5_000), ok: false })?.length).toBeLessThan(900);
});

test('the first of several failures is kept: later ones are seldom the cause', () => {
  const steps = new FailedSteps();
  steps.take({ ...SELECT, written_step: 2 });
  steps.take({ ...REPLY, ok: false });
  steps.take({ ...SELECT, written_step: 4 });
  steps.take({ ...REPLY, ok: false });
  expect(steps.first).toContain('step 2 of');
});

const CRASH = 'node:internal/process/promises:391\n  triggerUncaughtException(err);\n  ^\n\nError: no tab\n    at x';

test.each([
  ['### Result\n\n```\nError: no such key\n```', 'Error: no such key'],
  [`Connection closed; it printed: ${CRASH}`, 'Connection closed; it printed: Error: no tab'],
  ['#send is not on the page\nmore', '#send is not on the page'],
  ['cannot open http://a.test:80\nError: later', 'cannot open http://a.test:80'],
  ['### Result', '### Result'],
])('the reason in %j is %j', (text, why) => {
  const steps = new FailedSteps();
  expect(steps.take({ ...REPLY, text, ok: false })).toMatch(`call 3 of the solution failed: ${why} (select`);
});
