import { describe, expect, it } from 'vitest';
import { plannedTasks } from '../../src/plan/plan-campaign.ts';
import { loadSuiteWorlds } from '../../src/run/suite-world.ts';
import { tryWorlds } from '../../src/run/stage.ts';
import { WorldThread } from '../../src/world/thread/world-thread.ts';
import { createTlsIdentity } from '../../src/world/tls-identity.ts';
import { folderOf, suiteIn } from '../suite-files.ts';

/** It gives its state at `/__state`, and answers nowhere else but on its page. */
const SERVER = `require('node:http').createServer((request, response) => {
  response.writeHead(['/', '/__state'].includes(request.url) ? 200 : 404);
  response.end('{"due":0}');
}).listen(Number(process.argv[2]), '127.0.0.1');
`;

async function tried(state: string, script = 'server.cjs'): Promise<void> {
  const program = `{ folder: app, command: [node, ${script}, '{{port}}'], state: ${state} }`;
  const world = `world: { kind: local, sites: [{ origin: http://loans.localhost, program: ${program} }] }`;
  const task = `id: renew
title: Renew
startUrl: http://loans.localhost/
goal: Renew the loan.
success: { kind: app_state, pointer: /due, equals: 30 }
`;
  const folder = await folderOf({
    'app/server.cjs': SERVER,
    'suite.yaml': `id: loans\ntitle: Loans\ntasks: [tasks/*]\n${world}\n`,
    'tasks/renew.yaml': task,
  });
  const suite = await suiteIn(folder);
  const planned = await plannedTasks([suite], null);
  const worlds = await loadSuiteWorlds([suite]);
  await using thread = new WorldThread();
  await tryWorlds(planned, worlds, { identity: await createTlsIdentity(), live: false, thread });
}

describe('before a run begins, each program must give its state', () => {
  it('and one that does not give it at the path of its suite is refused, with answer and remedy', async () => {
    await expect(tried('/__stat')).rejects.toMatchObject({
      code: 'app_state_not_returned',
      params: {
        suite: 'loans',
        why: 'its state, GET /__stat, was answered with 404',
        places: expect.stringMatching(/^\/__stat, .*suite\.yaml:4 world\.sites\[0\]\.program\.state$/),
      },
    });
  });

  it('and one that ends at once is refused with the place of its command, and the command as written', async () => {
    await expect(tried('/__state', 'servr.cjs')).rejects.toMatchObject({
      message: expect.stringMatching(
        /^\S*suite\.yaml:4 world\.sites\[0\]\.program\.command:\nthe app of http:\/\/loans\.localhost \("node servr\.cjs \{\{port\}\}" in a copy of \S*app\) cannot be started: it exited before it was ready/,
      ),
    });
  });

  it('and one that gives it is not refused', async () => {
    await expect(tried('/__state')).resolves.toBeUndefined();
  });
});
