import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { z } from 'zod';
import { requireBrowser } from '../../src/browser/find.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const Targets = z.array(z.looseObject({ type: z.string(), title: z.string() }));

/** A browser that is not ours. */
export interface TheirBrowser {
  /** `http://127.0.0.1:<port>` */
  address: string;
  /** The WebSocket of the browser itself. */
  socket: string;
  /** Titles of the pages that are open in it. */
  titles: () => Promise<string[]>;
  end: () => Promise<void>;
}

/** A browser as somebody else would start one, with a page of theirs open in it, whose title is `Mine`. */
export async function theirBrowser(): Promise<TheirBrowser> {
  const profile = await temporaryFolder();
  const mine = 'data:text/html,<title>Mine</title>';
  const flags = ['--headless=new', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${profile}`, mine];
  const owner = spawn(requireBrowser('full').path, flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(owner, 'exit');
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
  const end = async (): Promise<void> => {
    owner.kill();
    await ended;
  };
  return { address, socket, titles, end };
}
