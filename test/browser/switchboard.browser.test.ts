import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Gateway, startGateway } from '../../src/browser/gateway/gateway.ts';
import { sharedBrowser } from '../shared-browser.ts';

interface Message {
  id?: number;
  method?: string;
  sessionId?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** A client that speaks the protocol by hand, and keeps all that it hears. */
class Client {
  readonly heard: Message[] = [];
  readonly closed: Promise<unknown>;
  readonly #socket: WebSocket;
  #id = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.closed = once(socket, 'close');
    socket.on('message', (data: Buffer) => this.heard.push(JSON.parse(data.toString('utf8'))));
  }

  static async to(gateway: Gateway, path = '/devtools/browser'): Promise<Client> {
    const client = new Client(new WebSocket(`ws://127.0.0.1:${gateway.port}${path}`));
    await once(client.#socket, 'open');
    return client;
  }

  push(method: string, params = {}, sessionId?: string): number {
    this.#id += 1;
    this.#socket.send(JSON.stringify({ id: this.#id, method, params, sessionId }));
    return this.#id;
  }

  async send(method: string, params = {}, sessionId?: string): Promise<Message> {
    const asked = this.push(method, params, sessionId);
    for (;;) {
      const reply = this.heard.find(({ id }) => id === asked);
      if (reply !== undefined) return reply;
      await once(this.#socket, 'message');
    }
  }

  events(name: string): Message[] {
    return this.heard.filter(({ method }) => method === name);
  }

  end(): void {
    this.#socket.terminate();
  }
}

const gateways: Gateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
});

async function open() {
  const browser = await sharedBrowser();
  const gateway = await startGateway(browser);
  gateways.push(gateway);
  const connect = (path?: string): Promise<Client> => Client.to(gateway, path);
  return { browser, gateway, connect };
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error('it is no text');
  return value;
}

async function newTab(client: Client, params = {}) {
  const { result } = await client.send('Target.createTarget', { url: 'about:blank', ...params });
  const targetId = text(result?.['targetId']);
  const attached = await client.send('Target.attachToTarget', { targetId, flatten: true });
  return { targetId, sessionId: text(attached.result?.['sessionId']) };
}

test('a client speaks in no session that is another’s or the judge’s, and is notified of none', async () => {
  const { browser, connect } = await open();
  const [one, other] = [await connect(), await connect()];
  const tab = await newTab(one);
  const { sessionId: judges } = await browser.observer.seen(tab.targetId);
  const evaluate = { expression: '6 * 7' };
  expect((await one.send('Runtime.evaluate', evaluate, tab.sessionId)).result).toMatchObject({ result: { value: 42 } });
  for (const [client, session] of [
    [other, tab.sessionId],
    [one, judges],
  ] as const) {
    expect((await client.send('Runtime.evaluate', evaluate, session)).error?.message).toContain(
      'Session with given id',
    );
  }
  await one.send('Runtime.enable', {}, tab.sessionId);
  await other.send('Browser.getVersion');
  expect(one.events('Runtime.executionContextCreated')).not.toEqual([]);
  expect(other.heard.every(({ sessionId }) => sessionId === undefined)).toBe(true);
  expect(one.heard.every(({ sessionId }) => sessionId === undefined || sessionId === tab.sessionId)).toBe(true);
  // Neither may it end one that it has no part in.
  expect((await other.send('Target.detachFromTarget', { sessionId: judges })).error).toBeDefined();
  await one.send('Target.closeTarget', { targetId: tab.targetId });
});

test('the interceptions and contexts of a client end with it', async () => {
  const { browser, connect } = await open();
  const [one, other] = [await connect(), await connect()];
  const made = await one.send('Target.createBrowserContext', { disposeOnDetach: true });
  const browserContextId = text(made.result?.['browserContextId']);
  await one.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
  const { result } = await one.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const held = one.events('Target.attachedToTarget').find(({ params }) => params?.['waitingForDebugger'] === true);
  expect(held).toBeDefined();
  expect(other.events('Target.attachedToTarget')).toEqual([]);
  one.end();
  await expect
    .poll(async () => JSON.stringify((await other.send('Target.getTargets')).result))
    .not.toContain(text(result?.['targetId']));
  expect(browser.isFit()).toBe(true);
});

test('a client of one page is connected to that page, whose end ends the connection', async () => {
  const { gateway, connect } = await open();
  const whole = await connect();
  const { targetId } = await newTab(whole);
  const listed = await (await fetch(`${gateway.url}/json/list`)).text();
  expect(listed).toContain(`ws://127.0.0.1:${gateway.port}/devtools/page/${targetId}`);
  const page = await connect(`/devtools/page/${targetId}`);
  const { result } = await page.send('Runtime.evaluate', { expression: 'location.href' });
  expect(result).toMatchObject({ result: { value: 'about:blank' } });
  await page.send('Page.enable');
  await page.send('Page.navigate', { url: 'about:blank' });
  await expect.poll(() => page.events('Page.frameNavigated')).toMatchObject([{ params: { frame: { id: targetId } } }]);
  expect(page.heard.every(({ sessionId }) => sessionId === undefined)).toBe(true);
  await whole.send('Target.closeTarget', { targetId });
  await page.closed;
});

test('a missing page accepts no client', async () => {
  const { connect } = await open();
  const client = await connect('/devtools/page/NOWHERE').catch(() => null);
  await client?.closed;
  expect(client?.heard ?? []).toEqual([]);
});

test('a command whose page goes meanwhile is answered once', async () => {
  const { connect } = await open();
  const client = await connect();
  const tab = await newTab(client);
  const pending = client.send(
    'Runtime.evaluate',
    { expression: 'new Promise(() => {})', awaitPromise: true },
    tab.sessionId,
  );
  await client.send('Target.closeTarget', { targetId: tab.targetId });
  expect((await pending).error).toBeDefined();
});

test('a client that floods the browser does not delay the judge', async () => {
  const { browser, connect } = await open();
  const client = await connect();
  const flood = 60_000;
  for (let sent = 0; sent < flood; sent += 1) client.push('Browser.getVersion');
  while (client.heard.length === 0) await turn();
  await browser.observer.cdp.send('Browser.getVersion');
  expect(client.heard.length).toBeLessThan(flood / 2);
  client.end();
});

test('a client that asks for the window of a target other than a page gets an error, and breaks nothing', async () => {
  const { browser, gateway, connect } = await open();
  const client = await connect();
  const { targetId } = await newTab(client);
  await browser.observer.seen(targetId);
  expect((await client.send('Browser.getWindowForTarget', { targetId })).result).toHaveProperty('windowId');
  for (const none of ['ABCDEF0123456789ABCDEF0123456789', '']) {
    const { error } = await client.send('Browser.getWindowForTarget', { targetId: none });
    expect(error?.message).toBe('No target with given id');
  }
  expect(gateway.log.violations()).toEqual({});
  await client.send('Target.closeTarget', { targetId });
  expect(browser.isFit()).toBe(true);
});
