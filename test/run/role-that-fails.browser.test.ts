import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { touchstone } from '../cli/touchstone.ts';
import { folderOf } from '../suite-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** One task that begins as grace and one without a role; grace signs in on this path. */
async function suite(signInPath: string, close = '', steps = '[{ do: wait_for, text: Welcome }]'): Promise<string> {
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
  grace: { start_url: 'http://mine.localhost/${signInPath}', steps: ${steps} }
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

test.each([
  ['do: wait_for, text: Goodbye', 'wait_for "Goodbye"', 'did not become visible'],
  ['do: click, role: button, name: "${PATH_IN}"', 'click "button" "[secret:PATH_IN]"', 'does not show it'],
])('a role whose step fails is an error with the step, the page and its place: %s', async (step, written, why) => {
  const { rows } = await run(await suite('sign-in', '', `[{ do: wait_for, text: Welcome }, { ${step} }]`));
  const { detail } = z.object({ detail: z.string() }).parse(rows[0]);
  expect(detail).toContain(`the role grace cannot be signed in: step 2 (${written}) failed: `);
  expect(detail).toContain(why);
  expect(detail).toMatch(
    /; the page was \S+\/sign-in and showed "Welcome"; see suite\.yaml:6 roles\.grace\.steps\[1\]$/,
  );
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
