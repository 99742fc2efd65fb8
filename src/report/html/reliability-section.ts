import type { EntrantClaims } from '../../claim/claims.ts';
import { percent } from '../figure-text.ts';
import { columnHeads, entrantCell, figureCell, wideTable } from './entrant-name.ts';
import { type Markup, markup } from './markup.ts';

/** pass^k: that all of k repetitions pass. */
export function reliabilitySection(entrants: readonly EntrantClaims[]): Markup {
  const ks = [...new Set(entrants.flatMap(({ success }) => success.reliability.map(({ k }) => k)))].toSorted(
    (a, b) => a - b,
  );
  const cells = ({ success }: EntrantClaims) =>
    ks.map((k) => {
      const found = success.reliability.find((each) => each.k === k);
      if (found === undefined) return figureCell(null);
      const level = Math.round(found.pass_hat_k * 10);
      return markup`<td class="figure heat h${level}">${percent(found.pass_hat_k)} %</td>`;
    });
  return markup`<section aria-labelledby="reliability">
<h2 id="reliability">Reliability: pass^k</h2>
<p>How often all of k repetitions of a task pass; the mean over tasks.${ks.some((k) => k > 1) ? null : ' Every task was run once, so only k = 1 is known.'}</p>
${wideTable('pass^k by entrant', markup`${columnHeads(['entrant', ...ks.map((k) => `k = ${k}`)])}<tbody>${entrants.map((entrant, at) => markup`<tr>${entrantCell(entrant, at)}${cells(entrant)}</tr>`)}</tbody>`)}
</section>`;
}
