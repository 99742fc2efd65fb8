import { withIndices } from '../task/with-indices.ts';
import { rivalsFirst, statusText } from './as-it-must.ts';
import { claimLines, taskGradeLines } from './claim-lines.ts';
import { codeSpan } from './code-span.ts';
import { type ObservedInRow, foundText } from './found.ts';
import { failureLines } from './failure-lines.ts';
import { episodeName } from '../task/instance.ts';
import { secondsText } from './figure-text.ts';
import { goalKey } from './goals.ts';
import { isControl } from './glossary.ts';
import { ENTRANT, markdownTable } from './markdown-table.ts';
import { outcomeLines } from './outcome-lines.ts';
import { signInLines } from './sign-in-lines.ts';
import { spreadLines } from './spread-lines.ts';
import { stressLines } from './stress-lines.ts';
import { successLines } from './success-lines.ts';
import { dayText, leadText, passedText, titleText } from './title.ts';
import type { EpisodeLine } from './episode-line.ts';
import {
  episodesReported,
  isolationText,
  notListedText,
  notOursText,
  partsText,
  type Report,
  workersText,
} from './report.ts';

/**
 * `report.md`: for a pull request or a terminal. Everything that comes from pages, agents and browsers stands in code
 * spans; names, versions and places have a form in which nothing can be markup (`src/bundle/row-fields.ts`).
 */
export function markdownReport(report: Report): string {
  const parts = [
    header(report),
    successLines(report),
    failures(report),
    failureLines(report),
    claimLines(report),
    outcomeLines(report.tables, taskGradeLines(report.claims)),
    spreadLines(report),
    stressLines(report),
    signInLines(report),
    goalTable(report),
    episodeTable(report),
  ];
  return `${parts.flat().join('\n')}\n`;
}

function header(report: Report): string[] {
  const { campaign_id: id, created_at: time, browser, complete, planned, outcome_hash: hash } = report;
  const [parts, workers, notOurs] = [partsText(report), workersText(report), notOursText(report)];
  const isolations = report.process_isolations.map(
    (each) => `- Processes of entrants kept apart: ${isolationText(each)}`,
  );
  const commit =
    report.bench_commit === null
      ? ''
      : ` at ${report.bench_commit.slice(0, 10)}${report.bench_dirty === true ? ' with local changes' : ''}`;
  return [
    `# ${titleText(report)}`,
    '',
    leadText(report),
    '',
    `${dayText(time)}: **${passedText(report)}**.`,
    '',
    `- Touchstone ${report.bench_version}${commit}; ${browser === null ? 'no browser' : `${codeSpan(`${browser.name} ${browser.version}`)} (${browser.kind})${notOurs === null ? '' : `, ${notOurs}`}`}`,
    `- Episodes: ${episodesReported(report)} of ${planned}${complete ? '' : ' — **not complete**'}${parts === null ? '' : `; ${parts}`}${workers === null ? '' : `; ${workers}`}`,
    `- World: ${report.world_kinds.join(', ')}. Mode: ${report.modes.join(', ')}`,
    ...isolations,
    `- Outcome hash: \`${hash}\`; in the records this campaign is \`${id}\``,
    '',
  ];
}

/** The goals are of whoever wrote the suite. */
function goalTable({ goals = [] }: Report): string[] {
  if (goals.length === 0) return [];
  return [
    '## Tasks',
    '',
    ...markdownTable(
      [
        { head: 'task', left: true, cell: goalKey },
        { head: 'goal', left: true, cell: ({ goal }) => codeSpan(goal) },
      ],
      goals,
    ),
    '',
  ];
}

function episodeTable(report: Report): string[] {
  const notListed = notListedText(report);
  return [
    '## Episodes',
    '',
    ...markdownTable(
      [
        { head: 'task', left: true, cell: episodeName },
        ...ENTRANT,
        { head: '#', cell: ({ iteration }) => iteration + 1 },
        { head: 'status', left: true, cell: statusText },
        { head: 'steps', cell: ({ steps }) => steps },
        { head: 'time', cell: ({ wall_ms: time }) => secondsText(time) },
        { head: 'tool errors', cell: ({ tool_errors: errors }) => errors },
        { head: 'final URL', left: true, cell: ({ final_url: url }) => (url === null ? null : codeSpan(url)) },
      ],
      rivalsFirst(report),
    ),
    '',
    ...(notListed === null ? [] : [notListed, '']),
  ];
}

/** Say why whoever competes did not pass; of controls, which have to fail, only where nobody else ran. */
function failures({ episodes, agents }: Report): string[] {
  const controls = new Set(agents.filter(isControl).map(({ agent }) => agent));
  const isAlone = episodes.every(({ agent }) => controls.has(agent));
  const failed = episodes.filter(({ status, agent }) => status !== 'passed' && (isAlone || !controls.has(agent)));
  if (failed.length === 0) return [];
  const isRepeated = episodes.some(({ iteration }) => iteration > 0);
  return ['## Why not passed', '', ...failed.map((line) => whyNotPassed(line, isRepeated)), ''];
}

function whyNotPassed(line: EpisodeLine, isRepeated: boolean): string {
  const iteration = isRepeated ? ` #${line.iteration + 1}` : '';
  const parts = [
    `**${episodeName(line)}**${iteration} by ${line.agent} through ${line.surface}: ${line.status}${categoryText(line)}.`,
  ];
  if (line.detail !== null) parts.push(`${codeSpan(line.detail)}.`);
  if (line.why_not !== null) parts.push(codeSpan(line.why_not));
  const contract = line.failed_contract;
  if (contract !== null) {
    parts.push(
      `\`${withIndices(contract.path)}\` (\`${contract.kind}\`) expected ${literal(contract.expected)}, observed ${literal(contract.observed)}.`,
    );
  }
  parts.push(lastAct(line));
  return `- ${parts.join(' ')}`;
}

/** The category, where it says more than the status. */
function categoryText({ status, failure_category: category }: EpisodeLine): string {
  return category === null || category === status ? '' : ` (\`${category}\`)`;
}

/** The last call that was seen, or what a self-driving agent says, as nobody saw its calls. */
function lastAct({ last_tool_call: call, self_reported: said }: EpisodeLine): string {
  if (said !== null) return `By its own word it took ${said.steps} step${said.steps === 1 ? '' : 's'}.`;
  return call === null ? 'No tool call.' : `Last tool call: ${literal(`${call.tool} ${JSON.stringify(call.args)}`)}.`;
}

function literal(value: ObservedInRow): string {
  const text = foundText(value);
  return text === null ? 'nothing' : codeSpan(text);
}
