import type { Row } from '../bundle/row.ts';
import { isFaultFree } from '../claim/faulty-rows.ts';
import { entrantName } from '../claim/figures.ts';
import { groupBy } from '../claim/group.ts';
import { episodeName } from '../task/instance.ts';
import { plainText } from './document.ts';
import { clauseText, failureOf } from './failure.ts';
import { type Markup, markup } from './html/markup.ts';
import { entrantText } from './title.ts';

/** JUnit's element for an outcome that is not as it should be. */
interface Finding {
  element: 'failure' | 'error' | 'skipped';
  message: string;
}

interface Case {
  row: Row;
  finding: Finding | null;
}

/**
 * The episodes of a campaign as JUnit XML: a test suite an entrant, a test case an episode. As in the gates of a run, a control fails
 * if it passes; a baseline that does not pass, and an entrant that does not recover from a fault, are skipped.
 * @param rows counted rows in plan order.
 */
export function junitReport(campaignId: string, rows: readonly Row[]): string {
  const cases = rows.map((row) => ({ row, finding: findingOf(row) }));
  const isRepeated = rows.some(({ iteration }) => iteration > 0);
  const suites = [...groupBy(cases, ({ row }) => entrantName(row)).values()].map((own) => {
    const name = own.slice(0, 1).map(({ row }) => entrantText(row));
    return markup`  <testsuite${countsOf(own, name.join(''))}>
${own.map((each) => testCase(each, isRepeated))}  </testsuite>
`;
  });
  const document = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites${countsOf(cases, campaignId)}>
${suites}</testsuites>
`;
  // No XML document can hold these two.
  return String(document).replaceAll(/[\ufffe\uffff]/g, '\ufffd');
}

function countsOf(cases: readonly Case[], name: string): Markup {
  const count = (element: Finding['element']): number =>
    cases.filter(({ finding }) => finding?.element === element).length;
  const total = cases.reduce((sum, { row }) => sum + (row.wall_ms ?? 0), 0);
  return markup` name="${name}" tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${seconds(total)}"`;
}

function testCase({ row, finding }: Case, isRepeated: boolean): Markup {
  const { suite, agent, surface, wall_ms: wall } = row;
  const name = `${episodeName(row)}${isRepeated ? ` #${row.iteration + 1}` : ''}`;
  const time = wall === null ? null : markup` time="${seconds(wall)}"`;
  const identity = markup`    <testcase classname="${suite}.${agent}.${surface}" name="${name}"${time}`;
  if (finding === null) return markup`${identity}/>\n`;
  const { element, message } = finding;
  const details = detailsOf(row).map((line) => markup`\n${line}`);
  return markup`${identity}>
      <${element} message="${message}" type="${row.status}">${message}${details}</${element}>
    </testcase>
`;
}

function findingOf(row: Row): Finding | null {
  const { status, decider } = row;
  const failure = failureOf(row);
  const message = failure === null ? status : `${status}: ${failure.sentence}`;
  if (status === 'not_applicable' || status === 'unavailable') return { element: 'skipped', message };
  if (status === 'infra_error' || status === 'invalid_task') return { element: 'error', message };
  if (decider === 'control')
    return status === 'passed' ? { element: 'failure', message: 'a control passed, and must pass nothing' } : null;
  if (status === 'passed') return null;
  if (decider === 'baseline') return { element: 'skipped', message: `a baseline may fail: ${message}` };
  if (!isFaultFree(row)) return { element: 'skipped', message: `not recovered: ${message}` };
  return { element: 'failure', message };
}

/** The verdicts, the clause that decided, and the episode. */
function detailsOf(row: Row): string[] {
  const { goal_verdict: goal, guard_verdict: guard } = row;
  const clause = failureOf(row)?.clause ?? null;
  return [
    `success: ${goal ?? 'not judged'}; guards: ${guard ?? 'not judged'}`,
    ...(clause === null ? [] : [plainText(clauseText(clause))]),
    `episode ${row.episode_id}`,
  ];
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
