import { expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { Entrants } from '../../src/plan/entrants.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import { dom } from '../../src/surface/dom/dom.ts';
import type { Intent } from '../../src/task/intent.ts';
import { stage } from '../episode/staged-episode.ts';
import { stageThrough } from '../episode/stage-in-own-browser.ts';

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

const following = (steps: Intent[]) => ({ task: {}, pages: TWICE, agent: referenceAgent('reference', steps) });
const SETTLED = following([OPENED, { do: 'settle' }, SENT]);

test.each([aria, dom])('the agent waits for an app that draws twice through $id', async (surface) => {
  expect((await stage({ ...SETTLED, setup: { surface } })).result.status).toBe('passed');
});

test('the agent waits for an app that draws twice through a tool server', async () => {
  const surface = (await Entrants.load()).surface('playwright-mcp');
  if (surface.needs !== 'endpoint') throw new Error('it is not a tool server');
  expect((await stageThrough(surface, SETTLED)).result.status).toBe('passed');
});

test('an agent that does not wait clicks a button that is about to be drawn again', async () => {
  expect((await stage({ ...following([OPENED, SENT]), setup: { surface: aria } })).result.status).toBe('failed');
});
