import type { Decision } from '../../claim/eligibility.ts';
import { cellText, groupBy } from '../../claim/group.ts';
import type { HeadlineAxis } from '../../claim/policy.ts';
import { bestGrade, decisionsOn, falsePassText, namesIn, waiversOn } from '../decisions.ts';
import { percent } from '../figure-text.ts';
import { GRADES } from '../glossary.ts';
import type { Report } from '../report.ts';
import { type StandingReason, standingReasons } from '../standing-reasons.ts';
import { type Markup, markup } from './markup.ts';
import { wholeOptions } from './whole-options.ts';

const UNVERIFIED = 'not_verified';

/** Draw what may be claimed as one badge; what the campaign can show, and all that stands against a claim, is folded behind it. */
export function claimSection({ claims, headlines }: Pick<Report, 'claims' | 'headlines'>): Markup {
  const { smallest_detectable: smallest, policy } = claims;
  const decisions = decisionsOn(claims, 'task_completion');
  const grade = bestGrade(decisions);
  // That a view has verified nothing is no fact of the bundle, whose file has the same number.
  const codes = decisions.flatMap(({ reasons }) => reasons.map(({ code }) => code));
  const against = new Set(codes.filter((code) => code !== UNVERIFIED)).size;
  const said =
    headlines.length === 0
      ? markup`<span class="grade ${grade}">${grade}</span> No claim of who does better: nothing here is eligible for one. <span class="gloss">${grade} ${GRADES[grade]}</span>`
      : markup`<span class="grade primary">claim</span> ${headlines.map((each) => markup`<span class="verdict yes">${each}</span>`)}`;
  return markup`<section aria-labelledby="claim" class="claim">
<h2 id="claim" class="hidden">What may be claimed</h2>
<details class="badge"><summary>${said} <span class="more">${against === 0 ? 'More' : `${against} ${against === 1 ? 'reason' : 'reasons'}, and what would lift ${against === 1 ? 'it' : 'them'}`}</span></summary>
<p class="smallest">${smallest === null ? 'This campaign can show no difference of success rates without faults' : markup`<span class="big">${percent(smallest)} points</span> is the smallest difference of success rates without faults that this campaign can show. Nothing is ranked below it`}; what is said of recovery, or of tasks behind a login, names its own.</p>
${eligibility(claims, 'task_completion')}
<p class="quiet">Decided by version ${policy.version} of the policy, the fixed list of what has to be true for a claim; report.json holds it, with every decision.</p>
</details>
</section>`;
}

/** Draw the same folded, for a section of its own. */
export function foldedEligibility(claims: Report['claims'], axis: HeadlineAxis): Markup {
  return markup`<details><summary>What may be claimed of this, what stands against it, and what would lift that</summary>${eligibility(claims, axis)}</details>`;
}

/** Draw an axis: each grade with those who have it, then each reason with its remedy and those against whom it stands, then waivers. */
function eligibility(claims: Report['claims'], axis: HeadlineAxis): Markup {
  const decisions = decisionsOn(claims, axis);
  const standing = standingReasons(claims, axis);
  const { compared } = standing;
  const [alone, ofView] = [false, true].map((is) => standing.alone.filter(({ code }) => (code === UNVERIFIED) === is));
  const falsePasses = falsePassText(claims, axis);
  const waivers = waiversOn(claims, axis).map(
    ({ task, mutant, reason }) => markup`<li>${cellText(task)}: <code>${mutant}</code>, because ${reason}</li>`,
  );
  return markup`<div class="eligibility">
${gradeLines(decisions)}
${standing.alone.length + compared.length === 0 ? markup`<p>Nothing stands against a claim.</p>` : null}${reasonList('What stands against a claim, and what would lift it:', alone)}${reasonList('And of this view alone, beside what the bundle says of itself:', ofView)}
${reasonList('What stands against comparing two, and against neither alone:', compared)}
${falsePasses === null ? null : markup`<p>${falsePasses}</p>`}
${waivers.length === 0 ? null : markup`<p>Waived in the proofs that all of this rests on:</p><ul>${waivers}</ul>`}
</div>`;
}

function gradeLines(decisions: readonly Decision[]): Markup[] {
  const grades = groupBy(decisions, ({ grade }) => grade);
  return [...grades].map(([grade, own]) => {
    const names = own.length === decisions.length ? 'all entrants' : own.map(namesIn).join(', ');
    return markup`<p><span class="grade ${grade}">${grade}</span> ${names}</p>`;
  });
}

function reasonList(title: string, reasons: readonly StandingReason[] = []): Markup | null {
  return reasons.length === 0 ? null : markup`<p>${title}</p><ul>${reasons.map(reasonItem)}</ul>`;
}

/** Write a reason once, with all that was found of it, and its remedy. */
function reasonItem({ code, remedy, found }: StandingReason): Markup {
  const texts = found.map(
    ({ text, whom }) => markup`<span class="reason">${text} <span class="quiet">(${whom})</span></span>`,
  );
  const lift = remedy === null ? null : markup`<span class="remedy">To lift it: ${wholeOptions(remedy)}.</span> `;
  return markup`<li>${texts}${lift}<code>${code}</code></li>`;
}
