import type { SignInFigures } from '../claim/sign-in.ts';
import { secondsText, shareText } from './figure-text.ts';
import { axisLines } from './claim-lines.ts';
import { ENTRANT, markdownTable } from './markdown-table.ts';
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
      [
        ...ENTRANT,
        { head: 'signed in', left: true, cell: ({ by }) => SIGN_IN_WORDS[by] },
        { head: 'passed', cell: ({ passed }) => shareText(passed) },
      ],
      entrants,
    ),
    '',
    ...(setups.length === 0
      ? []
      : [
          ...markdownTable(
            [
              { head: 'role', left: true, cell: ({ role }) => role },
              { head: 'suite', left: true, cell: ({ suite }) => suite },
              { head: 'signing in took', cell: ({ setup_ms: took }) => secondsText(took) },
              { head: 'episodes', cell: ({ episodes }) => episodes },
            ],
            setups,
          ),
          '',
        ]),
    ...axisLines(claims, 'authentication'),
  ];
}
