import { describe, expect, it, test } from 'vitest';
import type { Row } from '../../../src/bundle/row.ts';
import { reportDocument, reportPage } from '../../../src/report/html/page.ts';
import { markdownReport } from '../../../src/report/markdown.ts';
import type { Report } from '../../../src/report/report.ts';
import { BROKEN, CONTROL, INCONCLUSIVE, ofTask, PASSED, SAMPLE, sampleRows } from '../../bundle/sample-row.ts';
import { changedLines, textsOf } from '../../cli/texts-of.ts';
import { drawnReport } from '../drawn-report.ts';
import { readablePage } from '../readable-page.ts';

function reportOf(...edits: Partial<Row>[]): Report {
  const rows = sampleRows(...edits);
  const agents = [...new Set(rows.map(({ agent }) => agent))].toSorted();
  return drawnReport(
    rows.length,
    rows,
    agents.map((agent) => ({ agent, surface: SAMPLE.surface })),
  );
}

const pageOf = (...edits: Partial<Row>[]): string => reportPage(reportOf(...edits));
const ONE = reportOf({});
/** Fewer rivals have no plots. */
const RIVALS = [{}, { agent: 'other' }, { agent: 'third' }];
const UNPRICED = { cost_usd: null, null_reasons: { cost_usd: 'no model decided' } };
const UNCOUNTED = {
  tokens_in: null,
  tokens_out: null,
  null_reasons: { tokens_in: 'no model', tokens_out: 'no model' },
};

/** The words that a report has otherwise than another, as a page and as Markdown; figures are in the golden reports. */
function changed(report: Report, usual = ONE): string[] {
  const words = (text: string) => text.replaceAll(/^(?:<td class="figure">|<\/?script|\||.*Outcome hash).*$/gm, '');
  const drawn = (of: Report) => words(readablePage(reportPage(of).replaceAll(/<svg[^]*?<\/svg>/g, '')));
  return [
    ...changedLines(drawn(usual), drawn(report)),
    'In Markdown:',
    ...changedLines(words(markdownReport(usual)), words(markdownReport(report))),
  ];
}

test('the effect of a row or a figure on a report', async () => {
  const { stress: _none, ...clean } = ONE;
  const rivals = reportOf(...RIVALS);
  const failed = { path: 'success', kind: 'url', expected: 'https://shop.test', observed: 'about:blank' };
  const stopped = {
    status: 'invalid_task',
    stop: 'invalid_task',
    declared_done: false,
    failure_category: 'infra',
  } as const;
  await expect(
    textsOf({
      'a smallest difference': changed({ ...ONE, claims: { ...ONE.claims, smallest_detectable: 0.4 } }),
      'tokens are not measured': changed(reportOf(UNCOUNTED)),
      'no cost is known': changed(reportOf(UNPRICED)),
      'no phantom': changed(reportOf({ hallucination: 'none' })),
      'faults in some episodes': changed({ ...clean, stress: [] }, clean),
      'two tasks': changed(reportOf(ofTask('buy'), ofTask('sell'))),
      'a task that passes, and one that passes once': changed(
        reportOf({ task: 'a', ...PASSED }, { task: 'b', ...PASSED }, { task: 'b' }),
      ),
      'two iterations': changed(reportOf({ iteration: 0 }, { iteration: 1 })),
      'one of two is inconclusive': changed(reportOf({}, { task: 'b', ...INCONCLUSIVE }), reportOf({}, { task: 'b' })),
      'a control alone': changed(reportOf(CONTROL)),
      'a control that passes one task': changed(reportOf({}, CONTROL, { ...CONTROL, ...PASSED, task: 'b' })),
      'a control among rivals': changed(reportOf(...RIVALS, CONTROL), rivals),
      'rivals without prices': changed(reportOf(...RIVALS.map((rival) => ({ ...rival, ...UNPRICED }))), rivals),
      'one of four rivals without a price': changed(
        reportOf(...RIVALS, { ...UNPRICED, agent: 'fourth' }),
        reportOf(...RIVALS, { agent: 'fourth' }),
      ),
      'replies that name no model': changed(reportOf({ model_id_returned: null })),
      'no model': changed(reportOf({ model_id: null, model_id_returned: null, decider: 'process' })),
      'a facsimile': changed(reportOf({ world_kind: 'facsimile', mode: 'facsimile' })),
      'another clause': changed(reportOf({ failed_contract: failed })),
      'a task at fault': changed(reportOf({ ...stopped, detail: 'success is already true at the start' })),
      'not complete': changed(drawnReport(2, sampleRows({}), [{ agent: SAMPLE.agent, surface: SAMPLE.surface }])),
      'episodes that ran at once': changed(
        reportOf({}, { concurrency: { workers: 4, load_average: 2, cores: 2 } }),
        reportOf({}, {}),
      ),
      'episodes that are not listed': changed({ ...ONE, episodes_not_listed: 7 }),
    }),
  ).toMatchFileSnapshot('../golden/changed-reports.txt');
});

const CLEAN: Partial<Row> = { guard_verdict: 'pass', declared_done: true };

describe('the page of a report', () => {
  it('begins with the result, then states that nothing may be claimed, and each reason with its remedy', () => {
    const page = reportPage(ONE);
    const order = [
      '<h1>',
      '<strong>',
      'id="success"',
      'id="failures"',
      'No claim of who does better',
      '<code>not_verified</code>:',
      'To lift it: verify the bundle',
    ];
    const places = order.map((part) => page.indexOf(part));
    expect(places[0]).toBeGreaterThan(0);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('has commands that request no package from a registry, even those of an episode', () => {
    const page = pageOf({});
    expect(page).toContain('"npx --no-install touchstone show path/to/bundle');
    expect(page).not.toContain('npx touchstone');
  });

  it('requests nothing: its policy allows only its own style and script, and it contains no address', () => {
    const page = pageOf({ final_url: null });
    expect(page).toMatch(
      /content="default-src &#39;none&#39;; style-src &#39;sha256-[\w+/=]+&#39;; script-src &#39;sha256-[\w+/=]+&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"/,
    );
    expect(page).not.toMatch(/\b(?:src|srcset|action|style)="|href="(?!#)|url\(|@import|https?:/);
  });

  it('draws controls in grey in the chart of success against time, and all others in colour', () => {
    const points = [...pageOf(...RIVALS, CONTROL).matchAll(/<circle class="(point(?: control)?)"/g)];
    const firsts = points.slice(0, 4).map(([, name]) => name);
    expect(firsts.filter((name) => name === 'point control')).toHaveLength(1);
    expect(pageOf(...RIVALS)).not.toContain('point control');
  });

  it('lists controls after all others, and so does the Markdown', () => {
    const statuses = (...edits: Partial<Row>[]) => {
      const report = reportOf(...edits);
      const index = [...reportPage(report).matchAll(/"status":"([^"]*)"/g)].map(([, status]) => status);
      const table = markdownReport(report).split('## Episodes')[1] ?? '';
      const listed = [...table.matchAll(/\| (passed|failed|failed, as expected|infra_error) \|/g)].map(
        ([, status]) => status,
      );
      expect(listed).toEqual(index);
      return index;
    };
    expect(statuses(CONTROL, {})).toEqual(['failed', 'failed, as expected']);
    const passed = { ...CONTROL, ...PASSED, task: 'b' };
    expect(statuses({ ...CONTROL, ...BROKEN }, passed, {})).toEqual(['failed', 'infra_error', 'passed']);
  });

  it('counts only the reasons of the bundle, as its file does, and lists separately those of an unverified view', () => {
    const codes = new Set(ONE.claims.entrants.flatMap(({ aggregate }) => aggregate.reasons.map(({ code }) => code)));
    expect(codes).toContain('not_verified');
    const [bundle = '', view = ''] = reportPage(ONE).split('Reasons in this view alone');
    expect(bundle).toContain(`${codes.size - 1} reasons, and what would lift them`);
    expect(bundle).not.toContain('<code>not_verified</code>:');
    expect(view).toContain('<code>not_verified</code>:');
  });

  it('explains colours next to the table that has them, and so folds them with it', () => {
    const sectionOf = (row: Partial<Row>): string =>
      /<h2 id="phantoms">([^]*?)<\/section>/.exec(pageOf({ hallucination: 'none', ...row }))?.[1] ?? '';
    const [clean, harmed] = [sectionOf(CLEAN), sectionOf({ hallucination: 'filtered' })];
    expect(clean).toMatch(/^[^]*<details>[^]*<ul class="keys"[^]*<table>[^]*<\/details>/);
    expect(clean.split('<details>')[0]).not.toContain('class="keys"');
    expect(harmed).toMatch(/<\/p>\s*<ul class="keys"[^]*<table>/);
    expect(harmed).not.toContain('<details>');
  });

  it('uses one name for each part in its navigation and in its heading', () => {
    for (const page of [pageOf({}), pageOf(UNPRICED)]) {
      const [, links = ''] = /<nav aria-label="Parts of this page">(.*?)<\/nav>/s.exec(page) ?? [];
      const named = [...links.matchAll(/<a href="#([\w-]+)">([^<]*)<\/a>/g)].map(([, id, text]) => [id, text]);
      const headings = new Map(
        [...page.matchAll(/<h2 id="([\w-]+)">([^<]*)<\/h2>/g)].map(([, id, text]) => [id, text]),
      );
      expect(named.length).toBeGreaterThan(6);
      expect(named).toEqual(named.map(([id]) => [id, headings.get(id)]));
    }
  });

  it('has the path of the bundle, if known, in its commands, as one escaped word', () => {
    const links = { pageOf: null, pictureOf: () => null, bundle: 'my <bundles>/one' };
    const { html } = reportDocument(ONE, links, { allowed: [] });
    expect(html).toContain('verify &#39;my &lt;bundles&gt;/one&#39;</code>');
    expect(html).toContain(`touchstone show 'my `);
    expect(html).not.toContain('verify path/to/bundle');
    expect(html).not.toContain('<bundles>');
  });

  it('shows two values of a condition that must be one as text, whatever a server or a provider calls itself, and so does the Markdown', () => {
    const hostile = 'x`</code> <img src=x> [a](javascript:b)';
    const report = reportOf({}, { model_id_returned: hostile });
    for (const text of [reportPage(report), markdownReport(report)]) expect(text).toContain('version_changed');
    expect(reportPage(report)).not.toContain('<img');
    const outsideCode = markdownReport(report).replaceAll(/(`+)[^]*?[^`]\1(?!`)/g, '');
    expect(outsideCode).not.toContain('<img');
    expect(outsideCode).not.toContain('](');
  });
});
