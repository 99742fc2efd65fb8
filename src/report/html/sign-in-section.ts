import type { SignInFigures } from '../../claim/sign-in.ts';
import { integerText, secondsText } from '../figure-text.ts';
import { SIGN_IN_WORDS } from '../sign-in-lines.ts';
import type { Report } from '../report.ts';
import { foldedEligibility } from './claim-section.ts';
import { columnHeads, figureCell, shareCell, wideTable } from './entrant-name.ts';
import { type Markup, markup } from './markup.ts';

/** Axis E: whole tasks behind a login; nothing where no task was. */
export function signInSection({ sign_in: figures, claims }: Pick<Report, 'sign_in' | 'claims'>): Markup | null {
  if (figures === undefined) return null;
  return markup`<section aria-labelledby="sign-in">
<h2 id="sign-in">Behind a login</h2>
<p>Whole tasks, by the same contract and the same caps. What signing in beforehand took is in no time of an episode: a role does it once in a campaign, and that is diagnostic.</p>
${wideTable('Tasks behind a login, by entrant', markup`${columnHeads(['entrant', 'signed in', 'passed'])}<tbody>${figures.entrants.map(entrantLine)}</tbody>`)}
${figures.setups.length === 0 ? null : wideTable('What signing in took, by role', markup`${columnHeads(['role', 'suite', 'signing in took', 'episodes'])}<tbody>${figures.setups.map(setupLine)}</tbody>`)}
${foldedEligibility(claims, 'authentication')}
</section>`;
}

function entrantLine({ agent, surface, by, passed }: SignInFigures['entrants'][number]): Markup {
  return markup`<tr><th scope="row">${agent} <span class="through">through</span> ${surface}</th>${figureCell(SIGN_IN_WORDS[by])}${shareCell(passed)}</tr>`;
}

function setupLine({ role, suite, setup_ms: took, episodes }: SignInFigures['setups'][number]): Markup {
  return markup`<tr><th scope="row">${role}</th>${figureCell(suite)}${figureCell(secondsText(took))}${figureCell(integerText(episodes))}</tr>`;
}
