import type { SignInFigures } from '../claim/sign-in.ts';
import { secondsText, shareText } from './figure-text.ts';
import { axisLines } from './claim-lines.ts';
import { markdownTable } from './markdown-table.ts';
import type { Report } from './report.ts';

/** Name a way of signing in. */
export const SIGN_IN_WORDS = {
  form: 'by the agent, in the episode',
  stored_state: 'beforehand, as a role',
} as const satisfies Record<SignInFigures['entrants'][number]['by'], string>;

/** Axis E as Markdown; nothing where no task was behind a login. */
export function signInLines({ sign_in: figures, claims }: Pick<Report, 'sign_in' | 'claims'>): string[] {
  if (figures === undefined) return [];
  const { entrants, setups } = figures;
  return [
    '## Behind a login (axis E)',
    '',
    'Whole tasks, by the same contract and caps. What signing in beforehand took is in no time of an episode: a role does it once in a campaign, and that is diagnostic.',
    '',
    ...markdownTable(
      ['agent', 'surface', 'signed in', 'passed'],
      entrants.map((each) => [each.agent, each.surface, SIGN_IN_WORDS[each.by], shareText(each.passed)]),
      3,
    ),
    '',
    ...(setups.length === 0
      ? []
      : [
          ...markdownTable(
            ['role', 'suite', 'signing in took', 'episodes'],
            setups.map((each) => [each.role, each.suite, secondsText(each.setup_ms), String(each.episodes)]),
            2,
          ),
          '',
        ]),
    ...axisLines(claims, 'authentication'),
  ];
}
