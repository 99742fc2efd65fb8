import type { Row } from '../bundle/row.ts';
import { entrantName } from '../claim/figures.ts';
import { groupBy } from '../claim/group.ts';
import { isFaultFree } from '../claim/faulty-rows.ts';
import { episodeName } from '../task/instance.ts';
import { plainText } from './document.ts';
import { clauseText } from './failure.ts';
import { printable } from '../messages/printable.ts';

/** Map an outcome to JUnit's element; null: it is as it should be. */
interface Finding {
  element: 'failure' | 'error' | 'skipped';
  message: string;
  /** Lines below the message. */
  details: string[];
}

/**
 * The episodes of a campaign as JUnit XML, a test suite an entrant and a test case an episode. As in the gates of a run, a control
 * that passes is a failure and one that does not is none, a baseline that does not pass is skipped, and so is who does not recover
 * from a fault.
 * @param rows counted rows in plan order.
 */
export function junitReport(campaignId: string, rows: readonly Row[]): string {
  const cases = rows.map((row) => ({ row, finding: findingOf(row) }));
  const isRepeated = rows.some(({ iteration }) => iteration > 0);
  const suites = [...groupBy(cases, ({ row }) => entrantName(row)).values()].map((own) =>
    [
      `  <testsuite${countsOf(own, entrantText(own))}>`,
      ...own.map((each) => testCase(each, isRepeated)),
      '  </testsuite>',
    ].join('\n'),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${countsOf(cases, campaignId)}>`,
    ...suites,
    '</testsuites>\n',
  ].join('\n');
}

interface Case {
  row: Row;
  finding: Finding | null;
}

function entrantText([first]: readonly Case[]): string {
  return first === undefined ? '' : `${first.row.agent} through ${first.row.surface}`;
}

function countsOf(cases: readonly Case[], name: string): string {
  const count = (element: Finding['element']): number =>
    cases.filter(({ finding }) => finding?.element === element).length;
  const total = cases.reduce((sum, { row }) => sum + (row.wall_ms ?? 0), 0);
  return attributes({
    name,
    tests: String(cases.length),
    failures: String(count('failure')),
    errors: String(count('error')),
    skipped: String(count('skipped')),
    time: seconds(total),
  });
}

function testCase({ row, finding }: Case, isRepeated: boolean): string {
  const { suite, agent, surface, wall_ms: wall } = row;
  const iteration = isRepeated ? ` #${row.iteration + 1}` : '';
  const identity = attributes({
    classname: `${suite}.${agent}.${surface}`,
    name: `${episodeName(row)}${iteration}`,
    ...(wall === null ? {} : { time: seconds(wall) }),
  });
  if (finding === null) return `    <testcase${identity}/>`;
  const { element, message, details } = finding;
  const text = [message, ...details, `episode ${row.episode_id}`].map(escaped).join('\n');
  return `    <testcase${identity}>\n      <${element}${attributes({ message, type: row.status })}>${text}</${element}>\n    </testcase>`;
}

function findingOf(row: Row): Finding | null {
  const { status, decider, detail, null_reasons: whys } = row;
  const why = detail ?? whys['steps'] ?? null;
  const message = `${status}${why === null ? '' : `: ${why}`}`;
  if (status === 'not_applicable' || status === 'unavailable') return { element: 'skipped', message, details: [] };
  if (status === 'infra_error' || status === 'invalid_task') return { element: 'error', message, details: clause(row) };
  if (decider === 'control') {
    return status === 'passed'
      ? { element: 'failure', message: 'a control passed, and must pass nothing', details: [] }
      : null;
  }
  if (status === 'passed') return null;
  if (decider === 'baseline') {
    return { element: 'skipped', message: `a baseline may fail: ${message}`, details: clause(row) };
  }
  if (!isFaultFree(row)) return { element: 'skipped', message: `not recovered: ${message}`, details: clause(row) };
  return { element: 'failure', message, details: clause(row) };
}

/** The assertion that decided, and the verdicts. */
function clause({ status, failed_contract: failed, goal_verdict: goal, guard_verdict: guard }: Row): string[] {
  const verdicts = `success: ${goal ?? 'not judged'}; guards: ${guard ?? 'not judged'}`;
  const decided = clauseText({ status, failed_contract: failed });
  return decided === null ? [verdicts] : [verdicts, plainText(decided)];
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('');
}

const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text that is data in XML 1.0: control characters made visible, and what no XML can hold replaced. */
function escaped(text: string): string {
  return printable(text)
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => REFERENCES[character] ?? '');
}
