import { fileURLToPath } from 'node:url';
import type { OwnedBrowser } from '../../../src/browser/launch.ts';
import type { Json } from '../../../src/contract/json.ts';
import { processOf } from '../../browser/traces.ts';
import { readServerFile, type ServerFile } from '../../../src/surface/mcp/server-file.ts';

/** The file of a small foreign server. */
export const SMALL_FILE = fileURLToPath(new URL('fixtures/small.yaml', import.meta.url));

/** A mark in the command lines of the processes that it starts; other test files run at the same time. */
export const STARTED_BY_IT = `touchstone-left-behind-${process.pid}`;

/** That server, perhaps with something wrong with it. */
export async function smallServer(fault = 'none', changes: Partial<ServerFile['server']> = {}): Promise<ServerFile> {
  const read = await readServerFile(SMALL_FILE);
  if (!read.ok) throw new Error(`${SMALL_FILE} is not sound`);
  const { file, server } = read.value;
  return { file, server: { ...server, args: ['{{cdpUrl}}', fault, STARTED_BY_IT], ...changes } };
}

/** A server that kills the browser that it is given. */
export async function endsTheBrowser(browser: OwnedBrowser): Promise<ServerFile> {
  const pid = String(await processOf(browser));
  return await smallServer('ends the browser', { ready: [], args: ['{{cdpUrl}}', 'ends the browser', pid] });
}

/** A call that has it send a command to the browser. */
export function send(method: string, params: Json) {
  return { kind: 'call', call: { tool: 'send', args: { method, params } } } as const;
}
