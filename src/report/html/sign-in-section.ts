import type { SignInFigures } from '../../claim/sign-in.ts';
import { integerText, secondsText } from '../figure-text.ts';
import { SIGN_IN_WORDS } from '../sign-in-lines.ts';
import { agentsBeside } from '../as-it-must.ts';
import type { Report } from '../report.ts';
import { foldedEligibility } from './claim-section.ts';
import { type DrawnColumn, figureCell, figureTable, shareCell, UNNUMBERED } from './entrant-name.ts';
import { type Markup, markup } from './markup.ts';

const ENTRANTS: readonly DrawnColumn<SignInFigures['entrants'][number]>[] = [
  UNNUMBERED,
  { head: 'signed in', cell: ({ by }) => figureCell(SIGN_IN_WORDS[by]) },
  { head: 'passed', cell: ({ passed }) => shareCell(passed) },
];

const SETUPS: readonly DrawnColumn<SignInFigures['setups'][number]>[] = [
  { head: 'role', cell: ({ role }) => markup`<th scope="row">${role}</th>` },
  { head: 'suite', cell: ({ suite }) => figureCell(suite) },
  { head: 'signing in took', cell: ({ setup_ms: took }) => figureCell(secondsText(took)) },
  { head: 'episodes', cell: ({ episodes }) => figureCell(integerText(episodes)) },
];

/** Axis E: whole tasks behind a login; nothing where no task was. */
export function signInSection({
  sign_in: figures,
  claims,
  agents,
}: Pick<Report, 'sign_in' | 'claims' | 'agents'>): Markup | null {
  if (figures === undefined) return null;
  const beside = agentsBeside(agents);
  return markup`<section aria-labelledby="sign-in">
<h2 id="sign-in">Behind a login</h2>
<p>Whole tasks, by the same contract and the same caps. What signing in beforehand took is in no time of an episode: a role does it once in a campaign, and that is diagnostic.</p>
${figureTable('Tasks behind a login, by entrant', ENTRANTS, figures.entrants, ({ agent }) => beside.has(agent))}
${figures.setups.length === 0 ? null : figureTable('What signing in took, by role', SETUPS, figures.setups)}
${foldedEligibility(claims, 'authentication')}
</section>`;
}
