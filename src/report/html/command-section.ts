import { nameOfInstance } from '../../task/instance.ts';
import type { EpisodeLine } from '../counted-rows.ts';
import { shellWord } from '../shell-word.ts';
import { type Markup, markup } from './markup.ts';
import { unbroken } from './blocks.ts';

/** A placeholder: a file does not know its bundle's path, unless `own-folder.js` finds it. */
const BUNDLE = 'path/to/bundle';

const IN_A_CLONE = 'npm run touchstone --';
/** Never asks a registry for a package of that name. */
const INSTALLED = 'npx --no-install touchstone';

/** @param bundle its path, if known */
export function showCommand(episode: string, bundle: string | null): string {
  return `${INSTALLED} show ${placeOf(bundle)} ${episode}`;
}

/** The command that runs an episode again. Strangers may have chosen the names in it. */
export function runCommand(
  { suite, task, instance, agent, surface }: Pick<EpisodeLine, 'suite' | 'task' | 'instance' | 'agent' | 'surface'>,
  ...options: string[]
): string {
  const named = ['run', suite, '--task', nameOfInstance(task, instance), '--agent', agent, '--surface', surface];
  return [INSTALLED, ...[...named, ...options].map(shellWord)].join(' ');
}

function placeOf(bundle: string | null): string {
  return bundle === null ? BUNDLE : shellWord(bundle);
}

/** Draws commands to copy. */
export function commandSection(bundle: string | null): Markup {
  const place = placeOf(bundle);
  return markup`<section aria-labelledby="again">
<h2 id="again">Do it again</h2>
<p>You need Touchstone, and the whole bundle: its folder or its zip. If you have only this page, ask its sender for it. Type this where you have installed Touchstone, with the path of the bundle; in a clone of Touchstone, begin with <code>${IN_A_CLONE}</code> instead of <code>${unbroken(INSTALLED)}</code>, which runs what is installed and downloads nothing.</p>
<dl class="commands">
${command('Check this file, and all that it is drawn from', `${INSTALLED} verify ${place}`)}
${command('Run all episodes again that no model or program decided, and compare', `${INSTALLED} verify ${place} --rerun 100%`)}
${command('Look at every step of every episode', `${INSTALLED} show ${place} --serve`)}
</dl>
</section>`;
}

function command(what: string, text: string): Markup {
  return markup`<dt>${what}</dt><dd><code class="command">${unbroken(text)}</code> <button type="button" class="copy">Copy</button></dd>`;
}
