import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

test('a campaign on a suite of the user is finished when the suite is named again', async () => {
  const folder = await temporaryFolder();
  const suite = path.join(folder, 'suite');
  const whole = path.join(folder, 'whole');
  const begun = path.join(folder, 'begun');
  await writeSuite(suite);
  expect(await touchstone('run', suite, '--out', whole)).toMatchObject({ exit: 0 });
  // What a run that was killed before its first episode leaves.
  await mkdir(begun);
  await cp(path.join(whole, 'campaign.json'), path.join(begun, 'campaign.json'));

  expect(await touchstone('run', '--resume', begun)).toMatchObject({ exit: 2 });
  expect(await touchstone('rejudge', begun)).toMatchObject({ exit: 1 });
  expect(await touchstone('run', '--resume', begun, suite)).toMatchObject({ exit: 0 });
  expect(await touchstone('rejudge', begun)).toMatchObject({ exit: 0, out: '1 episode judged again, 1 agree\n' });
});

async function writeSuite(suite: string): Promise<void> {
  await mkdir(path.join(suite, 'site'), { recursive: true });
  await writeFile(path.join(suite, 'site/index.html'), '<!doctype html><h1>Hello</h1>');
  await writeFile(
    path.join(suite, 'suite.yaml'),
    `id: small
title: Small
tasks: [task.yaml]
world: { kind: local, sites: [{ origin: http://small.localhost, static: site }] }
`,
  );
  await writeFile(
    path.join(suite, 'task.yaml'),
    `id: heading
title: Heading
startUrl: about:blank
goal: Open http://small.localhost/.
success: { kind: dom_text, selector: h1, contains: Hello }
solutions: [{ steps: [{ do: go, url: 'http://small.localhost/' }] }]
`,
  );
}
