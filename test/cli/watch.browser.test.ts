import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { writeSmallSuite } from './recorded-suite.ts';
import { startTouchstoneWith } from './touchstone-process.ts';

const ENDS = 'Ctrl-C ends';

async function watching() {
  const folder = await temporaryFolder();
  const suite = await writeSmallSuite(folder);
  const typedThere = { INIT_CWD: folder, npm_lifecycle_event: 'touchstone' };
  const running = startTouchstoneWith(typedThere, 'run', './small', '--watch', '--browser', 'shell');
  const edit = async (file: string, change: (text: string) => string): Promise<void> => {
    const place = path.join(suite, file);
    await writeFile(place, change(await readFile(place, 'utf8')));
  };
  return { running, edit };
}

test('tasks run again when their files change, a broken file is shown, and Ctrl-C ends the watch', async () => {
  const { running, edit } = await watching();
  await running.says(ENDS);
  expect(running.said()).toMatch(/2\/2 .*passed/);
  await edit('tasks/a.yaml', (text) => text.replace('goal:', 'goals:'));
  await running.says('goals: unknown field');
  expect(running.said()).not.toContain('running open-first');
  await edit('tasks/a.yaml', (text) => text.replace('goals:', 'goal:'));
  await running.says('running open-first again');
  await running.says('1/1');
  expect(running.said()).toContain('changed: small/tasks/a.yaml');
  await edit('site/more.html', (text) => `${text} `);
  await running.says('running open-first, open-more again');
  running.kill('SIGINT');
  expect(await running.ended).toBe(0);
});
