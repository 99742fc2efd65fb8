import type { Row } from '../../bundle/row.ts';
import { episodeName } from '../../task/instance.ts';
import {
  code,
  type Column,
  ENTRANT_AGAIN,
  bullets,
  listed,
  quote,
  type Section,
  section,
  strong,
  table,
  type Content,
  text,
} from '../document.ts';
import type { EpisodeLine } from '../counted-rows.ts';
import { failureOf, failureReport } from '../failure.ts';
import { numberText, secondsText } from '../numbers.ts';
import { notListedText, type Report } from '../report.ts';
import { controlsIn, competitorsFirst, milestonesText, statusText, type DecidedLine } from '../roles.ts';

type Tally = NonNullable<Report['failures']>[number];

const CATEGORIES: readonly Column<Tally>[] = [
  ENTRANT_AGAIN,
  { head: 'model', words: true, text: ({ model_id: model }) => (model === null ? null : code(model)) },
  { head: 'task', words: true, text: ({ suite, task }) => `${suite}/${task}` },
  {
    head: 'category: episodes',
    words: true,
    text: ({ counts }) => listed(counts.map(({ category, episodes }) => [code(category), `: ${episodes}`])),
  },
];

/** Leaves out controls, which have to fail, if others ran. A page draws a gallery. */
export function failureSection({ episodes, agents, failures }: Report): Section {
  const controls = controlsIn(agents);
  const isAlone = episodes.every(({ agent }) => controls.has(agent));
  const failed = episodes.filter(({ status, agent }) => status !== 'passed' && (isAlone || !controls.has(agent)));
  const isRepeated = episodes.some(({ iteration }) => iteration > 0);
  return section(
    'failures',
    'Why they failed',
    bullets(failed.map((line) => failureItem(line, isRepeated))),
    failures === undefined ? null : table('Failures by category', CATEGORIES, failures),
  );
}

function failureItem(line: EpisodeLine, isRepeated: boolean): Content {
  const { agent, surface, status, failure_category: category } = line;
  return [
    strong(episodeName(line)),
    isRepeated ? ` #${line.iteration + 1}` : '',
    ` by ${agent} through ${surface}: ${status}`,
    category === null || category === status ? '' : [' (', code(category), ')'],
    '. ',
    ...failureReport(line),
  ];
}

/** Drawn if a task has any. */
const MILESTONES: Column<DecidedLine> = { head: 'milestones', words: true, text: milestonesText };

const EPISODES: readonly Column<DecidedLine>[] = [
  { head: 'task', words: true, text: episodeName },
  ENTRANT_AGAIN,
  { head: '#', text: ({ iteration }) => iteration + 1 },
  { head: 'status', words: true, text: statusText },
  MILESTONES,
  { head: 'steps', text: ({ steps }) => steps },
  { head: 'time', text: ({ wall_ms: time }) => secondsText(time) },
  { head: 'tool errors', text: ({ tool_errors: errors }) => errors },
  { head: 'final URL', words: true, text: ({ final_url: url }) => (url === null ? null : quote(url)) },
];

/** A page draws an index that can be searched. */
export function episodeSection(report: Report): Section {
  const notListed = notListedText(report);
  const hasMilestones = report.episodes.some(({ milestones }) => milestones !== undefined);
  return section(
    'episodes',
    'Episodes',
    table(
      'Episodes',
      EPISODES.filter((column) => column !== MILESTONES || hasMilestones),
      competitorsFirst(report),
    ),
    notListed === null ? null : text(notListed),
  );
}

/** Facts of an episode that its page and the index both show. */
export function episodeFacts(line: EpisodeLine | Row): [name: string, text: string | null][] {
  const { faults = [], tokens_in: read } = line;
  return [
    ['decided by', failureOf(line)?.clause?.name ?? null],
    ['milestones', milestonesText(line)],
    ['final URL', line.final_url],
    ['faults', faults.map(({ kind }) => kind).join(', ') || null],
    ['tool errors', line.tool_errors?.toString() ?? null],
    ['model', line.model_id],
    ['model calls', line.turns?.toString() ?? null],
    ['tokens', read === null ? null : `${read} in, ${line.tokens_out ?? '–'} out`],
    ['cost', numberText(line.cost_usd, ' USD')],
  ];
}
