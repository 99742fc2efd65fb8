import { Fact, StoredFact } from '../messages/message.ts';
import { fact, messageFor } from '../messages/messages.ts';
import { withIndices } from '../task/source/source.ts';
import type { FailureCategory } from '../bundle/row-words.ts';
import type { EpisodeLine } from './counted-rows.ts';
import { code, quote, type Content } from './document.ts';
import { counted } from './numbers.ts';
import type { Row } from '../bundle/row.ts';
import { isReference } from './roles.ts';

type Episode = Pick<EpisodeLine, 'agent' | 'status' | 'stop' | 'failure_category' | 'detail' | 'failed_contract'> &
  Partial<Pick<EpisodeLine, 'why_not' | 'broke'> & Pick<Row, 'null_reasons'>>;
type Contract = NonNullable<EpisodeLine['failed_contract']>;

/** Why an episode did not pass. Pages and agents wrote parts of it. */
export interface Failure {
  /** Heading of all failures of its kind. */
  reason: string;
  sentence: string;
  /** Null if no clause explains the failure. */
  clause: Clause | null;
}

/** The clause that decided against an episode. */
export interface Clause {
  /** `success.children[0] (dom_text)` */
  name: string;
  expected: string;
  observed: string;
}

/** Statuses that end an episode before its end state counts. */
const WITHOUT_CLAUSE = new Set<Row['status']>(['infra_error', 'invalid_task', 'not_applicable', 'unavailable']);

/** Explains why an episode did not pass; null if it did. */
export function failureOf(episode: Episode): Failure | null {
  const { status, failed_contract: contract } = episode;
  if (status === 'passed') return null;
  const clause = contract === null || WITHOUT_CLAUSE.has(status) ? null : clauseOf(contract);
  return { reason: reasonOf(episode), sentence: sentenceOf(episode), clause };
}

export function clauseOf({ path, kind, expected, observed }: Contract): Clause {
  return {
    name: `${withIndices(path)} (${kind})`,
    expected: foundText(expected) ?? 'nothing',
    observed: foundText(observed) ?? 'nothing',
  };
}

/** Headings by category, for failures that their status does not explain better. */
const BY_CATEGORY: Readonly<Record<Exclude<FailureCategory, 'none'>, string>> = {
  max_turns: 'out of steps or turns',
  gave_up: 'the agent gave up',
  wrong_end_state: 'reported done, but the goal was not reached',
  guard_broken: 'reported done, but something else was damaged',
  over_claim: 'reported done, but had done nothing',
  budget: 'out of tokens or money',
  timeout: 'out of time',
  tool_error: 'reported done after a failed call',
  agent_error: 'the agent ended with an error',
  provider: 'the model did not reply',
  infra: 'the infrastructure failed, not the entrant',
};

const BY_STATUS: Readonly<Partial<Record<Row['status'], string>>> = {
  invalid_task: 'the start was not as the task needs it: the task was at fault, not the entrant',
  inconclusive: 'reported done, but its end could not be judged',
  replay_drift: 'the page differed from the transcript',
};

const DECIDED_BY_CONTRACT = new Set<FailureCategory | null>(['wrong_end_state', 'guard_broken', 'over_claim']);

function reasonOf(episode: Episode): string {
  const { status, failure_category: category, broke } = episode;
  if (category === 'agent_error') {
    if (broke !== undefined) return BROKEN[broke];
    if (isReference(episode)) return 'the solution of the task could not be followed';
  }
  if (isReference(episode) && DECIDED_BY_CONTRACT.has(category))
    return "the task's own solution did not meet its contract";
  return BY_STATUS[status] ?? BY_CATEGORY[category === null || category === 'none' ? 'infra' : category];
}

const BROKEN: Readonly<Record<NonNullable<Row['broke']>, string>> = {
  surface: 'the surface broke',
  browser: 'the browser ended',
  connection: 'the connection to the browser was lost',
  unreached: 'nothing from it reached the browser',
};

/** Beginnings of sentences by status; the contract explains the others. */
const BEGINNINGS: Readonly<Partial<Record<Row['status'], string>>> = {
  gave_up: 'The agent gave up',
  max_steps: 'It was stopped',
  max_turns: 'It was stopped',
  timeout: 'It was stopped',
  budget_exceeded: 'It was stopped',
  replay_drift: 'The page differed from the transcript',
  agent_error: 'The agent ended with an error',
  infra_error: 'The infrastructure failed, not the entrant',
  not_applicable: 'It cannot be run',
  unavailable: 'It was not available',
};

/** Beginnings of sentences by the category of an infrastructure error. */
const INFRA_BEGINNINGS: Readonly<Partial<Record<FailureCategory, string>>> = {
  provider: 'The provider of the model failed, not the entrant',
  budget: 'The money for all episodes was spent',
};

function sentenceOf(episode: Episode): string {
  const { status, failure_category: category, detail, broke, failed_contract: contract } = episode;
  if (status === 'agent_error' && detail !== null && broke !== undefined) return capitalised(detail);
  const blamed = blameOf(episode);
  // The cause comes first: terminals cut long lines.
  if (blamed !== null) return detail === null ? blamed : `${capitalised(detail)} ${blamed}`;
  const outside = status === 'infra_error' && category !== null ? INFRA_BEGINNINGS[category] : undefined;
  const beginning = outside ?? BEGINNINGS[status];
  if (beginning !== undefined) {
    const why = detail ?? episode.why_not ?? (episode.stop === null ? episode.null_reasons?.['steps'] : null);
    return why ? `${beginning}: ${why}.` : `${beginning}.`;
  }
  if (contract === null) return detail ?? `It ended as ${status}.`;
  if (status === 'inconclusive')
    return messageFor(fact('failed_unknown', { wanted: foundText(contract.expected) ?? contract.kind }));
  return messageFor(solutionFact(episode, contract) ?? contractFact(contract));
}

function blameOf({ agent, status }: Episode): string | null {
  if (status === 'invalid_task') return 'The task was at fault, not the entrant.';
  return status === 'agent_error' && isReference({ agent }) ? 'The solution of the task could not be followed.' : null;
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/** If a reference ends with nothing where the contract looks, the task's solution is at fault. */
function solutionFact(episode: Episode, { kind, path, expected, observed }: Contract): Fact | null {
  const seen = foundText(observed);
  const isNothing =
    (/^(?:dom_text|field_value)$/.test(kind) && seen === null) || (kind === 'dom_count' && seen === '0');
  if (!isReference(episode) || !isNothing) return null;
  return fact('failed_solution', { place: withIndices(path), wanted: foundText(expected) ?? kind });
}

function contractFact({ kind, expected, observed }: Contract): Fact {
  const seen = foundText(observed) ?? undefined;
  const wanted = foundText(expected) ?? 'something else';
  const { code: stored = '', params = {} } = Fact.safeParse(expected).data ?? {};
  const { place } = params;
  switch (stored) {
    case 'answer_one_of':
    case 'answer_number':
    case 'answer_date':
    case 'answer_typed':
    case 'answer_not_possible':
      return fact('failed_answer', {
        given: seen !== undefined,
        seen: seen ?? '',
        several: params['several'] ?? false,
        wanted: params['texts'] ?? params['number'] ?? params['date'] ?? params['wanted'] ?? '"not possible"',
      });
    case 'state_equals':
      return fact('failed_state_equals', { place, wanted: params['json'] ?? '', seen });
    case 'state_matches':
      return fact('failed_state_matches', { place, wanted: params['pattern'] ?? '', seen });
    case 'state_absent':
      return fact('failed_state_absent', { place });
  }
  switch (kind) {
    case 'dom_text':
      return seen === undefined
        ? fact('failed_text_nowhere', { wanted })
        : fact('failed_text', { seen, wanted: quotedText(params) ?? wanted });
    case 'dom_count':
      return fact('failed_count', { wanted, seen: seen ?? 'none' });
    case 'url':
      return fact('failed_url', { wanted: params['pattern'] ?? wanted, seen: seen ?? 'no page' });
    case 'no_dialog':
      return fact('failed_dialog', { shown: seen !== undefined, seen: seen ?? '' });
    case 'unchanged':
      return fact('failed_unchanged', {
        seen,
        has_except: params['has_except'] ?? false,
        except: params['except'] ?? [],
      });
    case 'network':
      return fact('failed_network', { seen, wanted });
  }
  const quoted = seen === undefined ? undefined : `“${seen}”`;
  return fact('failed_other', { seen: quoted, wanted });
}

/** `“Thanks”`, or the pattern of a text; null in older files. */
function quotedText({ text, pattern }: Fact['params']): string | null {
  return text === undefined ? (pattern?.toString() ?? null) : `“${text.toString()}”`;
}

/** Why an episode did not pass, the clause that decided, and the agent's last act. */
export function failureReport(episode: Episode & Pick<EpisodeLine, 'last_tool_call' | 'self_reported'>): Content[] {
  const failure = failureOf(episode);
  if (failure === null) return [lastAct(episode)];
  const { sentence, clause } = failure;
  return [quote(sentence), ' ', clause === null ? '' : [clauseText(clause), '. '], lastAct(episode)];
}

export function clauseText({ name, expected, observed }: Clause): Content {
  return [code(name), ': expected: ', quote(expected), '; found: ', quote(observed)];
}

/** The last call, or the report of an agent that drives the browser itself. */
function lastAct({
  last_tool_call: call,
  self_reported: reported,
}: Pick<EpisodeLine, 'last_tool_call' | 'self_reported'>): Content {
  if (reported !== null) return `It reported ${counted(reported.steps, 'step')}.`;
  return call === null
    ? 'No tool call.'
    : ['Last tool call: ', quote(`${call.tool} ${JSON.stringify(call.args)}`), '.'];
}

/** Quotes an observed value, except the JSON of an app's state, which has its own quotes. */
export function inQuotes(text: string, kind: string): string {
  return kind === 'app_state' ? text : `“${text}”`;
}

function foundText(value: Contract['observed']): string | null {
  if (value === null) return null;
  const stored = StoredFact.safeParse(value);
  if (stored.success) return messageFor(stored.data);
  if (typeof value === 'object' && 'preview' in value && typeof value.preview === 'string') return value.preview;
  return JSON.stringify(value);
}
