import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { FaultProof } from '../../src/fault/fault-kind.ts';
import type { NamedExchange } from '../../src/fault/ports.ts';
import { ArmedFault, faultKindOf } from '../../src/fault/schema.ts';
import { startLocalWorld } from '../../src/world/local.ts';
import { loadApp } from '../../src/world/load-app.ts';
import { WorldThread } from '../../src/world/thread/world-thread.ts';
import type { World } from '../../src/world/world-proxy.ts';
import { sharedIdentity } from '../shared-browser.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ask, askHttp2 } from '../world/through-proxy.ts';
import { NO_PORTS } from './no-ports.ts';

const BODY = 'the whole of the answer';
const SHOP = 'http://shop.test/';

interface Armed {
  fired: (NamedExchange | undefined)[];
  over: number;
  /** Take it away; what waits comes at once. */
  end: () => Promise<void>;
}

function arm(world: World, fields: Record<string, unknown>): Armed {
  const fault = ArmedFault.parse({ id: 'f', nth: 1, ...fields });
  const armed: Armed = { fired: [], over: 0, end: () => injection.end(null) };
  const outcome = {
    hasFired: false,
    fire: ({ exchange }: FaultProof) => void armed.fired.push(exchange),
    clear: (by: string) => {
      if (by === 'time') armed.over += 1;
    },
    obeyed: () => {},
  };
  const injection = faultKindOf(fault).inject(fault, outcome, { ...NO_PORTS, network: world });
  return armed;
}

const APP = `export default () => {
  const asked = [];
  const fetch = (request) => {
    const { pathname } = new URL(request.url);
    asked.push(request.method + ' ' + pathname);
    if (pathname === '/old') return new Response(null, { status: 303, headers: { location: '/next' } });
    return new Response('${BODY}', { headers: { 'content-type': 'text/plain' } });
  };
  return { fetch, state: () => asked };
};`;

const thread = new WorldThread();
afterAll(() => thread.close());

describe.each([['this thread'], ['a thread of its own']])('in a world in %s', (where) => {
  async function shop() {
    const app = path.join(await temporaryFolder(), 'app.ts');
    await writeFile(app, APP);
    const create = await loadApp(app);
    const site = { create, madeOf: { app }, standIn: false };
    const options = {
      sites: [
        { ...site, origin: 'http://shop.test', hasState: true },
        { ...site, origin: 'https://shop.test', hasState: false },
      ],
      parameters: {},
      identity: await sharedIdentity(),
      live: false,
    };
    const world = await (where === 'this thread' ? startLocalWorld(options) : thread.raise(options));
    const asked = async (): Promise<unknown> => {
      const state = await world.state();
      return state.captured ? state.value : state.why;
    };
    return { opened: { ...world, [Symbol.asyncDispose]: () => world.close() }, asked };
  }

  test('drop: the request is lost before the app has seen it, and the next one is not', async () => {
    const { opened, asked } = await shop();
    await using world = opened;
    const armed = arm(world, { kind: 'drop' });
    await expect(ask(world, SHOP)).rejects.toThrow('hang up');
    expect(await asked()).toEqual([]);
    expect(armed).toMatchObject({ fired: [{ seq: 0, method: 'GET', url: SHOP }], over: 1 });
    expect((await ask(world, SHOP)).body).toBe(BODY);
  });

  test('reset: the app has done it, and the answer is lost', async () => {
    const { opened, asked } = await shop();
    await using world = opened;
    const armed = arm(world, { kind: 'reset' });
    await expect(ask(world, SHOP, { method: 'POST' })).rejects.toThrow('ECONNRESET');
    expect(await asked()).toEqual(['POST /']);
    expect(armed.over).toBe(1);
  });

  test('too_many_requests: the request does not reach the app, and the reply states when to retry', async () => {
    const { opened, asked } = await shop();
    await using world = opened;
    arm(world, { kind: 'too_many_requests', retry_after_s: 7 });
    expect(await ask(world, SHOP)).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
    expect(await asked()).toEqual([]);
    expect(await world.network()).toMatchObject({ value: { entries: [{ status: 429 }] } });
  });

  test('server_error: with the requested status', async () => {
    await using world = (await shop()).opened;
    arm(world, { kind: 'server_error', status: 502 });
    expect((await ask(world, SHOP)).status).toBe(502);
    expect((await ask(world, SHOP)).status).toBe(200);
  });

  test.each([['http'], ['https']])('truncated_body: half of it, over %s', async (scheme) => {
    await using world = (await shop()).opened;
    const armed = arm(world, { kind: 'truncated_body' });
    const asking = scheme === 'http' ? ask(world, SHOP) : askHttp2(world, 'https://shop.test/');
    const body = await asking.then(
      (reply) => reply.body,
      () => 'broke off',
    );
    expect(body).not.toBe(BODY);
    expect(armed.over).toBe(1);
  });

  test.each([['stall'], ['slow_first_byte']])(
    '%s: nothing arrives until the fault ends, and then all of it',
    async (kind) => {
      await using world = (await shop()).opened;
      const armed = arm(world, { kind, ms: 60_000 });
      const asking = ask(world, SHOP);
      let isThere = false;
      void asking.then(() => (isThere = true));
      await expect.poll(() => armed.fired.length).toBe(1);
      await ask(world, SHOP);
      expect(isThere).toBe(false);
      await armed.end();
      expect((await asking).body).toBe(BODY);
    },
  );

  test('it affects the nth request for its address and method, and only so many', async () => {
    await using world = (await shop()).opened;
    const armed = arm(world, { kind: 'server_error', url: '/cart$', method: 'POST', nth: 2, times: 2 });
    const status = async (at: string, method: string) => (await ask(world, `http://shop.test${at}`, { method })).status;
    expect(await status('/cart', 'GET')).toBe(200);
    expect(await status('/', 'POST')).toBe(200);
    const statuses = [];
    for (let nth = 1; nth <= 4; nth += 1) statuses.push(await status('/cart', 'POST'));
    expect(statuses).toEqual([200, 503, 503, 200]);
    expect(armed.fired.map((exchange) => exchange?.seq)).toEqual([3, 4]);
    expect(armed.over).toBe(1);
  });

  test('a lasting one affects every request meanwhile, and ends by itself', async () => {
    await using world = (await shop()).opened;
    const armed = arm(world, { kind: 'server_error', lasts_ms: 400 });
    expect((await ask(world, SHOP)).status).toBe(503);
    expect((await ask(world, SHOP)).status).toBe(503);
    await expect.poll(() => armed.over).toBe(1);
    expect((await ask(world, SHOP)).status).toBe(200);
  });

  test('a fault that no request reaches does not fire, and one that has ended affects no request', async () => {
    await using world = (await shop()).opened;
    const armed = arm(world, { kind: 'drop', url: '/nowhere' });
    expect((await ask(world, SHOP)).status).toBe(200);
    await armed.end();
    expect((await ask(world, 'http://shop.test/nowhere')).status).toBe(200);
    expect(armed).toMatchObject({ fired: [], over: 0 });
  });

  test.each(['http://shop.test/old', 'https://shop.test/old'])(
    'an answer without a body, such as a redirect, comes late or not at all, and blocks nothing for good: %s',
    async (address) => {
      await using world = (await shop()).opened;
      const lost = arm(world, { kind: 'truncated_body' });
      await expect(ask(world, address)).rejects.toThrow('hang up');
      expect(lost.over).toBe(1);
      const late = arm(world, { kind: 'stall', ms: 50 });
      expect((await ask(world, address)).status).toBe(303);
      expect(late.over).toBe(1);
    },
  );
});
