import { Fact, StoredFact } from '../messages/message.ts';
import { fact, messageFor } from '../messages/messages.ts';
import { withIndices } from '../task/source/source.ts';
import { brokenBesideAgent } from './failure-reasons.ts';
import type { EpisodeLine } from './counted-rows.ts';
import { isReference } from './glossary.ts';
import { code, quote, type Content } from './document.ts';
import { counted } from './numbers.ts';
import type { Row } from '../bundle/row.ts';

type FailureFacts = Pick<
  EpisodeLine,
  'agent' | 'status' | 'failure_category' | 'detail' | 'why_not' | 'failed_contract'
>;
type Contract = NonNullable<EpisodeLine['failed_contract']>;

/** The clause that decided against an episode, in text. */
export interface Clause {
  /** `success.children[0] (dom_text)` */
  name: string;
  expected: string;
  observed: string;
}

/** The beginning of the sentence for each status but `passed`, which has none, and `failed`, which the contract explains. */
const BEGINNINGS = new Map<string, string>([
  ['gave_up', 'The agent gave up'],
  ['max_steps', 'It was stopped'],
  ['max_turns', 'It was stopped'],
  ['timeout', 'It was stopped'],
  ['budget_exceeded', 'It was stopped'],
  ['replay_drift', 'The page was another than the transcript knows'],
  ['agent_error', 'The agent ended with an error'],
  ['infra_error', 'The infrastructure failed, and not the entrant'],
  ['not_applicable', 'It cannot be run'],
  ['unavailable', 'It was not here to be run'],
]);

/** The same by category, of an episode that something outside the entrant has ended. */
const OUTSIDE = new Map<EpisodeLine['failure_category'], string>([
  ['provider', 'The provider of the model failed, and not the entrant'],
  ['budget', 'The money for all episodes was spent'],
]);

/** The sentence behind the cause, where that says by itself what happened: a line that is cut must not hide it. */
const ENDINGS = new Map<string, string>([['invalid_task', 'The task was at fault, and not the entrant.']]);
const OF_SOLUTION = 'The solution of the task could not be followed.';

/** Statuses after which a contract explains nothing: nobody worked on the task to the end, or could. */
const WITHOUT_CLAUSE = new Set<string>(['infra_error', 'invalid_task', 'not_applicable', 'unavailable', 'passed']);

/** Say in one sentence why an episode did not pass; null where it did. Text from pages and agents stands in it. */
export function failureSentence(line: FailureFacts): string | null {
  const { status, failure_category: category, detail, why_not: whyNot, failed_contract: contract } = line;
  if (status === 'passed') return null;
  // Its detail is a sentence that names it.
  if (status === 'agent_error' && detail !== null && brokenBesideAgent(line) !== null) return asSentence(detail);
  const ending = status === 'agent_error' && isReference(line) ? OF_SOLUTION : ENDINGS.get(status);
  if (ending !== undefined) return detail === null ? ending : `${asSentence(detail)} ${ending}`;
  const outside = status === 'infra_error' ? OUTSIDE.get(category) : undefined;
  const beginning = outside ?? BEGINNINGS.get(status);
  if (beginning !== undefined) {
    const why = detail ?? whyNot;
    return `${beginning}${why === null ? '' : `: ${why}`}.`;
  }
  if (contract === null) return detail ?? `It ended as ${status}.`;
  return status === 'inconclusive'
    ? messageFor(fact('failed_unknown', { wanted: foundText(contract.expected) ?? contract.kind }))
    : (ofReference(line, contract) ?? contractSentence(contract));
}

function asSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/** A reference that was carried out and meets nothing where the contract looks says something of the task, not of an agent. */
function ofReference(line: FailureFacts, { kind, path, expected, observed }: Contract): string | null {
  const seen = foundText(observed);
  const isNothing = (kind === 'dom_text' && seen === null) || (kind === 'dom_count' && seen === '0');
  if (!isReference(line) || !isNothing) return null;
  return messageFor(fact('failed_solution', { place: withIndices(path), wanted: foundText(expected) ?? kind }));
}

/** The clause to show beside the sentence; null where none explains anything. */
export function decisiveClause({
  status,
  failed_contract: contract,
}: Pick<FailureFacts, 'status' | 'failed_contract'>): Clause | null {
  if (contract === null || WITHOUT_CLAUSE.has(status)) return null;
  return {
    name: `${withIndices(contract.path)} (${contract.kind})`,
    expected: foundText(contract.expected) ?? 'nothing',
    observed: foundText(contract.observed) ?? 'nothing',
  };
}

function contractSentence({ kind, path, expected, observed }: Contract): string {
  return messageFor(failureOf({ kind, path, expected, seen: foundText(observed) ?? undefined }));
}

interface Failed extends Pick<Contract, 'kind' | 'path' | 'expected'> {
  seen: string | undefined;
}

function failureOf({ kind, path, expected, seen }: Failed): Fact {
  const wanted = foundText(expected) ?? 'something else';
  switch (kind) {
    case 'dom_text':
      return seen === undefined ? fact('failed_text_nowhere', { wanted }) : fact('failed_text', { seen });
    case 'dom_count':
      return fact('failed_count', { wanted, seen: seen ?? 'none' });
    case 'url':
      return fact('failed_url', { seen: seen ?? 'no page' });
    case 'no_dialog':
      return fact('failed_dialog', { shown: seen !== undefined, seen: seen ?? '' });
    case 'unchanged':
      return fact('failed_unchanged', { seen });
    case 'network':
      return fact('failed_network', { seen, wanted });
  }
  const ofValue = failureOfValue(Fact.safeParse(expected).data, seen);
  const quoted = seen === undefined ? undefined : `“${seen}”`;
  return ofValue ?? fact('failed_other', { guard: path.startsWith('guards'), seen: quoted, wanted });
}

/** The failure of an answer or a value in the app's state; null if the row is of a version that stored sentences. */
function failureOfValue(expected: Fact | undefined, seen: string | undefined): Fact | null {
  const { code: kindOfFact, params = {} } = expected ?? {};
  const answer = { given: seen !== undefined, seen: seen ?? '', several: params['several'] ?? false };
  const { place } = params;
  switch (kindOfFact) {
    case 'answer_one_of':
      return fact('failed_answer', { ...answer, wanted: params['texts'] ?? '' });
    case 'answer_number':
      return fact('failed_answer', { ...answer, wanted: params['number'] ?? '' });
    case 'answer_date':
      return fact('failed_answer', { ...answer, wanted: params['date'] ?? '' });
    case 'answer_not_possible':
      return fact('failed_answer', { ...answer, wanted: '"not possible"' });
    case 'state_equals':
      return fact('failed_state_equals', { place, wanted: params['json'] ?? '', seen });
    case 'state_matches':
      return fact('failed_state_matches', { place, wanted: params['pattern'] ?? '', seen });
    case 'state_absent':
      return fact('failed_state_absent', { place, seen });
    case undefined:
    default:
      return null;
  }
}

type FailedLine = Parameters<typeof failureSentence>[0] & Pick<EpisodeLine, 'last_tool_call' | 'self_reported'>;

/** Why an episode did not pass: the sentence, the clause that decided, and the last thing that the agent did. */
export function failureReport(line: FailedLine): Content[] {
  const sentence = failureSentence(line);
  const clause = clauseText(line);
  return [sentence === null ? '' : [quote(sentence), ' '], clause === null ? '' : [clause, '. '], lastAct(line)];
}

/** The clause that decided; null of an episode in which none explains anything. */
export function clauseText(line: Parameters<typeof decisiveClause>[0]): Content | null {
  const clause = decisiveClause(line);
  if (clause === null) return null;
  return [code(clause.name), ': expected: ', quote(clause.expected), '; found: ', quote(clause.observed)];
}

/** The last call that was seen, or what an agent that drives the browser itself reports. */
function lastAct({
  last_tool_call: call,
  self_reported: reported,
}: Pick<FailedLine, 'last_tool_call' | 'self_reported'>): Content {
  if (reported !== null) return `By its own word it took ${counted(reported.steps, 'step')}.`;
  return call === null
    ? 'No tool call.'
    : ['Last tool call: ', quote(`${call.tool} ${JSON.stringify(call.args)}`), '.'];
}

/** An expected or observed value, as a row has it. */
type ObservedInRow = NonNullable<Row['failed_contract']>['observed'];

/** Put what was observed in quotes, once: of an app's state it is JSON, in which text stands in quotes already. */
export function inQuotes(text: string, kind: string): string {
  return kind === 'app_state' ? text : `“${text}”`;
}

/** The text of what an assertion expected or observed; null if it saw nothing. */
export function foundText(value: ObservedInRow): string | null {
  if (value === null) return null;
  const stored = StoredFact.safeParse(value);
  if (stored.success) return messageFor(stored.data);
  if (typeof value === 'object' && 'preview' in value && typeof value.preview === 'string') return value.preview;
  return JSON.stringify(value);
}
