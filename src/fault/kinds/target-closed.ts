import { becomes, browserKind } from '../browser-kind.ts';

export const targetClosed = browserKind(
  'target_closed',
  'the tab is closed; it is for the agent to open another',
  async (browser, tab) => {
    await browser.cdp.send('Target.closeTarget', { targetId: tab.targetId });
    if (!(await becomes(() => !browser.tabs().includes(tab)))) return null;
    return { command: 'Target.closeTarget', isFixed: () => browser.tabs().length > 0 };
  },
);
