import type { Protocol } from 'devtools-protocol';
import type { CdpConnection } from '../cdp.ts';
import { isOfWorld } from '../url-policy.ts';

/** Where clients find the gateway. */
interface Here {
  /** Host and port. */
  host: string;
  /** The path at which the browser itself is connected to. Its last part is of no meaning, and as hard to guess as Chromium's own. */
  browserPath: string;
}

/** Answers a path as Chromium's own port would, with addresses of ours. */
export async function describe(path: string, cdp: CdpConnection, here: Here): Promise<unknown> {
  if (path === '/json/version') return await versionOf(cdp, here);
  const { targetInfos } = await cdp.send('Target.getTargets');
  return targetInfos.filter(isOfWorld).map((target) => described(target, here));
}

async function versionOf(cdp: CdpConnection, { host, browserPath }: Here) {
  const version = await cdp.send('Browser.getVersion');
  return {
    Browser: version.product,
    'Protocol-Version': version.protocolVersion,
    'User-Agent': version.userAgent,
    'V8-Version': version.jsVersion,
    'WebKit-Version': `537.36 (${version.revision})`,
    webSocketDebuggerUrl: `ws://${host}${browserPath}`,
  };
}

function described({ targetId, type, title, url, parentId }: Protocol.Target.TargetInfo, { host }: Here) {
  const address = `ws://${host}/devtools/page/${targetId}`;
  return { description: '', id: targetId, parentId, title, type, url, webSocketDebuggerUrl: address };
}
