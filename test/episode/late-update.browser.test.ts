import { expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { SETTLE_MS } from '../../src/episode/settle.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import { dom } from '../../src/surface/dom/dom.ts';
import { nac3 } from '../../src/surface/nac3/nac3.ts';
import { stage } from './staged-episode.ts';

/** Its effect is visible 250 ms after the click, unannounced. */
const LATE = `<!doctype html><h1>Wrong</h1><main data-nac-plugin="page"><button>Correct</button></main><script>
  const button = document.querySelector('button');
  button.addEventListener('click', () => setTimeout(() => { document.querySelector('h1').textContent = 'Done'; }, 250));
  window.NAC = {
    version: '1',
    describe: () => ({ active: 'page', plugins: [{ plugin: 'page', elements: [
      { nac_id: 'page.correct', plugin: 'page', role: 'action', label: 'Correct', visible: true, disabled: false }] }] }),
    click: async () => { button.click(); return { ok: true }; },
  };
</script>`;
const STEPS = [{ do: 'click', role: 'button', name: 'Correct' }] as const;

test.each([nac3, dom, aria])('an update 250 ms after the last action is awaited through $id', async (surface) => {
  const { result } = await stage({
    task: {},
    pages: { '/': LATE },
    agent: referenceAgent('reference', STEPS),
    setup: { surface, settleMs: SETTLE_MS },
  });
  expect(result).toMatchObject({ status: 'passed', unsettled: false });
});
