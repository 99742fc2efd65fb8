import { becomes, browserKind } from '../browser-kind.ts';

export const tabCrash = browserKind(
  'tab_crash',
  'the process of the tab ends; it is for the agent to open another',
  async (browser, tab) => {
    // The target is gone.
    browser.cdp.send('Page.crash', undefined, { sessionId: tab.sessionId }).catch(() => {});
    if (!(await becomes(() => tab.crashed))) return null;
    return { command: 'Inspector.targetCrashed', isFixed: () => browser.tabs().some(({ crashed }) => !crashed) };
  },
);
