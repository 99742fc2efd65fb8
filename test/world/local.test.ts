import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type App, defineApp } from '../../src/world/app.ts';
import { type LocalWorldOptions, startLocalWorld } from '../../src/world/local.ts';
import { createTlsIdentity, tlsIdentityOfProcess } from '../../src/world/tls-identity.ts';
import { openWorld } from './open-world.ts';
import { ask } from './through-proxy.ts';
import { loadApp } from '../../src/world/load-app.ts';
import { tempFiles } from '../task/temp-files.ts';

const counter = defineApp(({ from = 0 }) => {
  let count = Number(from);
  return {
    state: () => ({ count }),
    fetch: () => {
      count += 1;
      return new Response(String(count));
    },
  };
});

async function options(sites: LocalWorldOptions['sites'], live = false): Promise<LocalWorldOptions> {
  return { sites, parameters: { from: 5 }, identity: await createTlsIdentity(), live };
}

describe('the state of a world', () => {
  test('is that of its one app', async () => {
    await using world = await openWorld({ 'http://a.test': { state: () => ({ x: 1 }) }, 'http://files.test': {} });
    expect(await world.state()).toEqual({ captured: true, value: { x: 1 } });
  });

  test('is an object by origin when there are several apps', async () => {
    await using world = await openWorld({ 'http://a.test': { state: () => 1 }, 'http://b.test': { state: () => [2] } });
    expect(await world.state()).toEqual({ captured: true, value: { 'http://a.test': 1, 'http://b.test': [2] } });
  });

  test('is missing, with the reason, when there is no app', async () => {
    await using world = await openWorld({ 'http://files.test': {} });
    expect(await world.state()).toEqual({ captured: false, why: 'this world has no app that keeps a state' });
  });

  test('does not change after it was captured, even if the app hands out its own object', async () => {
    const state = { items: ['one'] };
    await using world = await openWorld({ 'http://a.test': { state: () => state } });
    const before = await world.state();
    state.items.push('two');
    expect(before).toEqual({ captured: true, value: { items: ['one'] } });
    expect(await world.state()).toEqual({ captured: true, value: { items: ['one', 'two'] } });
  });

  test('keeps every key, even one that languages treat as special', async () => {
    const state = JSON.parse('{"users":{"__proto__":{"role":"admin"}}}');
    await using world = await openWorld({ 'http://a.test': { state: () => state } });
    expect(JSON.stringify(await world.state())).toContain('"__proto__":{"role":"admin"}');
  });

  test('is an error, not evidence, with more values than the judge can compare in time', async () => {
    await using world = await openWorld({ 'http://a.test': { state: () => Array.from({ length: 100_001 }, () => 0) } });
    await expect(world.state()).rejects.toThrow('it has too many values');
    await using smaller = await openWorld({
      'http://a.test': { state: () => Array.from({ length: 99_999 }, () => 0) },
    });
    expect(await smaller.state()).toMatchObject({ captured: true });
  });

  test('is an error, not evidence, if it is not JSON', async () => {
    const app = defineApp(() => ({ fetch: () => new Response(), state: () => JSON.parse('{"a":1}', () => undefined) }));
    const world = await startLocalWorld(
      await options([{ origin: 'http://a.test', create: app, hasState: true, standIn: false }]),
    );
    await expect(world.state()).rejects.toThrow('it is not JSON');
    await world.close();
  });
});

test('every world has fresh apps, seeded with its parameters', async () => {
  const site = { origin: 'http://a.test', create: counter, hasState: true, standIn: false };
  const [one, other] = await Promise.all([
    startLocalWorld(await options([site])),
    startLocalWorld(await options([site])),
  ]);
  expect((await ask(one, 'http://a.test/')).body).toBe('6');
  expect((await ask(one, 'http://a.test/')).body).toBe('7');
  expect(await one.state()).toMatchObject({ value: { count: 7 } });
  expect(await other.state()).toMatchObject({ value: { count: 5 } });
  await Promise.all([one.close(), other.close()]);
});

test('a stand-in answers for a real site, and not when the world is live', async () => {
  const site = { origin: 'http://127.0.0.1', create: counter, hasState: true, standIn: true };
  const local = await startLocalWorld(await options([site]));
  expect(await ask(local, 'http://127.0.0.1/')).toMatchObject({ status: 200, body: '6' });
  await local.close();
  const live = await startLocalWorld(await options([site], true));
  expect(await ask(live, 'http://127.0.0.1/')).toMatchObject({ status: 502 });
  await live.close();
});

describe('closing a world', () => {
  function closing(closed: string[], name: string, fail = false): LocalWorldOptions['sites'][number] {
    const app: App = {
      fetch: () => new Response(),
      state: () => null,
      close: () => {
        closed.push(name);
        if (fail) throw new Error(`${name} cannot close`);
      },
    };
    return { origin: `http://${name}.test`, create: () => app, hasState: true, standIn: false };
  }

  test('closes all its apps', async () => {
    const closed: string[] = [];
    const world = await startLocalWorld(await options([closing(closed, 'a'), closing(closed, 'b')]));
    await world.close();
    expect(closed).toEqual(['a', 'b']);
  });

  test('closes the others if one cannot be closed, which is an error', async () => {
    const closed: string[] = [];
    const world = await startLocalWorld(await options([closing(closed, 'a', true), closing(closed, 'b')]));
    await expect(world.close()).rejects.toThrow('a cannot close');
    expect(closed).toEqual(['a', 'b']);
  });

  test('does not wait for an app that never finishes closing', async () => {
    const closed: string[] = [];
    const app: App = { fetch: () => new Response(), state: () => null, close: () => new Promise<void>(() => {}) };
    const endless = { ...closing(closed, 'a'), create: () => app };
    const world = await startLocalWorld({ ...(await options([endless, closing(closed, 'b')])), closeTimeoutMs: 1 });
    await world.close();
    expect(closed).toEqual(['b']);
  });

  test('an app that cannot be made is an error that names its origin, and the others are closed', async () => {
    const closed: string[] = [];
    const create = () => {
      throw new Error('no seed');
    };
    const broken = { origin: 'http://b.test', create, hasState: true, standIn: false };
    await expect(startLocalWorld(await options([closing(closed, 'a'), broken]))).rejects.toMatchObject({
      code: 'app_cannot_be_made',
      params: { origin: 'http://b.test', why: 'no seed' },
    });
    expect(closed).toEqual(['a']);
  });
});

test('the pin is the SHA-256 of the public key for the private one', async () => {
  const { key, cert, spki } = await createTlsIdentity();
  const der = createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'der' });
  expect(createHash('sha256').update(der).digest('base64')).toBe(spki);
  expect(createPublicKey(cert).export({ type: 'spki', format: 'der' }).equals(der)).toBe(true);
});

test('a key is made each time', async () => {
  const [one, other] = await Promise.all([createTlsIdentity(), createTlsIdentity()]);
  expect(one.spki).not.toBe(other.spki);
});

test('all campaigns of a process share one key', async () => {
  expect(await tlsIdentityOfProcess()).toBe(await tlsIdentityOfProcess());
});

test('an app file is TypeScript that imports defineApp from touchstone, in any folder', async () => {
  await using files = await tempFiles({
    'app.ts': `
      import { defineApp } from 'touchstone';
      type Greeting = { text: string };
      export default defineApp(({ name }) => {
        const greeting: Greeting = { text: \`hello \${name}\` };
        return { fetch: () => new Response(greeting.text), state: () => greeting };
      });`,
  });
  const create = await loadApp(files.path('app.ts'));
  const app = await create({ name: 'Ada' });
  expect(await app.state()).toEqual({ text: 'hello Ada' });
});

describe('an app file that cannot be used gives an error that names the file and the remedy', () => {
  test.each([
    ['that is missing', {}, /app\.ts/],
    ['with a syntax error', { 'app.ts': 'export default (' }, /./],
    ['that throws', { 'app.ts': 'throw new Error("out of tea")' }, /^out of tea/],
    ['that imports what is missing', { 'app.ts': 'import "./gone.ts"' }, /gone\.ts/],
  ])('%s', async (_, content, why) => {
    await using files = await tempFiles({ 'other.txt': '', ...content });
    const file = files.path('app.ts');
    await expect(loadApp(file)).rejects.toMatchObject({
      code: 'app_cannot_be_run',
      params: { file, why: expect.stringMatching(why), remedy: expect.stringMatching(/\w/) },
    });
  });

  test.each([
    ['without a default export', 'export const app = 1'],
    ['with something else', 'export default { fetch() {} }'],
  ])('%s', async (_, content) => {
    await using files = await tempFiles({ 'app.ts': content });
    const file = files.path('app.ts');
    await expect(loadApp(file)).rejects.toMatchObject({ code: 'app_has_no_default', params: { file } });
  });
});
