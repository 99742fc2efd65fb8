import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type BrowserKind, requireBrowser } from '../../src/browser/find.ts';
import { CdpConnection } from '../../src/browser/cdp.ts';
import { socketWire } from '../../src/browser/wire.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const Targets = z.array(z.looseObject({ type: z.string(), title: z.string() }));

export interface TheirBrowser {
  /** `http://127.0.0.1:<port>` */
  address: string;
  /** The WebSocket of the browser itself. */
  socket: string;
  titles: () => Promise<string[]>;
  /** Collects from now on the contexts in which pages are opened in it. */
  contexts: () => Promise<ReadonlySet<string>>;
  end: () => Promise<void>;
}

/** A browser as another user would start it, with a page of theirs, titled `Mine`. It ends with the test. */
export async function theirBrowser(kind: BrowserKind = 'full'): Promise<TheirBrowser> {
  const profile = await temporaryFolder();
  const mine = 'data:text/html,<title>Mine</title>';
  const flags = ['--headless=new', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${profile}`, mine];
  const owner = spawn(requireBrowser(kind).path, flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(owner, 'exit');
  const end = async (): Promise<void> => {
    owner.kill();
    await ended;
  };
  onTestFinished(end);
  let said = '';
  for await (const chunk of owner.stderr) {
    said += String(chunk);
    if (said.includes('DevTools listening on')) break;
  }
  const socket = /ws:\/\/\S+/.exec(said)?.[0] ?? '';
  const address = `http://${new URL(socket).host}`;
  const titles = async (): Promise<string[]> => {
    const targets = Targets.parse(await (await fetch(`${address}/json/list`)).json());
    return targets.filter(({ type }) => type === 'page').map(({ title }) => title);
  };
  await expect.poll(titles).toEqual(['Mine']);
  const contexts = () => contextsIn(socket);
  return { address, socket, titles, contexts, end };
}

async function contextsIn(socket: string): Promise<ReadonlySet<string>> {
  const contexts = new Set<string>();
  const cdp = new CdpConnection(await socketWire(socket, 10_000, socket));
  cdp.on('Target.targetCreated', ({ targetInfo: { type, title, browserContextId } }) => {
    if (type === 'page' && title !== 'Mine' && browserContextId !== undefined) contexts.add(browserContextId);
  });
  await cdp.send('Target.setDiscoverTargets', { discover: true });
  return contexts;
}
