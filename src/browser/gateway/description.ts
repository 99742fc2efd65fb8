import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Protocol } from 'devtools-protocol';
import { z } from 'zod';
import type { CdpConnection } from '../cdp.ts';

/** Where the browser itself is connected to. The last part is of no meaning, and as hard to guess as Chromium's own. */
const BROWSER_PATH = `/devtools/browser/${randomUUID()}`;

const Described = z.object({ version: z.json(), domains: z.array(z.json()) });
const { resolve } = createRequire(import.meta.url);

/** Finds where a path leads: to the browser itself (null), or to one target of it. Null where it leads nowhere. */
export function targetOf(path: string): { targetId: string | null } | null {
  if (path === BROWSER_PATH || path === '/devtools/browser') return { targetId: null };
  const targetId = /^\/devtools\/page\/([\w-]+)$/.exec(path)?.[1];
  return targetId === undefined ? null : { targetId };
}

/**
 * Answers a path as Chromium's own port would, with addresses of ours; null where it would not, or is not to.
 * @param here host and port of the gateway
 */
export async function describe(path: string, cdp: CdpConnection, here: string): Promise<unknown> {
  switch (path.replace(/\/$/, '')) {
    case '/json/version':
      return await versionOf(cdp, here);
    case '/json':
    case '/json/list':
      return (await cdp.send('Target.getTargets')).targetInfos.map((target) => described(target, here));
    case '/json/protocol':
      return await protocol();
    default:
      return null;
  }
}

async function versionOf(cdp: CdpConnection, here: string) {
  const version = await cdp.send('Browser.getVersion');
  return {
    Browser: version.product,
    'Protocol-Version': version.protocolVersion,
    'User-Agent': version.userAgent,
    'V8-Version': version.jsVersion,
    'WebKit-Version': `537.36 (${version.revision})`,
    webSocketDebuggerUrl: `ws://${here}${BROWSER_PATH}`,
  };
}

function described({ targetId, type, title, url, parentId }: Protocol.Target.TargetInfo, here: string) {
  const address = `ws://${here}/devtools/page/${targetId}`;
  return { description: '', id: targetId, parentId, title, type, url, webSocketDebuggerUrl: address };
}

/** The protocol as it was described last, for clients that make their methods from it: Chromium's own may be a little older or newer. */
async function protocol() {
  const [browser, js] = await Promise.all(
    ['browser', 'js'].map(async (part) => {
      const file = resolve(`devtools-protocol/json/${part}_protocol.json`);
      return Described.parse(JSON.parse(await readFile(file, 'utf8')));
    }),
  );
  return { version: browser?.version, domains: [...(browser?.domains ?? []), ...(js?.domains ?? [])] };
}
