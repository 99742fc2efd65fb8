import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadSuiteWorld, tryWorlds } from '../../src/campaign/suite-world.ts';
import { loadSuite } from '../../src/task/load-suite.ts';
import { createTlsIdentity } from '../../src/world/tls-identity.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { SMALL_PLAN } from './sample-plan.ts';

/** Tries the world of a suite with this app. */
async function tried(app: string): Promise<{ file: string; outcome: Promise<void> }> {
  const folder = await temporaryFolder();
  const file = path.join(folder, 'app/app.ts');
  await mkdir(path.dirname(file));
  await writeFile(file, app);
  await writeFile(
    path.join(folder, 'suite.yaml'),
    `id: basics
title: Mine
tasks: [task.yaml]
world: { kind: local, sites: [{ origin: http://mine.localhost, app: app/app.ts }] }
`,
  );
  await writeFile(
    path.join(folder, 'task.yaml'),
    `{ id: a, title: A, startUrl: 'http://mine.localhost/', goal: A, success: { kind: no_dialog } }`,
  );
  const loaded = await loadSuite(folder);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const worlds = new Map([['basics', await loadSuiteWorld(loaded.suite)]]);
  const identity = await createTlsIdentity();
  return { file, outcome: tryWorlds(SMALL_PLAN.tasks, worlds, { identity, live: false }) };
}

test('an app that cannot be made is an error that names its file', async () => {
  const { file, outcome } = await tried(`export default () => { throw new Error('no seed'); };`);
  await expect(outcome).rejects.toMatchObject({
    code: 'bad_app',
    message: `the app of http://mine.localhost cannot be made: ${file}: no seed`,
  });
});

test('an app that can be made is closed again', async () => {
  const { outcome } = await tried(`export default () => ({ fetch: () => new Response(), state: () => null });`);
  await expect(outcome).resolves.toBeUndefined();
});
