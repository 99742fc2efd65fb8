import path from 'node:path';
import { expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld } from '../../src/run/suite-world.ts';
import type { Parameters } from '../../src/task/instance.ts';
import type { Intent } from '../../src/task/intent.ts';
import { OWN_WEBGAMES } from '../dataset/own-webgames.ts';
import { folderOf, suiteIn } from '../suite-files.ts';
import { performed } from '../suites/performed.ts';
import { touchstone } from './touchstone.ts';

const press = (name: string): Intent[] => [
  { do: 'click', role: 'button', name },
  { do: 'wait_for', text: 'Password: ' },
];

test.each([
  ['press', 'passes with the password that the page shows', 'Win', 'PASSWORD_Press', 'passed'],
  ['press', 'fails with the password of the source', 'Win', 'SOURCE_PASSWORD_Press', 'failed'],
  ['press', 'fails with the decoy', 'Win', 'PASSWORD_PressDecoy', 'failed'],
  ['press', 'fails without a record that it was won', 'Look', 'PASSWORD_Press', 'failed'],
  ['wait', 'passes without a record if its page sends none', 'Win', 'PASSWORD_Wait', 'passed'],
])('the game "%s" %s', async (id, _, button, answer, status) => {
  const checkout = await folderOf(OWN_WEBGAMES, 'checkout');
  const folder = path.join(checkout, '../suite');
  await touchstone('import', 'webgames', checkout, '--out', folder, '--seeds', '1');
  const suite = await suiteIn(folder);
  const task = suite.tasks.find(({ task: each }) => each.id === id)?.task;
  if (task === undefined) throw new Error('no such task');
  const given: Parameters = task.instance?.parameters ?? {};
  const steps: Intent[] = [...press(button), { do: 'answer', value: given[answer] ?? '' }];
  const done = await performed(await loadSuiteWorld(suite), task, referenceAgent('steps', steps));
  expect(done.status).toBe(status);
});
