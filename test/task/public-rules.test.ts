import { expect, it } from 'vitest';
import { defineTask } from '../../src/task/define.ts';
import { publicRuleWarnings } from '../../src/task/public-rules.ts';
import { SAMPLE } from './sample-task.ts';

it.each([
  "Read today's weather.",
  'What is the latest release?',
  'Log in and read.',
  'Sign in.',
  'Pay the bill.',
  'Solve the CAPTCHA.',
])('a public task gets a warning: %s', (goal) => {
  const warnings = publicRuleWarnings(defineTask({ ...SAMPLE, goal }), 'live');
  expect(warnings.map(({ path }) => path)).toEqual([['goal']]);
});

it('a word that only holds such a word gets none', () => {
  expect(publicRuleWarnings(defineTask({ ...SAMPLE, goal: 'Read the payload of the blog.' }), 'live')).toEqual([]);
});

it('a local task may say what it likes', () => {
  const task = defineTask({ ...SAMPLE, goal: 'Log in and pay.' });
  expect(publicRuleWarnings(task, 'local')).toEqual([]);
  expect(publicRuleWarnings({ ...task, world: 'live' }, 'local')).toHaveLength(1);
});
