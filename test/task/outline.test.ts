import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/plan/package-root.ts';
import { taskName } from '../../src/task/instance.ts';
import { loadSuite } from '../../src/task/load-suite.ts';
import { outlineSuite, type SuiteOutline } from '../../src/task/outline.ts';
import { sampleYaml } from './sample-task.ts';
import { tempFiles } from './temp-files.ts';

const SUITES = path.join(packageRoot(), 'suites');
const SUITE = `id: own
title: Own
world: { kind: local, sites: [{ origin: "http://basics.localhost", static: site }] }
tasks: [a.yaml]
`;

function shown({ id, title, tasks }: SuiteOutline): unknown {
  return { id, title, tasks: tasks.map(({ task }) => [taskName(task), task.title, task.category]) };
}

it.each(readdirSync(SUITES))('shows of %s the same as the suite itself', async (name) => {
  const folder = path.join(SUITES, name);
  const [outline, loaded] = await Promise.all([outlineSuite(folder), loadSuite(folder)]);
  if (outline === null || !loaded.ok) throw new Error(`${name} is not sound`);
  expect(shown(outline)).toEqual(shown(loaded.suite));
});

it.each([
  ['a map of lines', sampleYaml({ title: 'Own {{n}}', instances: '[{ name: one, parameters: { n: 1 } }]' })],
  ['a map in brackets', '{ id: sample, title: Own 1, instance: { name: one, parameters: {} } }'],
  ['a list', '- id: sample\n  title: Own 1\n  instance: { name: one, parameters: {} }\n'],
  [
    'a text over several lines, and a list that is not indented',
    'title: >-\n  Own\n\n  {{n}}\n# one\nid: sample\ninstances:\n- name: one\n  parameters: { n: 1 }\n',
  ],
])('reads names and titles of %s', async (_what, text) => {
  await using files = await tempFiles({ 'suite.yaml': SUITE, 'a.yaml': text });
  const outline = await outlineSuite(files.folder);
  expect(outline?.tasks.map(({ task }) => [taskName(task), task.title.replace('\n', ' ')])).toEqual([
    ['sample@one', 'Own 1'],
  ]);
});

it.each([
  ['no title', 'id: sample\n'],
  ['a title that is none', 'id: sample\ntitle: [1]\n'],
  ['an alias of what is not read', 'tags: &tags Own\nid: sample\ntitle: *tags\n'],
  ['no YAML', 'id: sample\ntitle: "Own\n'],
  ['instances that are none', 'id: sample\ntitle: Own\ninstances: []\n'],
])('gives up on a task with %s', async (_what, text) => {
  await using files = await tempFiles({ 'suite.yaml': SUITE, 'a.yaml': text });
  expect(await outlineSuite(files.folder)).toBeNull();
});

it('gives up on a folder without a suite, and on a suite without its tasks', async () => {
  await using files = await tempFiles({ 'own/suite.yaml': SUITE });
  expect(await outlineSuite(files.folder)).toBeNull();
  expect(await outlineSuite(path.join(files.folder, 'own'))).toBeNull();
});
