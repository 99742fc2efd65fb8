import dns from 'node:dns';
import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ask, askHttp2, connect, connectTls } from '../through-proxy.ts';
import { openArchiveWorld } from './sample-archive.ts';
import { refusals } from '../open-world.ts';

const PAGE = { url: 'https://docs.example.com/', body: '<h1>Docs</h1>' };

describe('a recorded exchange', () => {
  test('is answered over HTTP/2 by its real address', async () => {
    await using world = await openArchiveWorld([PAGE]);
    expect(await askHttp2(world, PAGE.url)).toMatchObject({ status: 200, body: '<h1>Docs</h1>' });
  });

  test('is answered in any order of the query', async () => {
    await using world = await openArchiveWorld([{ url: 'http://a.test/?b=2&a=1', body: 'found' }]);
    expect(await ask(world, 'http://a.test/?a=1&b=2')).toMatchObject({ status: 200, body: 'found' });
    expect(await ask(world, 'http://a.test/?a=1&b=3')).toMatchObject({ status: 504 });
  });

  test('is answered with any value of an ignored parameter', async () => {
    const recorded = [{ url: 'http://a.test/?t=1&q=x', body: 'found' }];
    await using world = await openArchiveWorld(recorded, { ignoreQuery: ['t'] });
    expect(await ask(world, 'http://a.test/?q=x&t=2')).toMatchObject({ body: 'found' });
    await using strict = await openArchiveWorld(recorded);
    expect(await ask(strict, 'http://a.test/?q=x&t=2')).toMatchObject({ status: 504 });
  });

  test('is distinguished by its body', async () => {
    const post = { url: 'http://a.test/', method: 'POST' };
    await using world = await openArchiveWorld([
      { ...post, sent: 'q=one', body: '1' },
      { ...post, sent: 'q=two', body: '2' },
    ]);
    expect(await ask(world, post.url, { method: 'POST', body: 'q=two' })).toMatchObject({ body: '2' });
    expect(await ask(world, post.url, { method: 'POST', body: 'q=one' })).toMatchObject({ body: '1' });
    expect(await ask(world, post.url, { method: 'POST', body: 'q=three' })).toMatchObject({ status: 504 });
  });

  test('is answered in recorded order when repeated, and then with the last', async () => {
    const url = 'http://a.test/cart';
    await using world = await openArchiveWorld([
      { url, body: 'empty' },
      { url, body: 'one' },
    ]);
    const bodies = [await ask(world, url), await ask(world, url), await ask(world, url)].map(({ body }) => body);
    expect(bodies).toEqual(['empty', 'one', 'one']);
  });

  test('comes from the task itself before another task', async () => {
    const url = 'http://a.test/';
    const recorded = [
      { url, page: 'first', body: 'of the first' },
      { url, page: 'second', body: 'of the second' },
      { url: 'http://a.test/only', page: 'first', body: 'of the first alone' },
    ];
    await using world = await openArchiveWorld(recorded, { task: 'second' });
    expect(await ask(world, url)).toMatchObject({ body: 'of the second' });
    expect(await ask(world, 'http://a.test/only')).toMatchObject({ body: 'of the first alone' });
  });

  test('on another route of the task is answered only to a client that sent the same', async () => {
    const route = (page: string, sent: string, body: string) => [
      { url: 'http://a.test/search', method: 'POST', sent, page, status: 303 },
      { url: 'http://a.test/found', page, body },
    ];
    const recorded = [...route('a', 'q=right', 'right'), ...route('a (near-miss 1)', 'q=wrong', 'wrong')];
    const found = async (...sent: string[]): Promise<string> => {
      await using world = await openArchiveWorld(recorded);
      for (const body of sent) await ask(world, 'http://a.test/search', { method: 'POST', body });
      return (await ask(world, 'http://a.test/found')).body;
    };
    expect(await found()).toBe('right');
    expect(await found('q=right')).toBe('right');
    expect(await found('q=wrong')).toBe('wrong');
    expect(await found('q=wrong', 'q=right')).toBe('right');
  });

  test('comes from one instance of a task before another', async () => {
    const url = 'http://a.test/';
    const recorded = [
      { url, page: 'a@one', body: 'of one' },
      { url, page: 'a@two', body: 'of two' },
      { url: 'http://a.test/both', page: 'a', body: 'of both' },
    ];
    await using world = await openArchiveWorld(recorded, { task: 'a@two' });
    expect(await ask(world, url)).toMatchObject({ body: 'of two' });
    expect(await ask(world, 'http://a.test/both')).toMatchObject({ body: 'of both' });
  });

  test('answers HEAD too, without the body', async () => {
    await using world = await openArchiveWorld([{ url: 'http://a.test/', body: 'four' }]);
    const reply = await ask(world, 'http://a.test/', { method: 'HEAD' });
    expect(reply).toMatchObject({ status: 200, body: '', headers: { 'content-length': '4' } });
  });

  test('may redirect, and sets its cookies', async () => {
    const headers = [
      { name: 'Location', value: '/next' },
      { name: 'Set-Cookie', value: 'a=1; Path=/' },
      { name: 'Set-Cookie', value: 'b=2' },
    ];
    await using world = await openArchiveWorld([{ url: 'http://a.test/', status: 302, headers }]);
    expect(await ask(world, 'http://a.test/')).toMatchObject({
      status: 302,
      headers: { location: '/next', 'set-cookie': ['a=1; Path=/', 'b=2'] },
    });
  });

  test('is sent decoded, with the length of the decoded body', async () => {
    const headers = [
      { name: 'content-encoding', value: 'gzip' },
      { name: 'content-length', value: '3' },
    ];
    await using world = await openArchiveWorld([{ url: 'http://a.test/', headers, body: 'longer than three' }]);
    const reply = await ask(world, 'http://a.test/');
    expect(reply).toMatchObject({ body: 'longer than three', headers: { 'content-length': '17' } });
    expect(reply.headers).not.toHaveProperty('content-encoding');
  });
});

describe('a range of an exchange recorded whole', () => {
  const recorded = [{ url: 'http://a.test/', body: '0123456789', headers: [{ name: 'ETag', value: '"v1"' }] }];
  const part = async (headers: Record<string, string>) => {
    await using world = await openArchiveWorld(recorded);
    const { status, body, headers: sent } = await ask(world, 'http://a.test/', { headers });
    return { status, body, range: sent['content-range'] };
  };

  test.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
  ])('%s is sent as 206', async (range, body, said) => {
    expect(await part({ range })).toEqual({ status: 206, body, range: said });
  });

  test.each(['bytes=10-', 'bytes=-0'])('%s is refused with 416', async (range) => {
    expect(await part({ range })).toEqual({ status: 416, body: '', range: 'bytes */10' });
  });

  test.each(['bytes=4-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-'])('%s is answered with the whole', async (range) => {
    expect(await part({ range })).toMatchObject({ status: 200, body: '0123456789' });
  });

  test('is answered whole for another version', async () => {
    expect(await part({ range: 'bytes=2-4', 'if-range': '"v2"' })).toMatchObject({ status: 200 });
    expect(await part({ range: 'bytes=2-4', 'if-range': '"v1"' })).toMatchObject({ status: 206 });
  });
});

describe('an unrecorded request', () => {
  test('is answered with a 504 that names it, and counted', async () => {
    await using world = await openArchiveWorld([PAGE]);
    const reply = await ask(world, 'http://elsewhere.test/x?y=1', { method: 'POST', body: 'z' });
    expect(reply).toMatchObject({ status: 504, body: 'not in the archive: POST http://elsewhere.test/x?y=1' });
    await askHttp2(world, PAGE.url);
    expect(world.offArchive()).toBe(1);
  });

  test('is in the log, like a recorded one', async () => {
    await using world = await openArchiveWorld([{ url: 'http://a.test/' }]);
    await ask(world, 'http://a.test/');
    await ask(world, 'http://a.test/missing');
    expect(world.network()).toMatchObject({ value: { entries: [{ status: 200 }, { status: 504 }] } });
  });

  test('is any WebSocket', async () => {
    await using world = await openArchiveWorld([PAGE]);
    const secure = await connectTls(world, 'docs.example.com', 'http/1.1');
    secure.write('GET / HTTP/1.1\r\nHost: docs.example.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    expect(await text(secure)).toMatch(/^HTTP\/1\.1 501 /);
    expect(refusals(world)).toEqual({ 'wss://docs.example.com/': 1 });
  });

  test('is not looked up outside: no name is resolved, and no connection is made', async () => {
    const heard: string[] = [];
    const canary = net.createServer(() => heard.push('a connection')).listen(0, '127.0.0.1');
    await once(canary, 'listening');
    const address = canary.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await using world = await openArchiveWorld([PAGE]);
    const lookup = vi.spyOn(dns, 'lookup');
    onTestFinished(() => lookup.mockRestore());
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'www.example.com']) {
      expect(await ask(world, `http://${host}/`)).toMatchObject({ status: 504 });
    }
    const { status, socket } = await connect(world, `127.0.0.1:${port}`);
    expect(status).toBe(200);
    socket.destroy();
    expect(heard).toEqual([]);
    expect(lookup).not.toHaveBeenCalled();
    // And the canary would have noticed any request.
    await once(net.connect(port, '127.0.0.1'), 'connect');
    await expect.poll(() => heard).toEqual(['a connection']);
    canary.close();
  });
});
