import type { CdpCommand } from './command.ts';
import type { ContextLens } from './context-lens.ts';

/** An answer that the browser does not give itself. */
export interface Denial {
  code: number;
  message: string;
}

type Params = NonNullable<CdpCommand['params']>;

/** Commands that mean the default context of the browser where they name none, from a session of a page too. */
export const MEANING_DEFAULT: ReadonlySet<string> = new Set([
  'Browser.cancelDownload',
  'Browser.grantPermissions',
  'Browser.resetPermissions',
  'Browser.setDownloadBehavior',
  'Browser.setPermission',
  'Storage.clearCookies',
  'Storage.getCookies',
  'Storage.setCookies',
  'Target.createTarget',
]);

/** Commands that say what becomes of downloads, for as long as the session lasts that they come from. */
export const SETS_DOWNLOADS: ReadonlySet<string> = new Set(['Browser.setDownloadBehavior', 'Page.setDownloadBehavior']);

/** Commands that read and write cookies of the page's own context, in the place of those that go past it when they come from a page. */
const OF_PAGE: Readonly<Record<string, string>> = {
  'Storage.clearCookies': 'Network.clearBrowserCookies',
  'Storage.getCookies': 'Network.getAllCookies',
  'Storage.setCookies': 'Network.setCookies',
};

/** Whom a command is sent to. */
interface Addressee {
  isToBrowser: boolean;
}

/** The domains of which a client may speak to the browser itself: the others would reach every page of it, or are none of its. */
const OF_BROWSER = new Set(['Browser', 'Storage', 'Target']);

/** Commands that do not end at one context, wherever they are sent to. */
const BEYOND: Readonly<Record<string, string>> = {
  'Tracing.start': 'a trace holds the addresses of all pages of the browser, and it is not only for you',
  'Target.sendMessageToTarget': 'nobody looks into a command in a command here; use sessions that are flat',
};

/** Says how a command is answered that leads out of the context, or null where it does not. */
export function denialOf(
  { method, params = {} }: CdpCommand,
  lens: ContextLens,
  { isToBrowser }: Addressee,
): Denial | null {
  const beyond = Object.hasOwn(BEYOND, method) ? BEYOND[method] : undefined;
  if (beyond !== undefined) return { code: -32_000, message: `refused by Touchstone: ${beyond}` };
  const [domain = ''] = method.split('.');
  if (isToBrowser && !OF_BROWSER.has(domain)) return { code: -32_601, message: `'${method}' wasn't found` };
  return ofNames(method, params, lens);
}

/** Answers what names a context, a target or a window of somebody else as Chromium does where there is none. */
function ofNames(method: string, { browserContextId, targetId, windowId }: Params, lens: ContextLens): Denial | null {
  if (browserContextId !== undefined && !lens.hasContext(browserContextId)) {
    return { code: -32_602, message: 'Failed to find browser context for the given id' };
  }
  if (method === 'Target.disposeBrowserContext' && browserContextId === lens.home) {
    return { code: -32_000, message: 'Cannot dispose default browser context.' };
  }
  const hasTarget = method === 'Browser.getWindowForTarget' ? lens.hasOpenPage(targetId) : lens.hasTarget(targetId);
  if (targetId !== undefined && !hasTarget) return { code: -32_602, message: 'No target with given id found' };
  if (windowId !== undefined && !lens.hasWindow(windowId)) {
    return { code: -32_000, message: 'Browser window not found' };
  }
  return null;
}

/** The command as it is passed on, which names the context that the client means, or leads into the world. */
export function aimed(command: CdpCommand, { home, proxy }: ContextLens, { isToBrowser }: Addressee): CdpCommand {
  const { method, params = {} } = command;
  const ofPage = isToBrowser || !Object.hasOwn(OF_PAGE, method) ? undefined : OF_PAGE[method];
  if (ofPage !== undefined) return { ...command, method: ofPage };
  // The default is a folder of the owner's.
  if (SETS_DOWNLOADS.has(method)) {
    const { browserContextId = home, eventsEnabled } = params;
    return { ...command, params: { behavior: 'deny', browserContextId, eventsEnabled } };
  }
  if (MEANING_DEFAULT.has(method)) {
    return { ...command, params: { ...params, browserContextId: params['browserContextId'] ?? home } };
  }
  if (method !== 'Target.createBrowserContext') return command;
  const world = { proxyServer: proxy.server, proxyBypassList: proxy.bypass };
  // It ends with its maker's connection: nobody else would end it in a browser that goes on.
  return { ...command, params: { ...params, ...world, disposeOnDetach: true } };
}
