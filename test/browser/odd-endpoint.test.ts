import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { attachBrowser } from '../../src/browser/attach.ts';

const servers: WebSocketServer[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** An endpoint that answers each command, whatever it asks, with these words. */
async function saying(words: string): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  servers.push(server);
  server.on('connection', (socket) => {
    socket.on('message', () => {
      socket.send(words);
    });
  });
  await once(server, 'listening');
  const at = server.address();
  return `ws://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}/devtools/browser/of-nobody`;
}

test.each([
  '{"id":1,"error":null}',
  '{"method":"Target.attachedToTarget","params":null}',
  '{"method":"Target.attachedToTarget","params":{"sessionId":"1"}}',
  '{"method":"Target.detachedFromTarget","params":no}',
  'no JSON',
  '[',
  'null',
])('who answers %s is no browser, and ends nobody', async (words) => {
  const odd = await saying(words);
  await expect(attachBrowser(odd)).rejects.toMatchObject({ code: 'no_endpoint' });
});
