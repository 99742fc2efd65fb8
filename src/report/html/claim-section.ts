import type { EntrantClaims } from '../../claim/claims.ts';
import { percent } from '../figure-text.ts';
import type { Report } from '../report.ts';
import { type Markup, markup } from './markup.ts';

/** What may be said, first of all: what the plan can show, then who did better where policy lets it be said, then what stands against it. */
export function claimSection({ claims, headlines }: Report): Markup {
  const { smallest_detectable: smallest, policy, entrants } = claims;
  return markup`<section aria-labelledby="claim">
<h2 id="claim">What this campaign can say</h2>
<p class="smallest"><span class="big">${smallest === null ? '–' : `${percent(smallest)} points`}</span> is the smallest difference of success rates that this plan can show. Nothing is ranked below it.</p>
${headlines.length === 0 ? markup`<p class="verdict no">No claim of who does better: nothing here is eligible for one.</p>` : headlines.map((each) => markup`<p class="verdict yes">${each}</p>`)}
${eligibility(entrants)}
<p class="quiet">Decided by policy ${policy.version}; report.json holds it, with every decision.</p>
</section>`;
}

/** Entrants against whom the same stands are named together. */
function eligibility(entrants: readonly EntrantClaims[]): Markup[] {
  const groups = new Map<string, EntrantClaims[]>();
  for (const entrant of entrants) {
    const key = JSON.stringify([entrant.aggregate.grade, entrant.aggregate.reasons]);
    groups.set(key, [...(groups.get(key) ?? []), entrant]);
  }
  return [...groups.values()].map((group) => {
    const names = group.map(({ agent, surface }) => `${agent} through ${surface}`).join(', ');
    const [first] = group;
    const reasons = first?.aggregate.reasons ?? [];
    const grade = first?.aggregate.grade ?? '';
    return markup`<div class="eligibility"><p><span class="grade ${grade}">${grade}</span> ${names}</p>
${reasons.length === 0 ? markup`<p>Nothing stands against a claim.</p>` : markup`<ul>${reasons.map(({ code, text }) => markup`<li><code>${code}</code> ${text}</li>`)}</ul>`}</div>`;
  });
}
