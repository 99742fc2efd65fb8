import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { fact } from '../../../src/messages/messages.ts';
import { BundleError } from '../../../src/bundle/errors.ts';
import { finishRow, type Row } from '../../../src/bundle/row.ts';
import { picturesIn } from '../../../src/report/html/failure-gallery.ts';
import { reportPage } from '../../../src/report/html/page.ts';
import { SAMPLE } from '../../bundle/sample-row.ts';
import { drawnReport } from '../drawn-report.ts';

const ENTRANT = { agent: SAMPLE.agent, surface: SAMPLE.surface };
const NAME = 'a'.repeat(64);
const SHOWN: Partial<Row> = { artifacts: { screenshot_end: NAME } };
const picture = PNG.sync.write(new PNG({ width: 3, height: 2 }));

function reportOf(...edits: Partial<Row>[]) {
  const rows = edits.map((edit, at) => finishRow({ ...SAMPLE, plan_index: at, ...edit }));
  return drawnReport(rows.length, rows, [ENTRANT]);
}

const blobsOf = (bytes: Buffer | null) => ({
  get: () =>
    bytes === null
      ? Promise.reject(new BundleError(fact('blob_missing', { blob: 'a', folder: 'b' })))
      : Promise.resolve(bytes),
});

test('the last picture of a failure is inside the page, which shows how large they are', async () => {
  const report = reportOf(SHOWN);
  const page = reportPage(report, await picturesIn(report, blobsOf(picture)));
  expect(page).toContain(`src="data:image/png;base64,${picture.toString('base64')}"`);
  expect(page).toContain('form-action &#39;none&#39;; img-src data:"');
  expect(page).toContain('Pictures of failures inside: 1, of 0.');
});

test.each([
  ['is missing', null],
  ['is no picture', Buffer.from('<svg onload="alert(1)"></svg>')],
  ['is too large for a page', Buffer.concat([picture, Buffer.alloc(1_500_000)])],
])('a picture that %s is left out, and the page may load none', async (_, bytes) => {
  const report = reportOf(SHOWN);
  const page = reportPage(report, await picturesIn(report, blobsOf(bytes)));
  expect(page).toContain('no picture');
  expect(page).not.toMatch(/<img|<svg onload|img-src/);
});

test('failures are grouped by reason, the largest group first, without controls and passes', () => {
  const broken = {
    status: 'infra_error',
    stop: 'infra_error',
    declared_done: false,
    detail: 'the browser ended',
    failure_category: 'infra',
  } as const;
  const page = reportPage(
    reportOf({}, {}, broken, { agent: 'null', decider: 'control', mode: 'control', task: 'controls' }),
  );
  const gallery = page.slice(page.indexOf('id="failures"'), page.indexOf('id="episodes"'));
  expect(gallery).toMatch(
    /the goal was not reached <span class="quiet">2 episodes[^]*the infrastructure failed, not the entrant <span class="quiet">1 episode</,
  );
  expect(gallery).toContain('<dt>observed</dt><dd>Your cart</dd>');
  expect(gallery.slice(gallery.indexOf('the infrastructure failed'))).not.toContain('<dt>');
  expect(gallery).not.toContain('controls #');
  expect(reportPage(reportOf({ status: 'passed', goal_verdict: 'pass', failed_contract: null }))).not.toContain(
    'id="failures"',
  );
});

test.each([
  ['invalid_task', 'the start was not as the task needs it: the task was at fault, not the entrant'],
  ['inconclusive', 'reported done, but its end could not be judged'],
  ['infra_error', 'the infrastructure failed, not the entrant'],
] as const)('the heading of %s names who was at fault, though all three are of one category', (status, heading) => {
  const stop = status === 'inconclusive' ? 'done' : status;
  const ended = { status, stop, declared_done: stop === 'done', failure_category: 'infra' } as const;
  const page = reportPage(reportOf(status === 'inconclusive' ? { ...ended, goal_verdict: 'inconclusive' } : ended));
  const headings = page.match(/<h3>[^<]*(?= <span class="quiet">1 episode)/g);
  expect(headings).toEqual([`<h3>${heading}`]);
});

test('commands to copy hold each name as one word, whatever is in it', () => {
  const page = reportPage(reportOf({ instance: "a'; rm -rf ~ #" }));
  expect(page).toContain(String.raw`--task 'checkout@a'\\''; rm -rf ~ #' --agent`);
});

test('failures of one cell with one reason are one card, which counts them among all of the cell', () => {
  const passed = { status: 'passed', goal_verdict: 'pass', failed_contract: null } as const;
  const again = (iteration: number, edit: Partial<Row> = {}) => ({
    episode_id: String(iteration).repeat(16),
    iteration,
    ...edit,
  });
  const page = reportPage(reportOf(again(0), again(1), again(2, passed)));
  expect(page).toContain('2 of 3 for the same reason');
  expect(page.match(/<span class="name">/g)).toHaveLength(1);
  expect(reportPage(reportOf({}))).not.toContain('of 1 for the same reason');
});
