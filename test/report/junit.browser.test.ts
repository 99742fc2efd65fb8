import { describe, expect, test } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import { junitReport } from '../../src/report/junit.ts';
import { BROKEN, CONTROL, PASSED, sampleRows, UNAVAILABLE } from '../bundle/sample-row.ts';
import { sharedBrowser } from '../shared-browser.ts';

const BASELINE = { agent: 'keyword', decider: 'baseline', mode: 'control' } as const;

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Element[];
}

const READ = `((text) => {
  const read = (element) => ({
    name: element.localName,
    attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
    text: element.children.length === 0 ? element.textContent : '',
    children: [...element.children].map(read),
  });
  return read(new DOMParser().parseFromString(text, 'application/xml').documentElement);
})`;

/** What a parser that forgives nothing reads. */
async function parsed(text: string): Promise<Element> {
  const playwright = await (await sharedBrowser()).playwright();
  const context = await playwright.newContext();
  try {
    return await (await context.newPage()).evaluate<Element>(`${READ}(${JSON.stringify(text)})`);
  } finally {
    await context.close();
  }
}

async function casesOf(...rows: Partial<Row>[]): Promise<{ suites: Element[]; cases: Element[] }> {
  const {
    name,
    attributes,
    children: suites,
  } = await parsed(junitReport('campaign', sampleRows(...rows.map((row) => ({ iteration: 0, ...row })))));
  expect(name).toBe('testsuites');
  expect(attributes['tests']).toBe(String(rows.length));
  return { suites, cases: suites.flatMap(({ children }) => children) };
}

const found = ({ children }: Element) => children.map(({ name, attributes }) => [name, attributes['message']]);

describe('the episodes as JUnit', () => {
  test('are failures with the deciding assertion, if they did not pass', async () => {
    const { cases } = await casesOf(PASSED, {});
    expect(cases.map(found)).toEqual([
      [],
      [['failure', 'failed: The page should show Thanks, but shows “Your cart”.']],
    ]);
    expect(cases[1]?.attributes).toEqual({ classname: 'basics.model.aria', name: 'checkout', time: '9.000' });
    expect(cases[1]?.children[0]?.text).toContain(
      'success: fail; guards: pass\nsuccess.children[0] (dom_text): expected: Thanks; found: Your cart',
    );
  });

  test('are errors if they could not be judged, and skipped if they could not run', async () => {
    const { cases, suites } = await casesOf({ ...BROKEN, detail: 'the browser ended' }, UNAVAILABLE);
    expect(cases.map(found)).toEqual([
      [['error', 'infra_error: The infrastructure failed, not the entrant: the browser ended.']],
      [['skipped', 'unavailable: It was not available: it is not installed.']],
    ]);
    expect(suites[0]?.attributes).toMatchObject({ tests: '2', failures: '0', errors: '1', skipped: '1' });
  });

  test('expect a control to fail, and nothing of a baseline', async () => {
    const { cases } = await casesOf({ ...CONTROL, ...PASSED }, CONTROL, BASELINE, { ...BASELINE, ...PASSED });
    expect(cases.map(found)).toEqual([
      [['failure', 'a control passed, and must pass nothing']],
      [],
      [['skipped', 'a baseline may fail: failed: The page should show Thanks, but shows “Your cart”.']],
      [],
    ]);
  });

  test('have their iteration in their names if there are several', async () => {
    const { cases } = await casesOf(PASSED, { ...PASSED, iteration: 1 });
    expect(cases.map(({ attributes }) => attributes['name'])).toEqual(['checkout #1', 'checkout #2']);
  });

  test('stay XML whatever text pages and agents supply', async () => {
    const hostile = ']]><failure>"\'&amp;\u0000\u001b[31m\u0085\ufffe</testcase>\n';
    const { cases } = await casesOf({ status: 'timeout', stop: 'timeout', declared_done: false, detail: hostile });
    expect(found(cases[0] ?? { name: '', attributes: {}, text: '', children: [] })).toEqual([
      ['failure', 'timeout: It was stopped: ]]><failure>"\'&amp;␀␛[31m\\u0085\ufffd</testcase>␊.'],
    ]);
  });

  test('can be read by a parser that refuses invalid XML', async () => {
    expect(JSON.stringify(await parsed('<testsuites><a></testsuites>'))).toContain('parsererror');
  });
});
