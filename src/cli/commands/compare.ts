import { bundleLayout } from '../../bundle/layout.ts';
import type { Row } from '../../bundle/row.ts';
import { calmTasks } from '../../campaign/plan.ts';
import { recordedEvents } from '../../campaign/recorded-events.ts';
import { type EntrantAxes, entrantAxes, type TimedRow } from '../../claim/axes.ts';
import { changesBetween } from '../../claim/changes.ts';
import { differencesBetween } from '../../claim/pooled.ts';
import { axesTables } from '../../report/axes-table.ts';
import { changesMarkdown, type ChangesReport, gateProblems } from '../../report/changes-report.ts';
import { isCalm } from '../../claim/struck-rows.ts';
import { printable, printableLines } from '../../report/printable.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { Options } from '../options.ts';
import { UsageError } from '../usage-error.ts';
import { verifiedBundle } from '../verified-bundle.ts';

export const compare = defineCommand({
  usage: 'compare <bundle> [after]',
  about:
    'Draw what each entrant of a bundle spent: calls, tokens, time. Of two bundles, what changed from the first to the second: success rates, each task paired with itself, with intervals. As Markdown.',
  options: Options.pick({ gate: true, json: true }),
  examples: [
    'touchstone compare bundles/20260101T120000-basics',
    'touchstone compare bundles/monday bundles/tuesday --gate',
  ],
  async run(args, { gate, json }, terminal) {
    const [bundle = '', after] = args;
    if (after === undefined) {
      if (gate) throw new UsageError('--gate compares two bundles', 'name the one before and the one after');
      const { title, axes } = await comparisonOf(bundle);
      terminal.out(
        json ? printable(JSON.stringify({ title, entrants: axes })) : printableLines(axesTables(title, axes)),
      );
      return EXIT.done;
    }
    const report = await changesOf(bundle, after);
    terminal.out(json ? printable(JSON.stringify(report)) : printableLines(changesMarkdown(report)));
    for (const problem of report.problems) terminal.note(printable(problem));
    return gate && report.problems.length > 0 ? EXIT.gateNotMet : EXIT.done;
  },
});

/** What changed from one bundle to another. @throws UsageError when one of them does not verify. */
async function changesOf(before: string, after: string): Promise<ChangesReport> {
  const [first, second] = [await calmRows(before), await calmRows(after)];
  const changes = changesBetween(first, second);
  const bundles = [
    { name: before, rows: first },
    { name: after, rows: second },
  ];
  const problems = gateProblems(changes);
  return { schema_version: 1, before, after, differences: differencesBetween(bundles), ...changes, problems };
}

/** Who recovers from less has not changed in what they do where nothing goes wrong. */
async function calmRows(bundle: string): Promise<Row[]> {
  return (await verifiedBundle(bundle)).rows.filter(isCalm);
}

/** What a bundle's entrants spent where nothing was planned to go wrong, and what was compared, called what it is. */
export async function comparisonOf(bundle: string): Promise<{ title: string; axes: EntrantAxes[] }> {
  const layout = bundleLayout(bundle);
  const { campaign, rows } = await verifiedBundle(bundle);
  const { plan } = campaign;
  const timed: TimedRow[] = [];
  for (const row of rows.filter(isCalm)) {
    const callMs: number[] = [];
    for await (const { event } of recordedEvents(layout, row)) if (event.type === 'result') callMs.push(event.tool_ms);
    timed.push({ row, callMs });
  }
  const isScripted = plan.entrants.every(({ agent }) => agent === 'reference');
  const suites = [...new Set(plan.tasks.map(({ suite }) => suite))].join(', ');
  const what = isScripted ? 'Tool servers, scripted reference' : 'Entrants';
  const count = plan.iterations === 1 ? 'once' : `${plan.iterations} times`;
  const { length } = calmTasks(plan);
  const title = `${what}: ${length} task${length === 1 ? '' : 's'} of ${suites}, each ${count}`;
  return { title, axes: entrantAxes(timed, plan.entrants) };
}
