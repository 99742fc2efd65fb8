import { expect, it } from 'vitest';
import { defineTask } from '../../src/task/validate.ts';
import { publicRuleWarnings } from '../../src/task/suite-rules.ts';
import { SAMPLE } from './sample-task.ts';

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

it('a word that only holds such a word gets none', () => {
  expect(
    publicRuleWarnings(
      defineTask({ ...SAMPLE, goal: 'Read the payload of the blog.', startUrl: 'https://example.com/' }),
      [],
    ),
  ).toEqual([]);
});

it('a task on an app of ours may say what it likes', () => {
  const task = defineTask({ ...SAMPLE, goal: 'Log in and pay.' });
  expect(publicRuleWarnings(task, ['https://example.com'])).toEqual([]);
});

it('a task that starts on a blank page is public when the suite has public sites', () => {
  const task = defineTask({ ...SAMPLE, goal: 'Log in and pay.', startUrl: 'about:blank' });
  expect(publicRuleWarnings(task, ['http://app.localhost'])).toEqual([]);
  expect(publicRuleWarnings(task, ['http://app.localhost', 'https://example.com'])).toHaveLength(1);
});
