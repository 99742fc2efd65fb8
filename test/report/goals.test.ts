import { describe, expect, it } from 'vitest';
import { finishRow } from '../../src/bundle/row.ts';
import { goalKey, goalsOf } from '../../src/report/goals.ts';
import { reportPage } from '../../src/report/html/page.ts';
import { markdownReport } from '../../src/report/markdown.ts';
import { defineTask } from '../../src/task/validate.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { drawnReport } from './drawn-report.ts';

const HOSTILE = '</script><img src=x> `code` [a](javascript:b) | \u202e';
const ENTRANTS = [{ agent: SAMPLE.agent, surface: SAMPLE.surface }];

function planned(goal: string, name?: string) {
  const task = defineTask({
    id: 'checkout',
    title: 'Check out',
    startUrl: 'http://shop.localhost/',
    goal,
    success: { kind: 'no_dialog' },
    ...(name === undefined ? {} : { instance: { name, parameters: {} } }),
  });
  return { suite: 'basics', task };
}

describe('the goals of a report', () => {
  it('has each instance once, whatever is planned to go wrong in it', () => {
    const goals = goalsOf([planned('Buy a lamp.'), planned('Buy a lamp.'), planned('Buy a chair.', 'chair')]);
    expect(goals.map((each) => [goalKey(each), each.goal])).toEqual([
      ['basics/checkout', 'Buy a lamp.'],
      ['basics/checkout@chair', 'Buy a chair.'],
    ]);
  });

  it('are on one line, and cut where they are long, also in the middle of a character', () => {
    const [first, second] = goalsOf([planned('\nBuy\n  a lamp. '), planned(`x${'😀'.repeat(400)}`, 'long')]);
    expect(first?.goal).toBe('Buy a lamp.');
    expect(second?.goal).toHaveLength(401);
    expect(second?.goal.endsWith('\u{1F600}\uFFFD…')).toBe(true);
  });
});

describe('a report of tasks', () => {
  const drawn = (...tasks: ReturnType<typeof planned>[]) =>
    drawnReport(1, [finishRow(SAMPLE)], ENTRANTS, goalsOf(tasks));

  it('says at its head what it is, of how many tasks and judged by what', () => {
    const said = 'Touchstone report: what web agents did on 1 task, judged by the state in which they left';
    for (const draw of [reportPage, markdownReport]) {
      expect(draw(drawn(planned('Buy a lamp.')))).toContain(said);
      expect(draw(drawnReport(1, [finishRow(SAMPLE)], ENTRANTS))).toContain(said);
    }
    const other = { ...planned('Pay.'), suite: 'shop' };
    expect(reportPage(drawn(planned('Buy a lamp.'), other))).toContain('did on 2 tasks, judged');
  });

  it('says what was asked for beside each task, and of several instances how many there are', () => {
    const page = reportPage(drawn(planned('Buy a lamp.')));
    expect(page).toContain('basics/checkout<span class="gloss goal" title="Buy a lamp.">Buy a lamp.</span></th>');
    expect(page).toContain('id="goals">{"basics/checkout":"Buy a lamp."}</script>');
    const more = reportPage(drawn(planned('Buy a lamp.', 'lamp'), planned('Buy a chair.', 'chair')));
    expect(more).toContain('>Buy a lamp. (and 1 more like it)</span></th>');
    expect(markdownReport(drawn(planned('Buy a lamp.')))).toContain('| basics/checkout | `Buy a lamp.` |');
  });

  it('shows markup in a goal as text', () => {
    const report = drawn(planned(HOSTILE));
    const page = reportPage(report);
    expect(page).toContain('&lt;/script&gt;&lt;img src=x&gt; `code`');
    expect(page).not.toContain('<img');
    expect(page).not.toContain('\u202e');
    const outsideCode = markdownReport(report).replaceAll(/(`+)[^]*?[^`]\1(?!`)/g, '');
    expect(outsideCode).not.toMatch(/<img|\]\(/);
    expect(markdownReport(report)).toContain(
      String.raw`| basics/checkout | ${'``'}</script><img src=x> ${'`code`'} [a](javascript:b) \| \u202e${'``'} |`,
    );
  });
});
