import { withIndices } from '../task/with-indices.ts';
import type { EpisodeLine } from './episode-line.ts';
import { foundText } from './found.ts';
import { isReference } from './glossary.ts';
import { brokenBesideAgent } from './what-broke.ts';

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
    ? `Nobody can tell: ${foundText(contract.expected) ?? contract.kind} could not be judged.`
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
  return `Look at the task: its own solution ends where the selector of ${withIndices(path)} matches nothing (${foundText(expected) ?? kind}).`;
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
  const seen = foundText(observed);
  const wanted = foundText(expected) ?? 'something else';
  const quoted = seen === null ? null : `“${seen}”`;
  switch (kind) {
    case 'dom_text':
      return quoted === null ? `Nothing on the page is there to have it: ${wanted}.` : `The page shows ${quoted}.`;
    case 'dom_count':
      return `The page should have ${wanted}, and has ${seen ?? 'none'}.`;
    case 'url':
      return `It ended at ${seen ?? 'no page'}, which is another page.`;
    case 'answer':
      return `${quoted === null ? 'No answer was given' : `The answer was ${quoted}`}; ${answerAsOrder(wanted)}.`;
    case 'no_dialog':
      return `A dialog is still open${quoted === null ? '' : `: ${quoted}`}.`;
    case 'app_state':
      return `${stateAsOrder(wanted)}, but the app has ${seen ?? 'nothing'} there.`;
    case 'unchanged':
      return `Something else was changed: ${seen ?? 'it is not known what'}.`;
    case 'network':
      return `The app was asked ${seen === null ? 'nothing of the kind' : seen}, and not as it should: ${wanted}.`;
    default:
      return `${path.startsWith('guards') ? 'Something else was damaged' : 'It was not done'}: found ${quoted ?? 'nothing'}, expected ${wanted}.`;
  }
}

/** Say what should have been answered, from what the judge says of the expected answer: `the answer is one of "A", "B"`. */
function answerAsOrder(expected: string): string {
  const value = /^the answer is (.*)$/s.exec(expected)?.[1];
  if (value === undefined) return expected;
  return `it should be ${/^one of ("[^"]*")$/.exec(value)?.[1] ?? value}`;
}

/** Say what the app's state should be, from what the judge says of the expected one: `/notes/2 equals {…}`. */
function stateAsOrder(expected: string): string {
  const [, place, verb, value = ''] = /^(.+?) (?:(equals|matches) (.+)|is absent$)/s.exec(expected) ?? [];
  if (place === undefined) return `It should be so that ${expected}`;
  const where = `${place.slice(0, 1).toUpperCase()}${place.slice(1)}`;
  if (verb === undefined) return `${where} should be absent`;
  return `${where} should ${verb === 'equals' ? 'be' : 'match'} ${value}`;
}
