import { bundleLayout } from '../../bundle/layout.ts';
import { recordedEvents } from '../../campaign/recorded-events.ts';
import { type EntrantAxes, entrantAxes, type TimedRow } from '../../claim/axes.ts';
import { axesTables } from '../../report/axes-table.ts';
import { printable, printableLines } from '../../report/printable.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { Options } from '../options.ts';
import { verifiedBundle } from '../verified-bundle.ts';

export const compare = defineCommand({
  usage: 'compare <bundle>',
  about: 'Draw what each entrant of a bundle spent: calls, tokens, time. Diagnostic, as Markdown.',
  options: Options.pick({ json: true }),
  examples: ['touchstone compare bundles/20260101T120000-basics'],
  async run(args, { json }, terminal) {
    const { title, axes } = await comparisonOf(args[0] ?? '');
    terminal.out(json ? printable(JSON.stringify({ title, entrants: axes })) : printableLines(axesTables(title, axes)));
    return EXIT.done;
  },
});

/** What a bundle's entrants spent, and what was compared, called what it is. */
export async function comparisonOf(bundle: string): Promise<{ title: string; axes: EntrantAxes[] }> {
  const layout = bundleLayout(bundle);
  const { campaign, rows } = await verifiedBundle(bundle);
  const { plan } = campaign;
  const timed: TimedRow[] = [];
  for (const row of rows) {
    const callMs: number[] = [];
    for await (const { event } of recordedEvents(layout, row)) if (event.type === 'result') callMs.push(event.tool_ms);
    timed.push({ row, callMs });
  }
  const isScripted = plan.entrants.every(({ agent }) => agent === 'reference');
  const suites = [...new Set(plan.tasks.map(({ suite }) => suite))].join(', ');
  const what = isScripted ? 'Tool servers, scripted reference' : 'Entrants';
  const count = plan.iterations === 1 ? 'once' : `${plan.iterations} times`;
  const title = `${what}: ${plan.tasks.length} tasks of ${suites}, each ${count}`;
  return { title, axes: entrantAxes(timed, plan.entrants) };
}
