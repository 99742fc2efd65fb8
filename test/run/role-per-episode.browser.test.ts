import path from 'node:path';
import { expect, test } from 'vitest';
import { rowsOf } from '../cli/bundle-files.ts';
import { touchstone } from '../cli/touchstone.ts';
import { folderOf } from '../suite-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** An app that keeps its sessions itself, so that one instance does not know those of another. */
const APP = `import { randomUUID } from 'node:crypto';
const html = (body, headers = {}) => new Response(body, { headers: { 'content-type': 'text/html', ...headers } });
const home = { location: '/' };
export default () => {
  const sessions = new Set();
  let saved = 0;
  return {
    state: () => ({ saved }),
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      const own = /session=([\\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1];
      const isIn = sessions.has(own);
      if (request.method === 'GET')
        return html(isIn ? '<form method=post action=/save><button>Save</button></form>' +
          '<form method=post action=/sign-out><button>Sign out</button></form>' :
          '<form method=post action=/sign-in><button>Sign in</button></form>');
      if (pathname === '/sign-out') sessions.delete(own);
      if (pathname === '/save' && isIn) saved += 1;
      if (pathname !== '/sign-in') return new Response(null, { status: 303, headers: home });
      const session = randomUUID();
      sessions.add(session);
      return new Response(null, { status: 303, headers: { ...home, 'set-cookie': 'session=' + session } });
    },
  };
};`;

const task = (id: string, ...buttons: string[]) =>
  JSON.stringify({
    id,
    title: id,
    startUrl: 'http://mine.localhost/',
    goal: 'Save.',
    auth: { by: 'stored_state', role: 'grace' },
    success: { kind: 'app_state', pointer: '/saved', equals: 1 },
    solutions: [{ steps: buttons.map((name) => ({ do: 'click', role: 'button', name })) }],
  });

async function run(role: { per_episode?: true }) {
  const steps = [
    { do: 'click', role: 'button', name: 'Sign in' },
    { do: 'wait_for', text: 'Sign out' },
  ];
  const folder = await folderOf({
    'app/app.ts': APP,
    '1-task.yaml': task('leaves', 'Save', 'Sign out'),
    '2-task.yaml': task('stays', 'Save'),
    'suite.yaml': JSON.stringify({
      id: 'mine',
      title: 'Mine',
      tasks: ['*-task.yaml'],
      roles: { grace: { start_url: 'http://mine.localhost/', steps, ...role } },
      world: { kind: 'local', sites: [{ origin: 'http://mine.localhost', app: 'app/app.ts' }] },
    }),
  });
  const bundle = path.join(await temporaryFolder(), 'bundle');
  await touchstone('run', folder, '--agent', 'reference', '-n', '2', '--workers', '2', '--out', bundle);
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
  const rows = (await rowsOf(bundle)).map(({ task: id, status, auth, detail }) => ({ id, status, auth, detail }));
  return rows.toSorted((a, b) => a.id.localeCompare(b.id));
}

test('a role that signs in per episode is signed in at each start, even next to an episode that signs out', async () => {
  const auth = { by: 'stored_state', role: 'grace', setup_ms: expect.any(Number) };
  expect(await run({ per_episode: true })).toEqual(
    ['leaves', 'leaves', 'stays', 'stays'].map((id) => ({ id, status: 'passed', auth, detail: null })),
  );
});

test('no episode begins as a role that signed in once if its app keeps the sessions itself', async () => {
  const detail = expect.stringContaining('set per_episode: true');
  expect(await run({})).toEqual(
    ['leaves', 'leaves', 'stays', 'stays'].map((id) => ({ id, status: 'infra_error', auth: undefined, detail })),
  );
});
