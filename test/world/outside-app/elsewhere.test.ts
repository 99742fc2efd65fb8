import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { unreached } from '../../../src/world/outside-app/elsewhere.ts';

/** Listens, says where, and never takes a connection: its one thread waits for ever. */
const ACCEPTS_NOTHING = `
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

test('a program that listens and accepts nothing is soon told from one that does not listen', async () => {
  const child = spawn(process.execPath, ['-e', ACCEPTS_NOTHING], { stdio: ['ignore', 'pipe', 'inherit'] });
  const queued: net.Socket[] = [];
  try {
    const [said] = await once(child.stdout, 'data');
    const port = Number(said);
    for (let count = 0; count < 8; count += 1) {
      queued.push(net.connect({ port, host: '127.0.0.1' }).on('error', () => {}));
    }
    expect(await unreached({ listening: () => [port] }, port)).toBeNull();
  } finally {
    for (const socket of queued) socket.destroy();
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
