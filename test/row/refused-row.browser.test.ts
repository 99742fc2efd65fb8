import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A page that opens these connections when its button is pressed, and shows "Done" once each has failed. */
function page(connections: readonly string[]): string {
  return `<!doctype html><button>Connect</button><p></p><script>
document.querySelector('button').onclick = async () => {
  const failed = (connection) => new Promise((yes) => { connection.onerror = yes; });
  await Promise.allSettled([${connections.join(', ')}]);
  document.querySelector('p').textContent = 'Done';
};
</script>`;
}

async function run(connections: readonly string[]): Promise<{ row: { refused?: unknown }; shown: string }> {
  const folder = await temporaryFolder();
  const bundle = path.join(folder, 'bundle');
  await mkdir(path.join(folder, 'site'));
  await writeFile(path.join(folder, 'site/index.html'), page(connections));
  await writeFile(
    path.join(folder, 'suite.yaml'),
    `id: feeds
title: Feeds
tasks: [connect.yaml]
world: { kind: local, sites: [{ origin: http://feeds.localhost, static: site }] }
`,
  );
  await writeFile(
    path.join(folder, 'connect.yaml'),
    `id: connect
title: Connect
startUrl: http://feeds.localhost/
goal: Connect
success: { kind: dom_text, contains: Done }
solutions: [{ steps: [{ do: click, role: button, name: Connect }, { do: wait_for, text: Done }] }]
`,
  );
  await touchstone('run', folder, '--out', bundle);
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
  const row = JSON.parse(await readFile(path.join(bundle, 'rows.jsonl'), 'utf8'));
  const { out: shown } = await touchstone('show', bundle, 'connect');
  return { row: z.looseObject({ refused: z.unknown().optional() }).parse(row), shown };
}

test('a row names the requests that the world refused, and why', async () => {
  const { row, shown } = await run([
    "failed(new WebSocket('ws://feeds.localhost/live?token=1'))",
    "failed(new WebSocket('ws://feeds.localhost/live?token=2'))",
    "failed(new WebSocket('ws://other.localhost/live'))",
    "failed(new EventSource('http://other.localhost/news'))",
    "fetch('https://other.localhost/')",
  ]);
  expect(row.refused).toEqual(
    expect.arrayContaining([
      { address: 'ws://feeds.localhost/live', as: 'web_socket', why: 'no_web_sockets', times: 2 },
      { address: 'ws://other.localhost', as: 'web_socket', why: 'outside_world', times: 1 },
      { address: 'http://other.localhost/news', as: 'event_stream', why: 'outside_world', times: 1 },
      { address: 'other.localhost', as: 'tunnel', why: 'outside_world', times: 1 },
    ]),
  );
  expect(shown).toContain('the WebSocket ws://feeds.localhost/live, 2 times: its site has no WebSockets');
});

test('a row names none if none was refused', async () => {
  const { row, shown } = await run(["fetch('/missing')"]);
  expect(row).not.toHaveProperty('refused');
  expect(shown).not.toContain('refused');
});
