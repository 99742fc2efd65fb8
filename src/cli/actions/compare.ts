import { fact } from '../../messages/messages.ts';
import { faultFreeTasks, episodeCount, type Plan } from '../../plan/plan.ts';
import { recordedEvents } from '../../row/recorded.ts';
import { type EntrantAxes, entrantAxes, type TimedRow } from '../../claim/axes.ts';
import { changesBetween, recoveryBetween } from '../../claim/changes.ts';
import { type Difference, differencesBetween, differenceText } from '../../claim/pooled.ts';
import { axesSection } from '../../report/sections/axes.ts';
import { changesSections, type ChangesReport, gateProblems, onlyControls } from '../../report/changes-report.ts';
import { type Section, section, sentence, strong, text } from '../../report/document.ts';
import { comparedSentence, few, type Moves, movesIn } from '../../report/moved-tasks.ts';
import { resultOf } from '../../report/sentence.ts';
import { changedAppFiles } from '../../plan/pin-changes.ts';
import type { Pins } from '../../plan/pins.ts';
import { changesScreen } from '../changes-screen.ts';
import { stateChanges } from '../../viewer/state-changes.ts';
import { CountedRows } from '../../report/counted-rows.ts';
import { pairsIn, pairsSections } from '../../report/pairs-report.ts';
import type { Report } from '../../report/report.ts';
import { isFaultFree } from '../../claim/faulty-rows.ts';
import { taskName } from '../../task/instance.ts';
import { canonicalJson } from '../../contract/canonical.ts';
import { drawReport } from '../drawn-files.ts';
import { openBundle, readBundle, type VerifiedBundle, verifiedBundle } from '../bundles.ts';
import { bundleNamed } from '../latest.ts';
import { forReader } from '../terminal-sections.ts';
import { printResult, type Terminal } from '../terminal.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import type { Request } from '../command.ts';
import type { CompareOptions } from '../commands/judge.ts';
import { counted, timesText } from '../../report/numbers.ts';

export async function compare(
  { args, options: { gate, json, verbose } }: Request<CompareOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  const [first, second] = args;
  const bundle = bundleNamed(first);
  const after = second === undefined ? undefined : bundleNamed(second);
  if (after === undefined) {
    if (gate) throw new UsageError(fact('gate_needs_two'));
    const { title, axes, faulty, report } = await comparisonOf(bundle);
    const pairs = pairsIn(report);
    const result = { title, entrants: axes, pairs, faulty_episodes_left_out: faulty };
    printResult(terminal, json, result, () =>
      forReader([resultSection(report), ...pairsSections(report, pairs), axesSection(title, axes)], terminal),
    );
    if (faulty > 0) {
      terminal.note(`left out: ${faulty} of the episodes, since they had faults; report.md lists recoveries`);
    }
    return EXIT.done;
  }
  const { report, controls } = await changesOf(bundle, after);
  printResult(terminal, json, report, () => [
    ...(terminal.columns === undefined ? [] : changesScreen(report, controls, terminal)),
    ...(terminal.columns === undefined || verbose
      ? forReader(changesSections(report, { gate, controls }), terminal)
      : []),
  ]);
  if (!gate) return EXIT.done;
  for (const problem of report.problems) terminal.note(problem);
  return report.problems.length > 0 ? EXIT.gateNotMet : EXIT.done;
}

/** Compares an earlier bundle with a later one. @throws UsageError when one does not verify */
async function changesOf(
  before: string,
  after: string,
): Promise<{ report: ChangesReport; controls: ReadonlySet<string> }> {
  const first = await readBundle(before);
  using opened = await openBundle(after);
  const second = await verifiedBundle(opened.layout);
  const changes = changesBetween(first.rows, second.rows);
  const recovery = recoveryBetween(first.rows, second.rows);
  const files = [...changedAppFiles(first.campaign.pins, second.campaign.pins).values()].flat();
  const differences: Difference[] = [
    ...differencesBetween([
      { name: before, rows: first.rows },
      { name: after, rows: second.rows },
    ]).map((each) => (each.what === 'app' && files.length > 0 ? { ...each, values: files.join(', ') } : each)),
    ...otherFaults(first.campaign.plan, second.campaign.plan),
    ...unfinished(before, first),
    ...unfinished(after, second),
  ];
  const controls = onlyControls([...first.rows, ...second.rows]);
  // A campaign that was ended before it fails must not meet the gate.
  const problems = [...gateProblems(changes, recovery, controls), ...unfinished(after, second).map(differenceText)];
  const [was, is] = [reportOf(first), reportOf(second)];
  const state = await stateChanges(is, opened.layout);
  const moves = {
    ...movesIn([changes, ...(recovery === null ? [] : [recovery])], { rows: second.rows, state }, controls),
    differs: differences
      .filter(({ what }) => what !== 'tasks')
      .map(({ what }) => (what === 'app' && files.length > 0 ? `app (${few(files)})` : what)),
    files: filesOf(first.campaign.pins, second.campaign.pins),
  };
  const result = comparedSentence(resultOf(was), resultOf(is), moves);
  const report = {
    schema_version: 1,
    before,
    after,
    sentence: result,
    moves,
    differences: differences.map(differenceText),
    ...changes,
    recovery,
    problems,
  } as const;
  return { report, controls };
}

function reportOf({ campaign, rows, complete }: VerifiedBundle): Report {
  return drawReport(campaign, CountedRows.of(rows), complete);
}

/** Compares the files of agents and tool servers that both campaigns name. */
function filesOf({ entrant_hashes: was }: Pins, { entrant_hashes: is }: Pins): Moves['files'] {
  const both = Object.keys(is).filter((id) => Object.hasOwn(was, id));
  return { changed: both.filter((id) => was[id] !== is[id]), same: both.filter((id) => was[id] === is[id]) };
}

function resultSection(report: Report): Section {
  const { counts, blame } = resultOf(report);
  return section('result', 'Result', text(strong(counts), blame === '' ? '' : [' ', sentence(blame)]));
}

/** States how many of its episodes an unfinished bundle has. */
function unfinished(name: string, { campaign: { plan, shard }, rows, complete }: VerifiedBundle): Difference[] {
  return complete && shard === undefined
    ? []
    : [{ what: 'not finished', values: `${name} has ${rows.length} of ${episodeCount(plan)} episodes` }];
}

/** Finds faults of a task with the same id in both plans that are not the same. */
function otherFaults(before: Plan, after: Plan): Difference[] {
  const [was, is] = [faultsIn(before), faultsIn(after)];
  const others = [...was].filter(([name, fault]) => is.has(name) && is.get(name)?.text !== fault.text);
  const ids = new Set(others.map(([, { id }]) => id));
  return [...ids].map((id) => ({ what: `fault ${id}`, values: 'another one in each' }));
}

function faultsIn({ tasks }: Plan): Map<string, { id: string; text: string }> {
  return new Map(
    tasks.flatMap(({ suite, task, fault }) =>
      fault === undefined
        ? []
        : [[`${suite}/${taskName(task)} ${fault.id}`, { id: fault.id, text: canonicalJson(fault) }] as const],
    ),
  );
}

export interface BundleComparison extends Pick<VerifiedBundle, 'campaign' | 'rows'> {
  title: string;
  axes: EntrantAxes[];
  faulty: number;
  report: Report;
}

/**
 * Compares the entrants of a bundle over episodes without faults, with what each spent; `faulty` counts the episodes left out.
 */
export async function comparisonOf(bundle: string): Promise<BundleComparison> {
  using opened = await openBundle(bundle);
  const { layout } = opened;
  const { campaign, rows, complete } = await verifiedBundle(layout);
  const { plan } = campaign;
  const timed: TimedRow[] = [];
  const faultFree = rows.filter(isFaultFree);
  for (const row of faultFree) {
    const callMs: number[] = [];
    for await (const { event } of recordedEvents(layout, row)) if (event.type === 'result') callMs.push(event.tool_ms);
    timed.push({ row, callMs });
  }
  const isScripted = plan.entrants.every(({ agent }) => agent === 'reference');
  const suites = [...new Set(plan.tasks.map(({ suite }) => suite))].join(', ');
  const what = isScripted ? 'Tool servers, scripted reference' : 'Entrants';
  const { length } = faultFreeTasks(plan);
  const title = `${what}: ${counted(length, 'task')} of ${suites}, each ${timesText(plan.iterations)}`;
  const report = reportOf({ campaign, rows, complete });
  return {
    campaign,
    rows,
    title,
    axes: entrantAxes(timed, plan.entrants),
    faulty: rows.length - faultFree.length,
    report,
  };
}
