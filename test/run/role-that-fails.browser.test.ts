import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { touchstone } from '../cli/touchstone.ts';
import { folderOf } from '../suite-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** One task that begins as grace and one without a role; grace signs in on this path. */
async function suite(signInPath: string, close = ''): Promise<string> {
  const rest = `title: A, startUrl: 'http://mine.localhost/', goal: A, success: { kind: dom_text, contains: bye }`;
  return await folderOf({
    'app/app.ts': `let raised = 0;
    const page = (html, headers = {}) => new Response(html, { headers: { 'content-type': 'text/html', ...headers } });
    const answer = ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname === '/tulip-Harbour-4417') return new Response(null, { status: 204 });
      if (pathname === '/sign-in') return page('<p>Welcome</p>', { 'set-cookie': 'session=0123456789abcdef; Path=/' });
      return page('<p>hello</p>');
    };
    export default () => {
      raised += 1;
      const own = raised;
      return { fetch: answer, state: () => null, close: () => { ${close} } };
    };`,
    'suite.yaml': `id: mine
title: Mine
tasks: ['*-task.yaml']
credentials: { PATH_IN: tulip-Harbour-4417 }
roles:
  grace: { start_url: 'http://mine.localhost/${signInPath}', steps: [{ do: wait_for, text: Welcome }] }
world: { kind: local, sites: [{ origin: http://mine.localhost, app: app/app.ts }] }
`,
    '1-task.yaml': `{ id: as-grace, auth: { by: stored_state, role: grace }, ${rest} }`,
    '2-task.yaml': `{ id: as-nobody, ${rest} }`,
  });
}

async function run(folder: string) {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const ran = await touchstone('run', folder, '--agent', 'null', '--out', bundle);
  const lines = (await readFile(path.join(bundle, 'rows.jsonl'), 'utf8')).trim().split('\n');
  const { exit: verified } = await touchstone('verify', bundle);
  return { ...ran, verified, rows: lines.map((line): unknown => JSON.parse(line)) };
}

test('a role whose page does not load is an infrastructure error that names it, and the campaign goes on', async () => {
  const { rows, err, verified } = await run(await suite('tulip-Harbour-4417'));
  expect(rows).toMatchObject([
    {
      task: 'as-grace',
      status: 'infra_error',
      attempt: 3,
      detail: expect.stringMatching(/^the role grace cannot be signed in: .*ERR_ABORTED at \S+\[secret:PATH_IN\]/),
    },
    { task: 'as-nobody', status: 'failed' },
  ]);
  expect(err).not.toContain('bug in Touchstone');
  expect(verified).toBe(0);
});

test('a world that does not close after a role signed in ends nothing', async () => {
  // Raised once before the campaign, and then to sign in.
  const { rows, err } = await run(await suite('sign-in', "if (own === 2) throw new Error('the door is jammed');"));
  expect(rows).toMatchObject([
    { task: 'as-grace', status: 'failed', auth: { by: 'stored_state', role: 'grace' } },
    { task: 'as-nobody', status: 'failed' },
  ]);
  expect(err).toContain('the app of http://mine.localhost cannot be closed: the door is jammed');
});
