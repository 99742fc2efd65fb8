import { expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { requireBrowser } from '../../src/browser/find.ts';
import { launchBrowser } from '../../src/browser/launch.ts';
import type { EpisodeSetup } from '../../src/episode/episode-setup.ts';
import { Entrants } from '../../src/plan/entrants.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import { dom } from '../../src/surface/dom/dom.ts';
import type { Intent } from '../../src/task/intent.ts';
import { stage } from '../episode/staged-episode.ts';
import { sharedIdentity } from '../shared-browser.ts';

/** Once it is opened, the list is drawn, counts for two seconds, and is drawn again: only then does its button do anything. */
const TWICE = {
  '/': `<h1>Open</h1><button id="open">Open the list</button><p id="list"></p><script>
    const list = document.getElementById('list');
    document.getElementById('open').onclick = () => {
      list.innerHTML = '<button>Send</button> <span></span>';
      let ticks = 0;
      const timer = setInterval(() => {
        list.querySelector('span').textContent = 'Loading ' + (ticks += 1);
        if (ticks < 20) return;
        clearInterval(timer);
        list.innerHTML = '<button>Send</button>';
        list.querySelector('button').onclick = () => { document.querySelector('h1').textContent = 'Done'; };
      }, 100);
    };
  </script>`,
};
const click = (name: string): Intent => ({ do: 'click', role: 'button', name });
const OPENED = click('Open the list');
const SENT = click('Send');

/** How an episode ends in which these steps are followed through a surface. */
async function statusOf(steps: Intent[], setup: Partial<EpisodeSetup>): Promise<string> {
  return (await stage({ task: {}, pages: TWICE, agent: referenceAgent('reference', steps), setup })).result.status;
}

test.each([['aria', aria] as const, ['dom', dom] as const])(
  'an app that draws twice is waited for through %s',
  async (_, surface) => {
    expect(await statusOf([OPENED, { do: 'settle' }, SENT], { surface })).toBe('passed');
  },
);

test('an app that draws twice is waited for through a tool server', async () => {
  const surface = (await Entrants.load()).surface('playwright-mcp');
  const { spki } = await sharedIdentity();
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: spki });
  try {
    expect(await statusOf([OPENED, { do: 'settle' }, SENT], { surface, browser })).toBe('passed');
  } finally {
    await browser.close();
  }
});

test('who does not wait for it clicks what is about to be drawn again', async () => {
  expect(await statusOf([OPENED, SENT], { surface: aria })).toBe('failed');
});
