import { browserKind } from '../browser-kind.ts';

const ONLINE = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

/** Who asks for nothing while it lasts has not run into it. */
export const offline = browserKind(
  'offline',
  'no request gets out for a time; it has fired when one failed for that',
  async ({ cdp }, { sessionId }, fire) => {
    const ignore = cdp.on('Network.loadingFailed', ({ errorText }, of) => {
      if (of === sessionId && errorText.includes('INTERNET_DISCONNECTED')) fire('Network.loadingFailed');
    });
    const undo = async (): Promise<void> => {
      ignore();
      await cdp.send('Network.emulateNetworkConditions', ONLINE, { sessionId });
      await cdp.send('Network.disable', undefined, { sessionId });
    };
    try {
      await cdp.send('Network.enable', undefined, { sessionId });
      await cdp.send('Network.emulateNetworkConditions', { ...ONLINE, offline: true }, { sessionId });
      return { undo };
    } catch {
      await undo().catch(() => {});
      return null;
    }
  },
);
