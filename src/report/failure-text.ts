import { code, quote, type Content } from './document.ts';
import { counted } from './numbers.ts';
import type { EpisodeLine } from './episode-line.ts';
import { decisiveClause, failureSentence } from './failure.ts';

type Failed = Parameters<typeof failureSentence>[0] & Pick<EpisodeLine, 'last_tool_call' | 'self_reported'>;

/** Why an episode did not pass: the sentence, the clause that decided, and the last thing that the agent did. */
export function failureReport(line: Failed): Content[] {
  const sentence = failureSentence(line);
  const clause = clauseText(line);
  return [sentence === null ? '' : [quote(sentence), ' '], clause === null ? '' : [clause, '. '], lastAct(line)];
}

/** The clause that decided; null of an episode in which none explains anything. */
export function clauseText(line: Parameters<typeof decisiveClause>[0]): Content | null {
  const clause = decisiveClause(line);
  if (clause === null) return null;
  return [code(clause.name), ' expected ', quote(clause.expected), ', observed ', quote(clause.observed)];
}

/** The last call that was seen, or what an agent that drives the browser itself reports. */
function lastAct({
  last_tool_call: call,
  self_reported: reported,
}: Pick<Failed, 'last_tool_call' | 'self_reported'>): Content {
  if (reported !== null) return `By its own word it took ${counted(reported.steps, 'step')}.`;
  return call === null
    ? 'No tool call.'
    : ['Last tool call: ', quote(`${call.tool} ${JSON.stringify(call.args)}`), '.'];
}
