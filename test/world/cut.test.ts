import { once } from 'node:events';
import { expect, test } from 'vitest';
import { deferred } from './deferred.ts';
import { answering, openWorld } from './open-world.ts';
import { ask, connect } from './through-proxy.ts';

function pathsIn(world: Awaited<ReturnType<typeof openWorld>>): string[] {
  const network = world.network();
  return network.captured ? network.value.entries.map(({ url }) => new URL(url).pathname) : [];
}

test('a cut proxy lets no request through, and another stays open', async () => {
  await using world = await openWorld({ 'http://a.test': answering(() => new Response('hello')) });
  expect(await ask(world, 'http://a.test/before')).toMatchObject({ status: 200 });
  await world.cut();
  await expect(ask(world, 'http://a.test/after')).rejects.toThrow(/hang up|ECONNRESET/);
  const other = await world.anotherProxy();
  expect(await ask({ ...world, ...other }, 'http://a.test/judge')).toMatchObject({ status: 200 });
  await other.close();
  expect(pathsIn(world)).toEqual(['/before']);
});

test('an app answers earlier changes before the cut', async () => {
  const asked = deferred<void>();
  const answer = deferred<Response>();
  const app = answering(() => {
    asked.resolve();
    return answer.promise;
  });
  await using world = await openWorld({ 'http://a.test': app });
  const saving = ask(world, 'http://a.test/save', { method: 'POST' }).catch(() => null);
  await asked.promise;
  expect(world.traffic.unanswered).toBe(1);
  const cutting = world.cut();
  answer.resolve(new Response('saved'));
  await cutting;
  expect(world.traffic.unanswered).toBe(0);
  expect(world.network()).toMatchObject({ value: { entries: [{ status: 200 }] } });
  await saving;
});

test('requests that an app has yet to answer after the cut are counted, whichever proxy they came through', async () => {
  const asked = deferred<void>();
  const answer = deferred<Response>();
  const app = answering(() => {
    asked.resolve();
    return answer.promise;
  });
  await using world = await openWorld({ 'http://a.test': app });
  const other = await world.anotherProxy();
  const saving = ask({ ...world, ...other }, 'http://a.test/save', { method: 'POST' }).catch(() => null);
  await asked.promise;
  await other.cut();
  await other.close();
  expect(world.traffic.unanswered).toBe(1);
  answer.resolve(new Response('saved'));
  await expect.poll(() => world.traffic.unanswered).toBe(0);
  await saving;
});

test('the cut does not wait for a page that waits for a message', async () => {
  const asked = deferred<void>();
  const app = answering(() => {
    asked.resolve();
    return new Promise<Response>(() => {});
  });
  await using world = await openWorld({ 'http://a.test': app });
  const polling = ask(world, 'http://a.test/news');
  polling.catch(() => {});
  await asked.promise;
  expect(world.traffic.unanswered).toBe(0);
  await world.cut();
  await expect(polling).rejects.toThrow(/hang up|ECONNRESET/);
});

test('a connection that was open before carries no request after', async () => {
  await using world = await openWorld({ 'http://a.test': answering(() => new Response('hello')) });
  const { socket } = await connect(world, 'a.test:80');
  const ended = once(socket, 'close');
  await world.cut();
  socket.on('error', () => {});
  socket.write('GET /after HTTP/1.1\r\nHost: a.test\r\n\r\n');
  await ended;
  expect(pathsIn(world)).toEqual([]);
});

test('a request whose body ends after the cut never reaches the app', async () => {
  const heard: string[] = [];
  const app = answering((request) => {
    heard.push(new URL(request.url).pathname);
    return new Response('done');
  });
  await using world = await openWorld({ 'http://a.test': app });
  const { socket } = await connect(world, 'a.test:80');
  socket.on('error', () => {});
  socket.write('POST /late HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\n\r\nha');
  await expect.poll(() => world.traffic.unanswered).toBe(1);
  const cutting = world.cut();
  socket.write('lf');
  await cutting;
  expect(heard).toEqual([]);
});
