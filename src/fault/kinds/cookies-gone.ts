import { browserKind } from '../browser-kind.ts';

export const cookiesGone = browserKind(
  'cookies_gone',
  'the browser loses its cookies; it has fired when there were any',
  async ({ cdp, contextId: browserContextId }) => {
    const hasCookies = async (): Promise<boolean> =>
      (await cdp.send('Storage.getCookies', { browserContextId })).cookies.length > 0;
    if (!(await hasCookies())) return null;
    await cdp.send('Storage.clearCookies', { browserContextId });
    return { command: 'Storage.clearCookies', isFixed: hasCookies };
  },
);
