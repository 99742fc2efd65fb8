import type { Json } from '../../contract/json.ts';
import type { App } from '../../world/app.ts';

export const TRIAL_ORIGIN = 'http://trial.localhost';

/** Elements on it for a binding to find, by role and name. */
export const ON_THE_PAGE = [
  { role: 'button', name: 'Send' },
  { role: 'button', name: 'Ask' },
  { role: 'textbox', name: 'Amount' },
  { role: 'combobox', name: 'Colour' },
  { role: 'link', name: 'Terms' },
] as const;

/** A place of the canvas, in CSS pixels of the viewport. */
export const PAINTED = { x: 620, y: 420 };

const REPORT = `const report = (what) => fetch('/reported', { method: 'POST', body: JSON.stringify(what) });`;
const PAGE = `<!doctype html><meta charset="utf-8"><title>Trial</title><h1>Trial</h1>
<p><button id="send">Send</button> <button id="ask">Ask</button> <a href="/terms" target="_blank">Terms</a></p>
<p><label>Amount <input value="6"></label></p>
<p><label>Colour <select><option>red</option><option>green</option></select></label></p>
<p><label>Photo <input type="file"></label></p>
<p><button id="menu">Menu</button> <a href="#card" id="card">Card</a> <button id="bin">Bin</button></p>
<canvas width="40" height="40" style="position: fixed; left: 600px; top: 400px; background: red"></canvas>
<script>
  ${REPORT}
  const on = (selector, event, what) =>
    document.querySelector(selector).addEventListener(event, (happened) => report(what(happened)));
  on('#send', 'click', () => ({ clicked: 'Send' }));
  on('#ask', 'click', () => ({ answered: prompt('Who are you?') }));
  on('#menu', 'mouseenter', () => ({ hovered: 'Menu' }));
  on('#menu', 'dblclick', () => ({ double_clicked: 'Menu' }));
  on('#menu', 'contextmenu', () => ({ right_clicked: 'Menu' }));
  for (const name of ['dragenter', 'dragover']) {
    document.querySelector('#bin').addEventListener(name, (event) => event.preventDefault());
  }
  on('#bin', 'drop', (event) => (event.preventDefault(), { dropped: 'Card' }));
  on('canvas', 'click', () => ({ clicked: 'painted' }));
  on('input', 'input', ({ target }) => ({ filled: target.value }));
  on('[type=file]', 'change', ({ target }) => ({ uploaded: target.files[0]?.name }));
  on('select', 'change', ({ target }) => ({ chosen: target.value }));
  addEventListener('keydown', ({ key }) => report({ pressed: key }));
  setTimeout(() => document.body.append('Ready'), 300);
</script>`;
const TERMS = `<!doctype html><meta charset="utf-8"><title>Terms</title><h1>Terms</h1><button>Agree</button>
<script>${REPORT} document.querySelector('button').addEventListener('click', () => report({ clicked: 'Agree' }));</script>`;

/** The page on which a binding is tried. It reports every action to its server. */
export class TrialPage {
  #recorded: string[] = [];

  readonly app: App = {
    state: (): Json => this.#recorded,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      if (request.method === 'POST') this.#recorded.push(await request.text());
      if (request.method === 'GET' && pathname === '/again') this.#recorded.push(JSON.stringify({ went: pathname }));
      const html = pathname === '/terms' ? TERMS : PAGE;
      return new Response(html, { headers: { 'content-type': 'text/html' } });
    },
  };

  /** Takes the actions since the last call, as JSON. */
  take(): string[] {
    const recorded = this.#recorded;
    this.#recorded = [];
    return recorded;
  }

  get recorded(): readonly string[] {
    return this.#recorded;
  }
}
