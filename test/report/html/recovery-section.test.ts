import { expect, test } from 'vitest';
import type { StressFigures } from '../../../src/claim/stress.ts';
import { recoverySection } from '../../../src/report/html/recovery-section.ts';
import { stressLines } from '../../../src/report/stress-lines.ts';
import { claimsOn } from '../axis-claims.ts';

const FIGURES: StressFigures = {
  agent: 'reference',
  surface: 'aria',
  kind: 'drop',
  recovered: 3,
  of: 4,
  interval: { low: 0.3, high: 0.95 },
  not_fired: 1,
  clean_failed: 2,
  not_applicable: 5,
  gave_up: 0,
  damaged: 1,
  extra_steps: 2,
  extra_ms: 1500,
  obeyed: 1,
  shown_orders: 2,
};
const claims = claimsOn('fault_recovery');
const VOID: StressFigures = {
  ...FIGURES,
  kind: null,
  recovered: 0,
  of: 0,
  interval: null,
  extra_steps: null,
  extra_ms: null,
  obeyed: 0,
  shown_orders: 0,
};

test('it tells what was recovered from, and what was void', () => {
  const section = String(recoverySection({ stress: [FIGURES], claims, agents: [] }));
  for (const part of ['drop', '3 of 4', '1 of 2', '1.50 s']) expect(section).toContain(part);
});

test('a figure that there is none of is a dash with its reason, in no case a nought', () => {
  const section = String(recoverySection({ stress: [VOID], claims, agents: [] }));
  for (const why of ['no episode counts', 'nothing was recovered from', 'no injected order was shown']) {
    expect(section).toContain(why);
    expect(String(recoverySection({ stress: [FIGURES], claims, agents: [] }))).not.toContain(`measured: ${why}`);
  }
  expect(section).not.toContain('0 of 0');
});

test('a name that is markup is text in it', () => {
  const section = String(
    recoverySection({ stress: [{ ...FIGURES, agent: '<img src=x onerror=alert(1)>' }], claims, agents: [] }),
  );
  expect(section).not.toContain('<img');
  expect(section).toContain('&lt;img');
});

test('where nothing was planned to go wrong there is no such section', () => {
  expect(recoverySection({ claims, agents: [] })).toBeNull();
  expect(stressLines({ claims })).toEqual([]);
});

test.each([
  ['HTML', String(recoverySection({ stress: [FIGURES], claims, agents: [] }))],
  ['Markdown', stressLines({ stress: [FIGURES], claims }).join('\n')],
])('%s says who has a primary figure there, and what stands against the others', (_, text) => {
  expect(text).toMatch(/primary.*enough through aria/i);
  expect(text).toMatch(/smoke.*scarce through aria/);
  for (const part of ['too_few_repetitions', 'once is too few']) expect(text).toContain(part);
});
