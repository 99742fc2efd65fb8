import type { EpisodeLine } from '../report/episode-line.ts';
import { decisiveClause, failureSentence } from '../report/failure.ts';
import { printable } from '../report/printable.ts';
import { shellWord } from '../report/shell-word.ts';
import { episodeName } from '../task/instance.ts';

/** Say of each episode that did not pass why, as the report does, and where its evidence lies. */
export function whyItFailed(episodes: readonly EpisodeLine[], bundle: string): string {
  const failed = episodes.filter(({ status }) => status !== 'passed');
  const reasons = failed.flatMap((episode) => {
    const clause = decisiveClause(episode);
    return [
      `${episodeName(episode)}: ${episode.status}. ${failureSentence(episode) ?? ''}`,
      ...(clause === null
        ? []
        : [`  clause:   ${clause.name}`, `  expected: ${clause.expected}`, `  observed: ${clause.observed}`]),
    ];
  });
  const look = `look at it: npx touchstone show ${shellWord(bundle)} --serve`;
  return [...(failed.length === 0 ? ['no episode has run'] : reasons), look].map((line) => printable(line)).join('\n');
}
