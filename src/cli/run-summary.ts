import path from 'node:path';
import { modeText } from '../report/glossary.ts';
import { colours } from './colours.ts';
import { BUNDLES } from './latest.ts';
import { type BaselineGate, gatesOf } from './gates.ts';
import { bundleLayout } from '../bundle/layout.ts';
import type { EpisodeLine } from '../report/counted-rows.ts';
import { firstFailures } from '../report/failure-groups.ts';
import { isFinished, isolationText, notOursText, type Report } from '../report/report.ts';
import { shellWord } from '../report/shell-word.ts';
import { nameOfInstance } from '../task/instance.ts';
import { claimLines, firstScreen, type Hints } from './first-screen.ts';
import { MAX_COLUMNS, INDENT, widthOf } from './layout.ts';
import { counted, usdText } from '../report/numbers.ts';
import { EXIT } from './exit-code.ts';
import { WHERE_TO_LOOK } from './isolation-preview.ts';
import { resumeLine, type Sources } from './paste.ts';
import type { Pause } from '../run/provider-watch.ts';
import { asTyped, type Terminal } from './terminal.ts';

/** The result of a run, and its inputs. */
export interface RunBundle extends Sources, Hints {
  folder: string;
  /** Refused requests of the browser itself, by host. */
  backgroundRequests: Record<string, number>;
  /** Counts the tasks that are proved to qualify. */
  proofs: string;
  /** Null if none was named. */
  baseline: BaselineGate | null;
  /** Why it paused by itself. */
  pause: Pause | null;
}

const REMEDIES: Record<Pause['cause'], string> = {
  outage: 'wait until the provider answers again',
  turned_away:
    'check the key and the credit; if the name of a model is wrong, start a new campaign, as it is in the plan',
  budget: 'give a higher --max-usd with --resume, or leave it unfinished',
};

/** Prints the result of a run, whether its gates were met, and what to do next; with `verbose`, its basis. */
export function printSummary(report: Report, bundle: RunBundle, terminal: Terminal): void {
  const { folder, baseline, pause, verbose = false } = bundle;
  const hasRun = report.episodes.length > 0;
  const columns = terminal.screen?.size.columns;
  terminal.out('');
  const result = hasRun ? [...firstScreen(report, columns, bundle), ...recoveryLines(report)] : ['no episode has run'];
  for (const line of [...result, '']) terminal.out(line);
  const { exit, words } = gatesOf(report, baseline);
  const paint = exit === EXIT.done ? colours.green : exit === EXIT.gateNotMet ? colours.red : colours.yellow;
  terminal.out(`gates          ${paint(words)}`);
  if (baseline !== null) {
    terminal.out(`baseline       ${baseline.passed} passed, ${baseline.expected} expected`);
    for (const problem of baseline.problems) terminal.out(colours.red(`  ${asTyped(problem, terminal)}`));
    if (baseline.advice !== null) terminal.out(`  ${baseline.advice}`);
  }
  if (pause !== null) {
    terminal.out(colours.yellow(`paused         ${pause.why}`));
    terminal.out(`               ${REMEDIES[pause.cause]}; finished episodes stay, and the others are not sealed`);
  }
  if (hasRun) {
    if (verbose) for (const line of basisLines(report, bundle, terminal)) terminal.out(line);
    const notOurs = notOursText(report);
    if (notOurs !== null) terminal.out(colours.yellow(`browser        ${notOurs}`));
    for (const line of costLines(report)) terminal.out(line);
    terminal.out(`report         ${bundleLayout(folder).report('html')}`);
    for (const line of nextLines(report, folder, verbose, terminal)) terminal.out(line);
    for (const line of claimLines(report, columns)) terminal.out(line);
  }
  if (report.shard !== undefined) {
    const merge = asTyped('"touchstone merge" makes one bundle of all', terminal);
    terminal.out(`part           ${report.shard.index} of ${report.shard.of}; ${merge}`);
  }
  if (!isFinished(report)) {
    terminal.out(colours.yellow(`not complete   finish it with: ${asTyped(resumeLine(folder, bundle), terminal)}`));
  }
}

/** Names the basis of the figures, for doubters. */
function basisLines(report: Report, { backgroundRequests, proofs }: RunBundle, terminal: Terminal): string[] {
  const refused = Object.values(backgroundRequests).reduce((sum, count) => sum + count, 0);
  return [
    `world          ${report.world_kinds.join(', ')}; mode ${report.modes.map(modeText).join(', ')}`,
    `proofs         ${asTyped(proofs, terminal)}`,
    ...report.process_isolations.map((isolation) => `isolation      ${asTyped(withRemedy(isolation), terminal)}`),
    `outcome hash   ${report.outcome_hash}`,
    `blocked        ${counted(refused, 'request')} that the browser made itself, such as update checks`,
  ];
}

/** Adds where to read more if processes are not sandboxed. */
function withRemedy(isolation: Report['process_isolations'][number]): string {
  return isolation.by === 'bubblewrap' ? isolationText(isolation) : `${isolationText(isolation)}; ${WHERE_TO_LOOK}`;
}

/** Lists commands that show and check the bundle; a wide one is below its label, so that it can be copied. */
function nextLines(report: Report, folder: string, verbose: boolean, terminal: Terminal): string[] {
  const [failed] = firstFailures(report);
  // Other commands take the latest bundle by default.
  const bundle = path.dirname(path.resolve(folder)) === path.resolve(BUNDLES) ? '' : ` ${shellWord(folder)}`;
  const episode = failed === undefined ? '--serve' : shellWord(shortestName(failed, report));
  const commands: [label: string, command: string][] = [['show', `touchstone show${bundle} ${episode}`]];
  if (verbose) {
    commands.push(['why no claim', `touchstone show${bundle} --claims`], ['check it', `touchstone verify${bundle}`]);
  }
  const columns = terminal.screen?.size.columns ?? MAX_COLUMNS;
  return commands.flatMap(([label, command]) => {
    const typed = asTyped(command, terminal);
    const line = `${label.padEnd(INDENT.length)}${typed}`;
    return widthOf(line) <= columns ? [line] : [label, `  ${typed}`];
  });
}

/** Names an episode by its task if that is unique, or by the start of its id. */
function shortestName({ task, instance, episode_id: id }: EpisodeLine, { episodes }: Report): string {
  const namesakes = episodes.filter((other) => other.task === task && other.instance === instance);
  return namesakes.length > 1 ? id.slice(0, 8) : nameOfInstance(task, instance);
}

/** Counts recoveries from faults, for each entrant. */
function recoveryLines({ stress = [] }: Report): string[] {
  const over = stress.filter(({ kind }) => kind === null);
  return over.map(({ agent, surface, recovered, of }) => `recovered      ${recovered} of ${of} by ${agent}/${surface}`);
}

function costLines({ episodes, modes }: Report): string[] {
  const unpriced = episodes.filter(({ price_table: prices, tokens_in: read }) => prices === null && read !== null);
  const tokens = unpriced.reduce(
    (sum, { tokens_in: read, tokens_out: written }) => sum + (read ?? 0) + (written ?? 0),
    0,
  );
  const tables = [...new Set(episodes.flatMap(({ price_table: prices }) => prices ?? []))];
  const known = tables.map((prices) => {
    const usd = episodes
      .filter(({ price_table: each }) => each === prices)
      .reduce((sum, { cost_usd: cost }) => sum + (cost ?? 0), 0);
    const unpaid = modes.includes('mock') || modes.includes('replay') ? '; a mock or a replay costs nothing' : '';
    return `cost           ${usdText(usd)} by the prices of ${prices}${unpaid}`;
  });
  return unpriced.length === 0 ? known : [...known, `cost           no price known: ${counted(tokens, 'token')}`];
}
