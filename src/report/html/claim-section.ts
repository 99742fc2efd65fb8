import type { Decision } from '../../claim/eligibility.ts';
import { groupBy } from '../../claim/group.ts';
import { namesIn } from '../claim-lines.ts';
import { percent } from '../figure-text.ts';
import type { Report } from '../report.ts';
import { type Markup, markup } from './markup.ts';

/** What may be said, first of all: what the plan can show, then who did better where policy lets it be said, then what stands against it. */
export function claimSection({ claims, headlines }: Report): Markup {
  const { smallest_detectable: smallest, policy, entrants } = claims;
  return markup`<section aria-labelledby="claim">
<h2 id="claim">What this campaign can say</h2>
<p class="smallest"><span class="big">${smallest === null ? '–' : `${percent(smallest)} points`}</span> is the smallest difference of success rates without faults that this plan can show. Nothing is ranked below it; what is said of recovery, or of tasks behind a login, names its own.</p>
${headlines.length === 0 ? markup`<p class="verdict no">No claim of who does better: nothing here is eligible for one.</p>` : headlines.map((each) => markup`<p class="verdict yes">${each}</p>`)}
${eligibility(entrants.map(({ aggregate }) => aggregate))}
<p class="quiet">Decided by policy ${policy.version}; report.json holds it, with every decision.</p>
</section>`;
}

/** Each grade with those who have it, then each reason with those against whom it stands. */
export function eligibility(decisions: readonly Decision[]): Markup {
  const grades = groupBy(decisions, ({ grade }) => grade);
  const reasons = groupBy(
    decisions
      .flatMap((decision) => decision.reasons.map(({ code, text }) => ({ code, text, name: namesIn(decision) })))
      .toSorted((a, b) => a.code.localeCompare(b.code, 'en')),
    ({ code, text }) => `${code} ${text}`,
  );
  const of = (names: readonly string[]) => (names.length === decisions.length ? 'all entrants' : names.join(', '));
  const lines = [...reasons.values()].flatMap((same) =>
    same
      .slice(0, 1)
      .map(
        ({ code, text }) =>
          markup`<li><code>${code}</code> ${text} <span class="quiet">(${of(same.map(({ name }) => name))})</span></li>`,
      ),
  );
  return markup`<div class="eligibility">
${[...grades].map(([grade, own]) => markup`<p><span class="grade ${grade}">${grade}</span> ${of(own.map(namesIn))}</p>`)}
${lines.length === 0 ? markup`<p>Nothing stands against a claim.</p>` : markup`<p>What stands against a claim:</p><ul>${lines}</ul>`}
</div>`;
}
