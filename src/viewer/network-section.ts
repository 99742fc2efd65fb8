import type { Evidence, NetworkEntry } from '../contract/evidence.ts';
import { wellFormed } from '../contract/strings.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import { integerText } from '../report/numbers.ts';
import { wideTable } from '../report/html/blocks.ts';

/** Most exchanges in one page, and most characters of a body. */
const SHOWN = { exchanges: 500, body: 300 };

/** Draw what the world's own log saw until the end; where there is none, why. */
export function networkSection(network: Evidence['network']): Markup {
  return markup`<section aria-labelledby="network">
<h2 id="network">Network</h2>
${network.captured ? exchanges(network.value) : markup`<p class="quiet">No log: ${network.why}</p>`}
</section>`;
}

type Log = Extract<Evidence['network'], { captured: true }>['value'];

function exchanges({ entries, since }: Log): Markup {
  const during = entries.filter(({ seq }) => seq >= since.contract_enter).length;
  const left = entries.length - SHOWN.exchanges;
  const heads = ['#', 'method', 'status', 'URL', 'body of the request'].map(
    (name) => markup`<th scope="col">${name}</th>`,
  );
  return markup`<p>${integerText(entries.length)} ${entries.length === 1 ? 'exchange' : 'exchanges'}, as the world saw them; ${integerText(during)} of them since the episode began.</p>
${entries.length === 0 ? null : wideTable('Exchanges', markup`<thead><tr>${heads}</tr></thead><tbody>${entries.slice(0, SHOWN.exchanges).map(exchange)}</tbody>`)}
${left > 0 ? markup`<p class="quiet">${integerText(left)} more are in the evidence.</p>` : null}`;
}

function exchange({ seq, method, status, url, request_body: body, request_body_truncated: cut }: NetworkEntry): Markup {
  return markup`<tr><td class="figure">${seq}</td><td>${method}</td><td>${status ?? 'no answer'}</td><td class="url">${url}</td><td class="url">${body === null ? '–' : bodyText(body, cut)}</td></tr>`;
}

function bodyText(body: string, cut: boolean): string {
  const shown = wellFormed(body.slice(0, SHOWN.body));
  return shown.length < body.length || cut ? `${shown} …` : shown;
}
