import type { Reason } from '../../claim/eligibility.ts';
import { groupBy } from '../../claim/group.ts';
import type { HeadlineAxis } from '../../claim/policy.ts';
import { barredComparisons, decisionsOn, falsePassText, namesIn, waiversOn } from '../decisions.ts';
import { percent } from '../figure-text.ts';
import type { Report } from '../report.ts';
import { type Markup, markup } from './markup.ts';

/** Draw what may be said, first of all: what the campaign can show, then who did better where policy lets it be said, then what stands against it. */
export function claimSection({ claims, headlines }: Pick<Report, 'claims' | 'headlines'>): Markup {
  const { smallest_detectable: smallest, policy } = claims;
  return markup`<section aria-labelledby="claim">
<h2 id="claim">What this campaign can say</h2>
<p class="smallest">${smallest === null ? 'This campaign can show no difference of success rates without faults' : markup`<span class="big">${percent(smallest)} points</span> is the smallest difference of success rates without faults that this campaign can show. Nothing is ranked below it`}; what is said of recovery, or of tasks behind a login, names its own.</p>
${headlines.length === 0 ? markup`<p class="verdict no">No claim of who does better: nothing here is eligible for one.</p>` : headlines.map((each) => markup`<p class="verdict yes">${each}</p>`)}
${eligibility(claims, 'task_completion')}
<p class="quiet">Decided by policy ${policy.version}; report.json holds it, with every decision.</p>
</section>`;
}

/** Draw an axis: each grade with those who have it, then each reason with those against whom it stands, then with pairs, then waivers. */
export function eligibility(claims: Report['claims'], axis: HeadlineAxis): Markup {
  const decisions = decisionsOn(claims, axis);
  const grades = groupBy(decisions, ({ grade }) => grade);
  const of = (names: readonly string[]) => (names.length === decisions.length ? 'all entrants' : names.join(', '));
  const reasons = groupBy(
    decisions
      .flatMap((decision) => decision.reasons.map((reason) => ({ reason, name: namesIn(decision) })))
      .toSorted((a, b) => a.reason.code.localeCompare(b.reason.code, 'en')),
    ({ reason: { code, text } }) => `${code} ${text}`,
  );
  const lines = [...reasons.values()].flatMap((same) =>
    same.slice(0, 1).map(({ reason }) => reasonLine(reason, of(same.map(({ name }) => name)))),
  );
  const barred = barredComparisons(claims, axis).flatMap(({ pairs, reasons: against }) =>
    against.map((reason) => reasonLine(reason, pairs.join('; '))),
  );
  const falsePasses = falsePassText(claims, axis);
  const waivers = waiversOn(claims, axis).map(
    ({ task, mutant, reason }) => markup`<li>${task}: <code>${mutant}</code>, because ${reason}</li>`,
  );
  return markup`<div class="eligibility">
${[...grades].map(([grade, own]) => markup`<p><span class="grade ${grade}">${grade}</span> ${of(own.map(namesIn))}</p>`)}
${lines.length + barred.length === 0 ? markup`<p>Nothing stands against a claim.</p>` : null}${lines.length === 0 ? null : markup`<p>What stands against a claim:</p><ul>${lines}</ul>`}
${barred.length === 0 ? null : markup`<p>What stands against comparing two, and against neither alone:</p><ul>${barred}</ul>`}
${falsePasses === null ? null : markup`<p>${falsePasses}</p>`}
${waivers.length === 0 ? null : markup`<p>Waived in the proofs that all of this rests on:</p><ul>${waivers}</ul>`}
</div>`;
}

function reasonLine({ code, text }: Reason, whom: string): Markup {
  return markup`<li><code>${code}</code> ${text} <span class="quiet">(${whom})</span></li>`;
}
