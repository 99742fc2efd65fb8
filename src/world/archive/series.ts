import { answerKey } from './answer-key.ts';
import { type HarEntry, recordedExchange } from './har.ts';
import { requestKey } from './request-key.ts';

/** The exchanges that one owner has of one request, in the order in which they were recorded. */
export interface Series {
  page: string;
  key: string;
  /** No request that changes anything: only those are told apart by nothing but their answers. */
  isRead: boolean;
  entries: HarEntry[];
  /** The answers in order, as text to compare. The last is repeated for ever, so repetitions at the end do not count. */
  answers: string;
}

/** All series of an index, in the order in which each begins. */
export function seriesOf(entries: readonly HarEntry[], ignoreQuery: ReadonlySet<string>): Series[] {
  const found = new Map<string, { series: Omit<Series, 'answers'>; answers: string[] }>();
  for (const entry of entries) {
    const exchange = recordedExchange(entry);
    const { page, method } = exchange;
    const key = requestKey(exchange, ignoreQuery);
    const id = JSON.stringify([page, key]);
    const isRead = method === 'GET' || method === 'HEAD';
    const known = found.get(id) ?? { series: { page, key, isRead, entries: [] }, answers: [] };
    found.set(id, known);
    known.series.entries.push(entry);
    known.answers.push(answerKey(exchange));
  }
  return [...found.values()].map(({ series, answers }) => {
    const length = answers.findLastIndex((answer) => answer !== answers.at(-1)) + 2;
    return { ...series, entries: series.entries.slice(0, length), answers: answers.slice(0, length).join('\n') };
  });
}
