import path from 'node:path';
import { expect, test } from 'vitest';
import { PACKAGE_APPS } from '../../src/task/suite-paths.ts';
import { MACHINE_CLOCK, timeOf } from '../../src/world/app.ts';
import { loadApp } from '../../src/world/load-app.ts';
import { staticSite } from '../../src/world/static-site.ts';
import { folderOf } from '../suite-files.ts';
import { NOTES, PLAYABLE_NOTES } from './own-infinity.ts';

const ORIGIN = 'http://notes.localhost';

async function servedApp() {
  const folder = path.join(await folderOf(PLAYABLE_NOTES, 'infinity'), 'apps/notes');
  const create = await loadApp(path.join(PACKAGE_APPS, 'webarena-infinity/app.ts'));
  const data = async (request: Request) => await staticSite(folder).fetch(request);
  const app = await create({}, { ...timeOf(MACHINE_CLOCK), data });
  const get = async (place: string, headers: Record<string, string> = {}) =>
    await app.fetch(new Request(`${ORIGIN}${place}`, { headers }));
  const load = async () => {
    const html = await (await get('/', { 'sec-fetch-dest': 'document' })).text();
    return /"token":"([^"]+)"/.exec(html)?.[1] ?? '';
  };
  const put = async (state: object, given?: string) => {
    const headers = given === undefined ? {} : { 'touchstone-load': given };
    return (
      await app.fetch(new Request(`${ORIGIN}/api/state`, { method: 'PUT', headers, body: JSON.stringify(state) }))
    ).status;
  };
  return { app, get, load, put };
}

test('the newest state that a load of the page has sent is kept, in the order in which it was sent', async () => {
  const { app, load, put } = await servedApp();
  const token = await load();
  expect([await put(NOTES.seed, `${token} 2`), await put({ notes: [] }, `${token} 1`)]).toEqual([200, 200]);
  expect(await app.state()).toEqual({ page: NOTES.seed, refused: [] });
});

test.each([
  ['without a token', undefined, 'no token'],
  ['with a token of no load', 'forged 1', 'unknown token'],
])('a state %s is refused, and the state of the app names that', async (_, given, why) => {
  const { app, load, put } = await servedApp();
  const token = await load();
  await put(NOTES.seed, `${token} 1`);
  expect(await put({ notes: [] }, given)).toBe(403);
  expect(await app.state()).toEqual({ page: NOTES.seed, refused: [why] });
});

test('a script that reads the page again gets no token', async () => {
  const { get } = await servedApp();
  expect(await (await get('/', { 'sec-fetch-dest': 'empty' })).text()).not.toContain('"token"');
});

test.each(['/real-tasks.json', '/real-tasks/task_e1.py', '/sanity_check_real.py', '/api/state'])(
  '%s is not served, since it holds right ends',
  async (place) => {
    const { get } = await servedApp();
    expect((await get(place)).status).toBe(404);
    expect((await get('/js/state.js')).status).toBe(200);
  },
);
