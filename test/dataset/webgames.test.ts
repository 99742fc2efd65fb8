import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PACKAGE_APPS } from '../../src/task/suite-paths.ts';
import { MACHINE_CLOCK, timeOf } from '../../src/world/app.ts';
import { loadApp } from '../../src/world/load-app.ts';
import { staticSite } from '../../src/world/static-site.ts';
import { touchstone } from '../cli/touchstone.ts';
import { folderOf, suiteIn } from '../suite-files.ts';
import { OWN_WEBGAMES, WRITTEN } from './own-webgames.ts';

const ORIGIN = 'http://webgames.localhost';

async function imported(files: Record<string, string>) {
  const checkout = await folderOf(files, 'checkout');
  const folder = path.join(checkout, '../suite');
  return { ...(await touchstone('import', 'webgames', checkout, '--out', folder, '--seeds', '2')), folder };
}

test('an import writes a valid suite of the games, without the one that asks outside', async () => {
  const { exit, out, folder } = await imported(OWN_WEBGAMES);
  expect(exit).toBe(0);
  expect(out).toContain('robo-check: needs a contract: its page asks a service outside of the checkout');
  expect(JSON.parse(await readFile(path.join(folder, 'dataset.json'), 'utf8'))).toMatchObject({
    licence: 'Apache-2.0',
    counts: { draft: 2, 'needs a contract': 1 },
  });
  expect(await touchstone('validate', folder)).toMatchObject({ exit: 0 });
});

test('a task has passwords drawn by seed, and needs a record only if its game sends one', async () => {
  const { tasks } = await suiteIn((await imported(OWN_WEBGAMES)).folder);
  const [first, second, wait] = tasks.map(({ task }) => ({ task, given: task.instance?.parameters ?? {} }));
  const drawn = first?.given['PASSWORD_Press'];
  expect(drawn).toMatch(/^[A-HJ-NP-Z]{10}$/);
  expect(second?.given['PASSWORD_Press']).not.toBe(drawn);
  expect(first?.given).toMatchObject({
    SOURCE_PASSWORD_Press: WRITTEN.press,
    SOURCE_PASSWORD_PressDecoy: WRITTEN.decoy,
  });
  expect(first?.task.success).toEqual({
    kind: 'and',
    children: [
      { kind: 'answer', one_of: [drawn] },
      { kind: 'app_state', pointer: '/record/game', equals: 'press' },
    ],
  });
  expect(wait?.task.success).toMatchObject({ children: [{ kind: 'answer' }] });
});

test.each([
  ['was not built', 'webgames/dist/index.html', 'other.html', /was not built.+\n.+pnpm run build/],
  [
    'has the build of another source',
    'webgames/dist/assets/index.js',
    'webgames/dist/a.js',
    /lacks passwords of press/,
  ],
])('a checkout that %s is refused', async (_, file, moved, error) => {
  const { [file]: text = '', ...files } = OWN_WEBGAMES;
  const { exit, err } = await imported({ ...files, [moved]: text.replace(WRITTEN.press, 'OTHER') });
  expect(exit).toBe(2);
  expect(err).toMatch(error);
});

const DRAWN = { PASSWORD_Press: 'DRAWN', PASSWORD_PressDecoy: 'FALSE' };
const PARAMETERS = {
  ...DRAWN,
  game: 'press',
  SOURCE_PASSWORD_Press: WRITTEN.press,
  SOURCE_PASSWORD_PressDecoy: WRITTEN.decoy,
};

async function served(seed = 1) {
  const folder = path.join(await folderOf(OWN_WEBGAMES, 'checkout'), 'webgames/dist');
  const data = async (request: Request) => await staticSite(folder).fetch(request);
  const create = await loadApp(path.join(PACKAGE_APPS, 'webgames/app.ts'));
  const app = await create({ ...PARAMETERS, seed }, { ...timeOf(MACHINE_CLOCK), data });
  const get = async (place: string, headers = {}) => await app.fetch(new Request(`${ORIGIN}${place}`, { headers }));
  const won = async (taskId: string, page: string) => {
    const body = JSON.stringify({ taskId, url: `${ORIGIN}${page}` });
    return await app.fetch(new Request(`${ORIGIN}/api/record-completion`, { method: 'POST', body }));
  };
  return { app, get, won };
}

test('scripts have the drawn passwords of the game in place of those of the source, in any quotes, and no others', async () => {
  const script = await (await (await served()).get('/assets/index.js')).text();
  expect(script).toContain(`w="DRAWN",d=\`FALSE\`,p='${WRITTEN.wait}'`);
});

test('a script is served to a page, and not to a tab that opens it', async () => {
  const { get } = await served();
  const statusFor = async (dest: string) => (await get('/assets/index.js', { 'sec-fetch-dest': dest })).status;
  expect([await statusFor('script'), await statusFor('document')]).toEqual([200, 404]);
});

test('every address without a file gets the page, with random numbers by seed; the list of games is not served', async () => {
  const [{ get }, other] = [await served(1), await served(2)];
  const html = await (await get('/press/3')).text();
  expect(html).toContain('<title>Ours</title>');
  expect(await (await get('/press')).text()).toBe(html);
  expect(await (await other.get('/press')).text()).not.toBe(html);
  expect((await get('/?showDownloads=true')).status).toBe(404);
  expect((await get('//?showDownloads=true')).status).toBe(404);
  expect((await get('/assets/none.js')).status).toBe(404);
});

test('the first record of the game is kept, and none of another game', async () => {
  const { app, won } = await served();
  await won('wait', '/wait');
  expect(await app.state()).toEqual({ record: null });
  await won('press', '/press');
  await won('press', '/again');
  expect(await app.state()).toEqual({ record: { game: 'press', page: '/press' } });
});
