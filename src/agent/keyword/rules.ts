import type { Answer } from '../../contract/evidence.ts';
import type { SurfaceIntent } from '../../task/intent.ts';
import { CLICKABLE, FIELDS, LISTS, type Observation } from './observation.ts';
import { valueFor, wantsAnswer } from './values.ts';
import { goalWords, hits, wordsOf } from './words.ts';

/** Names of buttons that send a form off, when the goal does not name one. */
const SUBMITS = new Set(
  wordsOf('send submit save ok done confirm sign log continue next apply create add search update'),
);

/** Name an action, so that none is tried twice. */
export function intentKey(intent: SurfaceIntent): string {
  const { do: verb, ...what } = intent;
  return `${verb} ${JSON.stringify(what)}`;
}

/** The next thing to do on what is seen; null when nothing bears on the goal. `tried` holds the keys of what was done. */
export function nextIntent(goal: string, seen: Observation, tried: ReadonlySet<string>): SurfaceIntent | null {
  const isNew = (intent: SurfaceIntent): boolean => !tried.has(intentKey(intent));
  const clicks = scoredClicks(goal, seen);
  const hasFilled = [...tried].some((key) => /^(?:fill|choose) /.test(key));
  const hasClicked = [...tried].some((key) => key.startsWith('click '));
  const named = clicks.filter(({ share }) => share > 0.5);
  const submits = clicks.filter(
    ({ words }) => hasFilled && words.length > 0 && words.every((word) => SUBMITS.has(word)),
  );
  // A name that the goal says half is a guess, and made only where there is nothing better.
  const guesses = hasClicked ? [] : clicks.filter(({ share }) => share > 0);
  const inOrder = [
    ...fills(goal, seen),
    ...choices(goal, seen),
    ...[named, submits, guesses].flat().map(({ intent }) => intent),
  ];
  return inOrder.find(isNew) ?? null;
}

function fills(goal: string, { elements }: Observation): SurfaceIntent[] {
  return elements.flatMap(({ role, name }): SurfaceIntent[] => {
    const text = FIELDS.has(role) ? valueFor(name, goal) : null;
    return text === null ? [] : [{ do: 'fill', label: name, text }];
  });
}

/** Options that the goal names whole. */
function choices(goal: string, { elements }: Observation): SurfaceIntent[] {
  const said = ` ${wordsOf(goal).join(' ')} `;
  return elements.flatMap(({ role, name, options }): SurfaceIntent[] => {
    if (!LISTS.has(role)) return [];
    const option = options.find((each) => wordsOf(each).length > 0 && said.includes(` ${wordsOf(each).join(' ')} `));
    return option === undefined ? [] : [{ do: 'choose', label: name, option }];
  });
}

interface ScoredClick {
  intent: SurfaceIntent;
  words: string[];
  /** Share of its name that the goal says, from 0 to 1. */
  share: number;
}

/** List what can be clicked, that first of whose name the goal says most; of equals, the first on the page. */
function scoredClicks(goal: string, { elements }: Observation): ScoredClick[] {
  const wanted = goalWords(goal);
  return elements
    .filter(({ role }) => CLICKABLE.has(role))
    .map(({ role, name }) => {
      const words = wordsOf(name);
      const count = hits(words, wanted);
      const share = words.length === 0 ? 0 : count / words.length;
      return { intent: { do: 'click', role, name } as const, words, share, score: count * share };
    })
    .toSorted((a, b) => b.score - a.score);
}

/** Answer the goal, if it asks: the number, or the words behind a colon, in the text that is nearest to the goal. */
export function answerFrom(goal: string, { texts }: Observation): Answer | null {
  if (!wantsAnswer(goal)) return null;
  const wanted = goalWords(goal);
  const nearest = texts
    .map((text) => ({ text, near: hits(wordsOf(text), wanted) / Math.sqrt(Math.max(1, wordsOf(text).length)) }))
    .filter(({ near }) => near > 0)
    .toSorted((a, b) => b.near - a.near);
  for (const { text } of nearest) {
    const value = (text.match(/[\p{L}\p{N}][\p{L}\p{N}.,/-]*/gu) ?? [])
      .map((word) => word.replace(/[.,/-]+$/, ''))
      .find((word) => /\d/.test(word) && !goal.includes(word));
    if (value !== undefined) return { value: /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value };
  }
  const words = nearest.map(({ text }) => /: *(.+)$/.exec(text)?.[1]).find((text) => text !== undefined);
  return words === undefined ? null : { value: words };
}
