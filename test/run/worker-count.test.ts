import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { type Machine, type Needs, whyThatMany, workerCount, needsOf } from '../../src/run/worker-count.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { Entrants } from '../../src/plan/entrants.ts';
import { canBubblewrap } from '../../src/process/sandbox/bubblewrap.ts';

const NEEDS: Needs = { episodes: 100, hasProcesses: false, areOfModels: false, together: 'fine', browsers: null };
const MACHINE: Machine = { cores: 4, freeBytes: 64e9 };

test.each<[string, Partial<Needs>, Partial<Machine>, number]>([
  ['cores', {}, {}, 8],
  ['cores, more of them where a model is waited for', { areOfModels: true }, {}, 32],
  ['memory', {}, { freeBytes: 1.6e9 }, 3],
  ['memory, fewer of them where worlds have processes', { hasProcesses: true }, { freeBytes: 3.7e9 }, 3],
  ['episodes, four for each to do', { episodes: 15 }, {}, 3],
  ['few episodes, one', { episodes: 3 }, {}, 1],
  ['episodes, one for each where a model is waited for', { episodes: 5, areOfModels: true }, {}, 5],
  ['the live web and rivals in reach, one', { together: 'if_asked' }, {}, 1],
  ['a server that all share, one', { together: 'never' }, {}, 1],
  ['browsers that run already, whatever the machine carries', { browsers: 3 }, { cores: 1, freeBytes: 1 }, 3],
  ['browsers that run already, where they are more than the episodes', { browsers: 300 }, {}, 100],
  ['the live web, one, whichever browsers run already', { browsers: 3, together: 'if_asked' }, {}, 1],
  ['next to no memory, one', {}, { freeBytes: 1 }, 1],
])('auto goes by %s', (_, needs, machine, count) => {
  expect(workerCount('auto', { ...NEEDS, ...needs }, { ...MACHINE, ...machine })).toBe(count);
});

test('a number is as requested, but limited to the episodes and browsers that exist', () => {
  expect(workerCount(50, NEEDS, { cores: 1, freeBytes: 1 })).toBe(50);
  expect(workerCount(50, { ...NEEDS, episodes: 3 }, MACHINE)).toBe(3);
  expect(workerCount(50, { ...NEEDS, episodes: 0 }, MACHINE)).toBe(1);
  expect(workerCount(50, { ...NEEDS, browsers: 2 }, MACHINE)).toBe(2);
  expect(workerCount(1, { ...NEEDS, browsers: 2 }, MACHINE)).toBe(1);
  expect(workerCount(4, { ...NEEDS, together: 'if_asked' }, MACHINE)).toBe(4);
  expect(workerCount(4, { ...NEEDS, together: 'never' }, MACHINE)).toBe(1);
});

test('this machine carries at least one', () => {
  expect(workerCount('auto', NEEDS)).toBeGreaterThanOrEqual(1);
});

test.each<[Partial<Needs>, Partial<Machine>, RegExp]>([
  [{}, {}, /^this machine has 4 cores$/],
  [{}, { freeBytes: 1.6e9 }, /too little free memory/],
  [{ episodes: 15 }, {}, /too few episodes/],
  [{ together: 'if_asked' }, {}, /--workers/],
  [{ together: 'never' }, {}, /^an app cannot run twice/],
  [{ browsers: 3 }, {}, /^there are 3 browsers$/],
])('the reason for the number is given for %j on %j', (needs, machine, why) => {
  expect(whyThatMany('auto', { ...NEEDS, ...needs }, { ...MACHINE, ...machine })).toMatch(why);
});

test('a requested number, and a single episode, get no reason', () => {
  expect(whyThatMany(3, NEEDS, MACHINE)).toBeNull();
  expect(whyThatMany('auto', { ...NEEDS, episodes: 1 }, MACHINE)).toBeNull();
});

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

test('nothing runs at once if one server answers all, and on the live web only on request', () => {
  const suites = [{ world: { kind: 'local' as const, sites: [{ ...SITE, files: [], shared: true as const }] } }];
  const plan = { entrants: [OURS], live: false };
  expect(needsOf({ plan, entrants, suites }, 10).together).toBe('never');
  expect(needsOf({ plan: { ...plan, live: true }, entrants, suites: [] }, 10).together).toBe('if_asked');
});

test.runIf(canBubblewrap())('an isolated tool server runs next to others', () => {
  expect(together(OURS, OTHERS)).toBe('fine');
});

test.runIf(canBubblewrap())('a tool server that asks for the network of this machine does not by default', () => {
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

test('without Bubblewrap a tool server runs only next to its own episodes', () => {
  vi.stubEnv('PATH', '/nowhere');
  try {
    expect(together(OURS, OTHERS)).toBe('if_asked');
    expect(together(OTHERS)).toBe('fine');
  } finally {
    vi.unstubAllEnvs();
  }
});
