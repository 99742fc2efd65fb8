import { expect, test } from 'vitest';
import { type Gateway, startGateway } from '../../../src/browser/gateway/gateway.ts';
import { sharedBrowser } from '../../shared-browser.ts';
import { RawClient } from './raw-client.ts';

const METHOD = 'Browser.getVersion';
const HOUR = 3_600_000;

async function withGateway(
  work: (gateway: Gateway, connect: () => Promise<RawClient>) => Promise<void>,
): Promise<void> {
  const gateway = await startGateway(await sharedBrowser());
  try {
    await work(gateway, () => RawClient.connect(`ws://127.0.0.1:${gateway.port}/devtools/browser`));
  } finally {
    await gateway.close();
  }
}

test('a refusal befalls the command that it was armed for, and no other', async () => {
  await withGateway(async ({ faults, log }, connect) => {
    faults.refuse({ method: METHOD, nth: 2, times: 2 }, 'a fault');
    faults.refuse({ method: 'Page.navigate' }, 'a fault that nothing calls for');
    const client = await connect();
    for (const method of [METHOD, 'Target.getTargets', METHOD, METHOD, METHOD]) client.send(method);
    expect((await client.settled(5)).toSorted((a, b) => a - b)).toEqual([-4, -3, 1, 2, 5]);
    expect(faults.report()).toEqual([
      { kind: 'refuse', method: METHOD, armed: 2, fired: 2 },
      { kind: 'refuse', method: 'Page.navigate', armed: 1, fired: 0 },
    ]);
    expect(log).toMatchObject({ commands: 5 });
    expect(log.violations()).toEqual({});
  });
});

test('a command that is held holds up what its client sends after it, and nobody else', async () => {
  await withGateway(async ({ faults }, connect) => {
    const [held, other] = [await connect(), await connect()];
    faults.delay({ method: METHOD }, HOUR);
    held.send('Target.getTargets');
    await held.settled(1);
    held.send(METHOD);
    held.send('Target.getTargets');
    // What is armed for one command is spent when another client is served.
    await expect.poll(() => faults.report()).toMatchObject([{ fired: 1 }]);
    other.send(METHOD);
    await other.settled(1);
    expect(held.replies).toEqual([1]);
  });
});

test('a command that was held goes on when its time is up, before those that came after it', async () => {
  await withGateway(async ({ faults }, connect) => {
    faults.delay({ method: METHOD, nth: 2, times: 2 }, 20);
    const client = await connect();
    for (let sent = 0; sent < 5; sent += 1) client.send(METHOD);
    expect((await client.settled(5)).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
    expect(faults.report()).toMatchObject([{ armed: 2, fired: 2 }]);
  });
});

test('a cut ends all clients and not the browser, and they may come again', async () => {
  await withGateway(async ({ faults }, connect) => {
    faults.cut({ method: METHOD, nth: 2 });
    const [one, other] = [await connect(), await connect()];
    one.send(METHOD);
    await one.settled(1);
    other.send(METHOD);
    await Promise.all([one.closed, other.closed]);
    expect(other.replies).toEqual([]);
    expect(faults.report()).toEqual([{ kind: 'cut', method: METHOD, armed: 1, fired: 1 }]);
    const again = await connect();
    again.send(METHOD);
    expect(await again.settled(1)).toEqual([1]);
  });
  expect((await sharedBrowser()).isFit()).toBe(true);
});
