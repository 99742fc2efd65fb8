import { expect, test } from 'vitest';
import { requireBrowser } from '../../../src/browser/find.ts';
import { launchBrowser } from '../../../src/browser/launch.ts';
import { ArmedFault } from '../../../src/fault/schema.ts';
import { sharedIdentity } from '../../shared-browser.ts';
import { call, deciding, moves, ORIGIN, refOf } from '../staged-episode.ts';
import { faultEvents, PAGES, replies, faulty } from './faulty-episode.ts';

function browserFault(kind: string, at = 2, ms = 300): ArmedFault {
  return ArmedFault.parse({ id: 'f', kind, call: at, ms });
}

const looks = moves(call('snapshot'), call('snapshot'));

test('tab_crash: the agent loses the tab, and the judge reports that it could not look', async () => {
  const performance = await faulty(browserFault('tab_crash'), { agent: looks });
  expect(faultEvents(performance)[1]).toMatchObject({ proof: { call: 2, command: 'Inspector.targetCrashed' } });
  expect(replies(performance)[1]).toMatch(/^error/);
  expect(performance.result).toMatchObject({ status: 'inconclusive', faults: [{ fired: true, cleared: false }] });
});

test('target_closed: no tab is open any more', async () => {
  const performance = await faulty(browserFault('target_closed'), { agent: looks });
  expect(replies(performance)[1]).toMatch(/^error/);
  expect(performance.result.faults).toMatchObject([{ fired: true, cleared: false }]);
});

test.each(['tab_crash', 'target_closed'])('%s: an agent that opens another tab may still do the work', async (kind) => {
  const agent = deciding((last, turn) => {
    if (turn < 2) return call('snapshot');
    if (turn === 2) return call('navigate', { url: ORIGIN });
    return turn === 3 ? call('click', { ref: refOf(last, '"Send"') }) : { kind: 'done', answer: null };
  });
  const { result, events } = await faulty(browserFault(kind), { agent });
  expect(result).toMatchObject({ status: 'passed', faults: [{ fired: true, cleared: true }] });
  expect(events).toContainEqual({ type: 'fault.cleared', id: 'f', by: 'agent' });
});

test('offline: nothing arrives until it is over', async () => {
  const url = `${ORIGIN}/next`;
  const agent = deciding((_last, turn) => (turn < 5 ? call('navigate', { url }) : { kind: 'done', answer: null }));
  const performance = await faulty(browserFault('offline', 1), { agent });
  expect(replies(performance)[0]).toContain('ERR_INTERNET_DISCONNECTED');
  expect(performance.result.faults).toMatchObject([{ fired: true, cleared: true }]);
  const stuck = await faulty(browserFault('offline', 1, 60_000), { agent });
  expect(stuck.result.status).not.toBe('passed');
  expect(stuck.events).toContainEqual({ type: 'fault.cleared', id: 'f', by: 'harness' });
});

test('cpu_throttle: slower for a time, and no more', async () => {
  const agent = deciding((last, turn) => {
    if (turn === 0) return call('snapshot');
    return turn === 1 ? call('click', { ref: refOf(last, '"Send"') }) : { kind: 'done', answer: null };
  });
  const performance = await faulty(browserFault('cpu_throttle', 1), { agent });
  expect(performance.result).toMatchObject({ status: 'passed', faults: [{ fired: true, cleared: true }] });
});

test('cookies_gone: a session known by a cookie is lost', async () => {
  const pages = {
    ...PAGES,
    '/': `<h1>Open</h1><script>document.cookie = 'who=ada'</script>`,
    '/me': `<p id="p"></p><script>p.textContent = 'cookie: ' + document.cookie</script>`,
  };
  const visit = call('navigate', { url: `${ORIGIN}/me` });
  const performance = await faulty(browserFault('cookies_gone'), { pages, agent: moves(visit, visit) });
  expect(replies(performance)[0]).toContain('cookie: who=ada');
  expect(replies(performance)[1]).not.toContain('who=ada');
  expect(performance.result.faults).toMatchObject([{ fired: true, cleared: false }]);
  const knownAgain = moves(visit, visit, call('navigate', { url: ORIGIN }));
  const recovered = await faulty(browserFault('cookies_gone'), { pages, agent: knownAgain });
  expect(recovered.result.faults).toMatchObject([{ fired: true, cleared: true }]);
});

test('cookies_gone: without cookies, nothing has gone', async () => {
  const { result } = await faulty(browserFault('cookies_gone'), { agent: looks });
  expect(result.faults).toMatchObject([{ armed: true, fired: false }]);
});

test('offline: it does not fire without a request while it lasts', async () => {
  const { result } = await faulty(browserFault('offline', 1), { agent: looks });
  expect(result.faults).toMatchObject([{ armed: true, fired: false }]);
});

test('a browser that ends after a fault has fired ends the episode, and the fault is recorded as fired', async () => {
  const pages = { '/': `<h1>Open</h1><script>document.cookie = 'who=ada'</script>` };
  const { spki } = await sharedIdentity();
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: spki });
  const performance = await faulty(browserFault('cookies_gone', 1), {
    pages,
    setup: { browser },
    agent: deciding(async (_last, turn) => {
      if (turn === 0) return call('snapshot');
      await browser.close();
      return { kind: 'done', answer: null };
    }),
  });
  expect(performance.result).toMatchObject({ stop: 'agent_error', faults: [{ fired: true, cleared: false }] });
});

test('a fault in a call that is never made does not fire', async () => {
  const { result } = await faulty(browserFault('tab_crash', 9), { agent: looks });
  expect(result.faults).toMatchObject([{ armed: true, fired: false, cleared: false }]);
});
