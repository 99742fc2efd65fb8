import type { Act, Outcome, Turn } from '../page/view.ts';
import type { NacTab } from './nac-tab.ts';
import type { NacShown } from './shown.ts';

export interface NacNamed<T> {
  matches: readonly T[];
  /** Arguments with values that the description does not have. */
  invented: string[];
}

interface Naming<T> {
  find: (shown: NacShown) => NacNamed<T>;
  /** Returns what the description that the agent saw last lacks of what the call names, and what there is; null if nothing. */
  problem: (shown: NacShown | null) => string | null;
  /** Whether something that the agent was shown is still there. */
  isThere?: (match: T, before: NacShown) => boolean;
  /** Returns why the call is not sent if there is not exactly one now. */
  notOne: (now: NacShown, count: number) => string;
  act: (turn: Turn<NacTab>, match: T, now: NacShown) => Promise<Outcome<NacTab>>;
}

/** Has the page's runtime act on what a call names, if it was there once when the agent saw the page, and is there once now. */
export function onNamed<T>({ find, problem, isThere = () => true, notOne, act }: Naming<T>): Act<NacTab> {
  return {
    locate: ({ target, shown, earlier }) => {
      const then = shown === null ? null : find(shown.nac);
      target.located({
        shown: (then?.matches.length ?? 0) > 0,
        shown_before: earlier.some(({ nac }) => find(nac).matches.length > 0),
        matched_then: then?.matches.length ?? null,
        invented: then?.invented ?? [],
      });
    },
    run: async (turn) => {
      const before = turn.shown?.nac ?? null;
      const unsafe = problem(before);
      const now = await turn.see();
      if (now === null) return { problem: turn.stage.describeDialog() };
      if (now.isNotice === true) return { problem: now.text };
      const matches = find(now.nac).matches.filter((match) => before === null || isThere(match, before));
      turn.target.learn({ matched_now: matches.length });
      if (unsafe !== null) return { problem: unsafe };
      const [match] = matches;
      if (match === undefined || matches.length > 1) return { problem: notOne(now.nac, matches.length) };
      return await act(turn, match, now.nac);
    },
  };
}
