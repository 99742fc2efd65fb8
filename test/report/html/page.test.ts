import { describe, expect, it } from 'vitest';
import type { Row } from '../../../src/bundle/row.ts';
import { reportDocument, reportPage } from '../../../src/report/html/page.ts';
import { markdownReport } from '../../../src/report/markdown.ts';
import type { Report } from '../../../src/report/report.ts';
import { BROKEN, CONTROL, INCONCLUSIVE, ofTask, PASSED, SAMPLE, sampleRows } from '../../bundle/sample-row.ts';
import { drawnReport } from '../drawn-report.ts';
import { wideReport } from './wide-report.ts';

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
/** Fewer rivals have no plots. */
const RIVALS = [{}, { agent: 'other' }, { agent: 'third' }];
const UNPRICED = { cost_usd: null, null_reasons: { cost_usd: 'no model decided' } };

describe('the page of a report', () => {
  it('begins with the result, then states that nothing may be claimed, what the campaign can show, and each reason with its remedy', () => {
    const one = reportOf({});
    const showing = { ...one, claims: { ...one.claims, smallest_detectable: 0.4 } };
    for (const [report, said] of [
      [one, 'This campaign can show no difference of success rates'],
      [showing, '40.0 points is the smallest difference'],
    ] as const) {
      const page = reportPage(report);
      const order = [
        '<h1>basics: model through aria</h1>',
        '<strong>0 of 1 passed.</strong>',
        'id="success"',
        'id="failures"',
        'No claim of who does better',
        said,
        '<code>not_verified</code>:',
        'To lift it: verify the bundle with touchstone verify',
      ];
      const places = order.map((part) => page.indexOf(part));
      expect(places.every((place) => place > 0)).toBe(true);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
  });

  it('says what it takes to check it, and has commands that ask no registry for a package, also those of an episode', () => {
    const page = pageOf({});
    const installed = 'npx <span class="whole">--no-install</span> touchstone';
    expect(page).toContain('the whole bundle: its folder or its zip. If you have only this page, ask its sender');
    expect(page).toContain(`<code class="command">${installed} verify path/to/bundle</code>`);
    expect(page).toContain(`begin with <code>npm run touchstone --</code> instead of <code>${installed}</code>`);
    expect(page).toContain(
      `["look at it","npx --no-install touchstone show path/to/bundle ${SAMPLE.episode_id}"],["run it again","npx --no-install touchstone run basics --task checkout `,
    );
    expect(page).not.toContain('npx touchstone');
  });

  it('names what was measured of nobody with its reason, and keeps as a column what was of somebody', () => {
    const without = { tokens_in: null, null_reasons: { tokens_in: 'no model was asked' } };
    expect(pageOf(without)).toMatch(/<p>Not measured of any: [^<]*tokens in[^<(]* \([^<]*no model was asked/);
    expect(pageOf({ tokens_in: 10 })).not.toMatch(/<p>Not measured of any: [^<]*tokens in/);
  });

  it('folds phantoms and damage away where there were none of either, and only there', () => {
    const folded = '<details><summary>No action at a missing target, and no damage';
    expect(pageOf({ hallucination: 'none' })).toContain(folded);
    expect(pageOf({ hallucination: 'filtered' })).not.toContain(folded);
  });

  it('counts at its head what was passed without faults, and says so where there were some', () => {
    const { stress: _none, ...clean } = reportOf({});
    expect(reportPage(clean)).toContain('<strong>0 of 1 passed.</strong>');
    expect(reportPage({ ...clean, stress: [] })).toContain('<strong>0 of 1 passed without faults.</strong>');
  });

  it('is the same for the same report', () => {
    expect(reportPage(wideReport(2))).toBe(reportPage(wideReport(2)));
  });

  it('asks for nothing: its policy lets its own style and script be, and there is no address in it', () => {
    const page = pageOf({ final_url: null });
    expect(page).toMatch(
      /content="default-src &#39;none&#39;; style-src &#39;sha256-[\w+/=]+&#39;; script-src &#39;sha256-[\w+/=]+&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"/,
    );
    expect(page).not.toMatch(/\b(?:src|srcset|action|style)="|href="(?!#)|url\(|@import|https?:/);
  });

  it('has no figure for what was not measured, and says why', () => {
    const page = pageOf({ cost_usd: null, null_reasons: { cost_usd: 'the model has no known price' } });
    expect(page).toMatch(
      /Not measured of any: [^<]*cost per honest success \(1 of 1: the model has no known price[^<]*\)/,
    );
    expect(page).not.toContain('id="plot-cost"');
    expect(pageOf(...RIVALS)).toContain('id="plot-cost"');
  });

  it('has columns of costs where somebody has a cost, and else says that nobody has', () => {
    const tradeOff = (page: string) =>
      /<section aria-labelledby="trade-off"[^>]*>.*?<\/section>/s.exec(page)?.[0] ?? '';
    const none = tradeOff(pageOf(...RIVALS.map((rival) => ({ ...rival, ...UNPRICED }))));
    expect(tradeOff(pageOf(...RIVALS))).toMatch(/against time and cost<.*>cost<.*>cost per honest success</s);
    const page = pageOf(...RIVALS, { ...UNPRICED, agent: 'fourth' });
    expect(tradeOff(page)).toMatch(/>cost<.*not measured/s);
    expect(page).toContain('>Success against time and cost</a>');
    expect(none).toContain('>Success against time</h2>');
    expect(tradeOff(pageOf({}, { agent: 'other' }))).toBe('');
    expect(none).toContain('For no entrant is the cost of every episode known');
    expect(none).not.toMatch(/>cost|and cost|not measured/);
  });

  it('holds a cell for every task and entrant, and its colour follows from its figure', () => {
    const page = pageOf({ task: 'a', ...PASSED }, { task: 'b', ...PASSED }, { task: 'b' });
    expect(page).toContain(
      `<th scope="row"><span class="tick passed" role="img" aria-label="passed by all">✓</span>basics/a</th><td class="heat h10" title="20.7 to 100.0 %"><a href="#episodes?episode=${SAMPLE.episode_id}">1/1</a></td>`,
    );
    expect(page).toContain(
      '<th scope="row"><span class="tick" role="img" aria-label="passed by some">±</span>basics/b</th><td class="heat h5" title="9.5 to 90.5 %"><a href="#episodes?task=basics%2Fb&amp;entrant=model+%C2%B7+aria">1/2</a></td>',
    );
  });

  it('draws controls in grey where success stands against time, and all others in colour', () => {
    const page = pageOf(...RIVALS, CONTROL);
    expect(
      page
        .match(/<circle class="point(?: control)?"/g)
        ?.slice(0, 4)
        .toSorted(),
    ).toEqual(['<circle class="point control"', ...RIVALS.map(() => '<circle class="point"')]);
    expect(page).toContain('Controls are grey');
    expect(pageOf(...RIVALS)).not.toMatch(/point control|Controls are grey/);
  });

  it('has no colour for a control that passed nothing, and the colour of a failure for whoever competes', () => {
    const page = pageOf({}, CONTROL, { ...CONTROL, ...PASSED, task: 'b' });
    const cells = [...page.matchAll(/<td class="heat (\w+)"[^>]*>(?:<a[^>]*>)?([^<]*)/g)].map(([, colour, figure]) => [
      figure,
      colour,
    ]);
    expect(cells).toEqual([
      ['0/1', 'h0'],
      ['0/1', 'control'],
      ['–', 'none'],
      ['1/1', 'h10'],
    ]);
  });

  it('lists controls after all others and says of them that they failed as they must, and so does the Markdown', () => {
    const statuses = (...edits: Partial<Row>[]) => {
      const report = reportOf(...edits);
      const index = [...reportPage(report).matchAll(/"status":"([^"]*)"/g)].map(([, status]) => status);
      const table = markdownReport(report).split('## Episodes')[1] ?? '';
      const listed = [...table.matchAll(/\| (passed|failed|failed, as it must|infra_error) \|/g)].map(
        ([, status]) => status,
      );
      expect(listed).toEqual(index);
      return index;
    };
    expect(statuses(CONTROL, {})).toEqual(['failed', 'failed, as it must']);
    const passed = { ...CONTROL, ...PASSED, task: 'b' };
    expect(statuses({ ...CONTROL, ...BROKEN }, passed, {})).toEqual(['failed', 'infra_error', 'passed']);
  });

  it('says of controls that they over-claim on purpose, and of nobody else', () => {
    const said = 'null is a control: it says done over nothing on purpose, to try the judge.';
    for (const draw of [reportPage, markdownReport]) {
      expect(draw(reportOf(CONTROL))).toContain(said);
      expect(draw(reportOf({}))).not.toContain('on purpose');
    }
    expect(reportPage(reportOf(CONTROL))).toContain('<tr class="aside">');
    expect(reportPage(reportOf({}))).not.toContain('<tr class="aside">');
  });

  it('counts the reasons of the bundle alone, as its file does, and says apart what holds of a view that verifies nothing', () => {
    const report = reportOf({});
    const codes = new Set(report.claims.entrants.flatMap(({ aggregate }) => aggregate.reasons.map(({ code }) => code)));
    expect(codes).toContain('not_verified');
    const page = reportPage(report);
    expect(page).toContain(`${codes.size - 1} reasons, and what would lift them`);
    expect(page.indexOf('Reasons in this view alone')).toBeGreaterThan(page.indexOf('Reasons against a claim'));
    expect(page.indexOf('<code>not_verified</code>:')).toBeGreaterThan(page.indexOf('Reasons in this view alone'));
  });

  it('calls each part alike in its navigation and in the heading that this leads to', () => {
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

  it('draws controls in grey in every table of figures by entrant', () => {
    const page = pageOf({ hallucination: 'filtered' }, CONTROL);
    for (const section of ['phantoms', 'word', 'reliability', 'effort']) {
      const [text = ''] = new RegExp(`<section aria-labelledby="${section}"[^>]*>.*?</section>`, 's').exec(page) ?? [];
      const controls = [...text.matchAll(/<tr([^>]*)><th scope="row"><span class="number">(\d)/g)].map((found) => [
        found[2],
        found[1],
      ]);
      expect(controls.length).toBeGreaterThan(1);
      expect(controls).toEqual(controls.map(([number]) => [number, number === '2' ? ' class="aside"' : '']));
    }
    expect(page).toMatch(/id="reliability".*heat h0">0\.0 %.*heat control">0\.0 %/s);
    expect(pageOf({})).not.toContain('heat control');
  });

  it('says why its folder may have another name than its records', () => {
    expect(pageOf({})).toContain('the time at which it began; its folder may have another name.');
  });

  it('has the place of the bundle in its commands where that is known, as one word and as text', () => {
    const report = reportOf({});
    const links = { pageOf: null, pictureOf: () => null, bundle: 'my <bundles>/one' };
    const { html } = reportDocument(report, links, { allowed: [] });
    expect(html).toContain('verify &#39;my &lt;bundles&gt;/one&#39;</code>');
    expect(html).toContain(`touchstone show 'my `);
    expect(html).not.toContain('verify path/to/bundle');
    expect(html).not.toContain('<bundles>');
  });

  it('says that one task gives no interval, and of two what the bar is', () => {
    expect(pageOf({})).toContain('There is no 95 % interval over one task');
    const two = pageOf(ofTask('buy'), ofTask('sell'));
    expect(two).toContain('Bar: its 95 % interval over tasks.');
    expect(two).not.toContain('There is no 95 % interval');
    const markdownOf = (...edits: Partial<Row>[]) => markdownReport(reportOf(...edits));
    expect(markdownOf({})).toContain('One task gives no interval over tasks.');
    expect(markdownOf(ofTask('buy'), ofTask('sell'))).not.toContain('There is no interval');
  });

  it('leaves out medians of what nobody was measured by', () => {
    const whys = { cost_usd: 'no price', tokens_in: 'no model', tokens_out: 'no model' };
    const without = { cost_usd: null, tokens_in: null, tokens_out: null, null_reasons: whys };
    expect(pageOf(without)).toContain('time, median');
    for (const head of ['cost, median', 'tokens, p95']) expect(pageOf(without)).not.toContain(head);
    expect(pageOf({})).toContain('cost, median');
    expect(pageOf({})).toMatch(/id="effort".*Median and p95 over all episodes.*Means per episode/s);
  });

  it('explains the band of unknown episodes only where there is one', () => {
    expect(pageOf({}, { task: 'b', ...INCONCLUSIVE })).toContain('Pale band');
    expect(pageOf({})).not.toContain('Pale band');
  });

  it('names the model that was asked and what its replies call it, as the Markdown does', () => {
    const returned = '[model](x) <b>2</b>';
    const report = reportOf({ model_id_returned: returned });
    expect(reportPage(report)).toContain(
      '<code>vendor/model-1</code>; in its replies: <code>[model](x) &lt;b&gt;2&lt;/b&gt;</code>',
    );
    expect(markdownReport(report)).toContain(`\`vendor/model-1\`; in its replies: \`${returned}\`.`);
    expect(pageOf({ model_id: null, model_id_returned: null, decider: 'process' })).not.toContain('in its replies');
    expect(pageOf({ model_id_returned: null })).toContain('in its replies: no name');
  });

  it('tells two values of what must be one as text, whatever a server or a provider calls itself, and so does the Markdown', () => {
    const hostile = 'x`</code> <img src=x> [a](javascript:b)';
    const report = reportOf({}, { model_id_returned: hostile });
    for (const text of [reportPage(report), markdownReport(report)]) expect(text).toContain('version_changed');
    expect(reportPage(report)).not.toContain('<img');
    const outsideCode = markdownReport(report).replaceAll(/(`+)[^]*?[^`]\1(?!`)/g, '');
    expect(outsideCode).not.toContain('<img');
    expect(outsideCode).not.toContain('](');
  });

  it('says how many episodes its index leaves out, and where they are; of an index of all it says nothing', () => {
    const report = reportOf({});
    expect(reportPage({ ...report, episodes_not_listed: 7 })).toContain(
      'Not listed: the 7 episodes after these. All are in rows.jsonl.',
    );
    expect(reportPage(report)).not.toContain('Not listed');
  });
});
