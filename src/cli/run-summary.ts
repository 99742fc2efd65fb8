import { colours } from './colours.ts';
import type { BaselineGate } from './baseline-gate.ts';
import { bundleLayout } from '../bundle/layout.ts';
import { printable } from '../report/printable.ts';
import type { Report } from '../report/report.ts';
import { EXIT } from './exit-code.ts';
import { gatesOf } from './gates.ts';
import { resumeLine, type Sources } from './paste.ts';
import type { Pause } from '../run/provider-watch.ts';
import { table, type Terminal } from './terminal.ts';

/** What a run has left, and what it was started with. */
export interface RunBundle extends Sources {
  folder: string;
  /** The browser's own requests, which were refused, by host. */
  backgroundRequests: Record<string, number>;
  /** Of how many tasks it is proved that they qualify. */
  proofs: string;
  /** Null where none was named. */
  baseline: BaselineGate | null;
  /** Why it stopped before its end though nobody asked for it; null where it did not. */
  pause: Pause | null;
}

const REMEDIES: Record<Pause['cause'], string> = {
  outage: 'wait until the provider answers again',
  turned_away: 'see to the key, the credit or the name of the model',
  budget: 'name a higher --max-usd beside --resume, or leave it at that',
};

/** Says what a run came to: figures, what they rest on, and last whether its gates were met. */
export function printSummary(report: Report, bundle: RunBundle, terminal: Terminal): void {
  const { folder, backgroundRequests, proofs, baseline, pause } = bundle;
  const head = ['agent', 'surface', 'passed', 'episodes', 'median steps', 'median seconds'];
  const lines = report.entrants.map((entrant) => [
    entrant.agent,
    entrant.surface,
    entrant.passed,
    entrant.episodes,
    entrant.median_steps,
    entrant.median_wall_ms === null ? null : Math.round(entrant.median_wall_ms / 10) / 100,
  ]);
  terminal.out('');
  for (const line of table([head, ...lines])) terminal.out(line);
  for (const line of recoveryLines(report)) terminal.out(line);
  const refused = Object.values(backgroundRequests).reduce((sum, count) => sum + count, 0);
  terminal.out('');
  terminal.out(`world          ${report.world_kinds.join(', ')}; mode ${report.modes.join(', ')}`);
  terminal.out(`proofs         ${printable(proofs)}`);
  for (const isolation of report.process_isolations) terminal.out(`kept apart     ${isolation}`);
  for (const line of costLines(report)) terminal.out(line);
  terminal.out(`outcome hash   ${report.outcome_hash}`);
  if (report.browser?.ours === false)
    terminal.out('browser        not launched by Touchstone: all rows are diagnostic');
  else terminal.out(`browser's own  ${refused} background requests refused`);
  terminal.out(`report         ${bundleLayout(folder).report('md')}`);
  if (baseline !== null) {
    terminal.out(`baseline       ${baseline.passed} passed, ${baseline.expected} expected`);
    for (const problem of baseline.problems) terminal.out(colours.red(`  ${printable(problem)}`));
    if (baseline.advice !== null) terminal.out(`  ${printable(baseline.advice)}`);
  }
  if (pause !== null) {
    terminal.out(colours.yellow(`paused         ${printable(pause.why)}`));
    terminal.out(`               ${REMEDIES[pause.cause]}; what is finished stays, and nothing of the rest is sealed`);
  }
  const { exit, words } = gatesOf(report, baseline);
  const paint = exit === EXIT.done ? colours.green : exit === EXIT.gateNotMet ? colours.red : colours.yellow;
  terminal.out(`gates          ${paint(printable(words))}`);
  if (!report.complete) {
    terminal.out(colours.yellow(`not complete   finish it with: ${printable(resumeLine(folder, bundle))}`));
  }
}

/** Of what went wrong in tasks that were passed without it. */
function recoveryLines({ stress = [] }: Report): string[] {
  const over = stress.filter(({ kind }) => kind === null);
  return over.map(
    ({ agent, surface, recovered, of }) =>
      `recovered      ${recovered} of ${of} by ${printable(`${agent}/${surface}`)}`,
  );
}

/** What the models of the episodes that count cost by each table of prices. */
function costLines({ episodes, modes }: Report): string[] {
  const tables = [...new Set(episodes.flatMap(({ price_table: prices }) => prices ?? []))];
  return tables.map((prices) => {
    const usd = episodes
      .filter(({ price_table: each }) => each === prices)
      .reduce((sum, { cost_usd: cost }) => sum + (cost ?? 0), 0);
    const unpaid = modes.includes('mock') || modes.includes('replay') ? '; a mock or a replay bills nobody' : '';
    return `cost           ${usd.toFixed(5)} USD by the prices of ${printable(prices)}${unpaid}`;
  });
}
