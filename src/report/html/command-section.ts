import { type Markup, markup } from './markup.ts';
import { wholeOptions } from './whole-options.ts';

/** Commands to be copied. They name the folder of the bundle as the one that one stands in, so no text of a stranger is in them. */
export function commandSection(): Markup {
  return markup`<section aria-labelledby="again">
<h2 id="again">Do it again</h2>
<p>Type this in the folder of this bundle, where that is in a clone of Touchstone. Elsewhere, name the folder in the place of the dot; and where Touchstone is installed as a package, begin with <code>npx touchstone</code> instead of <code>npm run touchstone --</code>.</p>
<dl class="commands">
${command('Check this file, and all that it is drawn from', 'npm run touchstone -- verify .')}
${command('Run all episodes again that no model or program decided, and compare', 'npm run touchstone -- verify . --rerun 100%')}
${command('Look at every step of every episode', 'npm run touchstone -- show . --serve')}
</dl>
</section>`;
}

function command(what: string, text: string): Markup {
  return markup`<dt>${what}</dt><dd><code class="command">${wholeOptions(text)}</code> <button type="button" class="copy">Copy</button></dd>`;
}
