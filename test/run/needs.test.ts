import { expect, test, vi } from 'vitest';
import path from 'node:path';
import { packageRoot } from '../../src/plan/package-root.ts';
import { Entrants } from '../../src/plan/entrants.ts';
import { canBubblewrap } from '../../src/process/sandbox/bubblewrap.ts';
import { needsOf } from '../../src/run/worker-count.ts';

const AGENT = path.join(packageRoot(), 'examples/exec/agent.mjs');
const entrants = await Entrants.load({ agents: [AGENT] });
const OURS = { agent: 'reference', surface: 'aria' };
const OTHERS = { agent: 'reference', surface: 'playwright-mcp' };
const SITE = { origin: 'http://a.localhost', serves: 'app', path: '/a.ts', standIn: false } as const;

function together(...planned: { agent: string; surface: string }[]) {
  return needsOf({ plan: { entrants: planned, live: false }, entrants, suites: [] }, 10).together;
}

test('episodes of our own surfaces run at once', () => {
  expect(together(OURS, { ...OURS, surface: 'dom' })).toBe('fine');
});

test('nothing runs at once where one server answers all, and on the live web only what is asked for', () => {
  const suites = [{ world: { kind: 'local' as const, sites: [{ ...SITE, files: [], shared: true as const }] } }];
  const plan = { entrants: [OURS], live: false };
  expect(needsOf({ plan, entrants, suites }, 10).together).toBe('never');
  expect(needsOf({ plan: { ...plan, live: true }, entrants, suites: [] }, 10).together).toBe('if_asked');
});

test.runIf(canBubblewrap())('a tool server that is kept apart runs beside others', () => {
  expect(together(OURS, OTHERS)).toBe('fine');
});

test.runIf(canBubblewrap())('one that asks for the network of this machine does not unasked', () => {
  const shared: Pick<Entrants, 'agent' | 'surface'> = {
    agent: (id) => entrants.agent(id),
    surface: (id) => {
      const surface = entrants.surface(id);
      return surface.needs === 'endpoint' ? { ...surface, network: 'shared' } : surface;
    },
  };
  const plan = { entrants: [OURS, OTHERS], live: false };
  expect(needsOf({ plan, entrants: shared, suites: [] }, 10).together).toBe('if_asked');
});

test('without Bubblewrap a tool server runs beside its own episodes alone', () => {
  vi.stubEnv('PATH', '/nowhere');
  try {
    expect(together(OURS, OTHERS)).toBe('if_asked');
    expect(together(OTHERS)).toBe('fine');
  } finally {
    vi.unstubAllEnvs();
  }
});
