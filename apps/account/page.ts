const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as it may stand in markup. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}

/** Markup, with every value in it escaped. */
export function html(parts: TemplateStringsArray, ...values: (string | Markup)[]): Markup {
  const text = parts.map((part, index) => {
    const value = values[index] ?? '';
    return part + (value instanceof Markup ? value.text : escaped(value));
  });
  return new Markup(text.join(''));
}

/** What is markup already. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const NOTHING = new Markup('');

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 34rem; margin: 2rem auto; padding: 0 1rem; }
  nav { display: flex; gap: 1rem; align-items: center; border-bottom: 1px solid #8886; padding-bottom: .5rem; }
  nav form { margin-left: auto; }
  label { display: block; margin: .75rem 0; }
  input { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: .4rem .5rem; }
  button { font: inherit; padding: .4rem 1rem; }
  [role=alert] { border-left: 4px solid #c33; padding-left: .75rem; }
  [role=status] { border-left: 4px solid #393; padding-left: .75rem; }
`;

/** A whole page. */
export function pageOf(title: string, body: Markup, status = 200, headers: Record<string, string> = {}): Response {
  const whole = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width" />
        <style>
          ${new Markup(STYLE)}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html> `;
  return new Response(whole.text, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...headers },
  });
}

/** A labelled field of a form. */
export function field(label: string, name: string, value: string, type = 'text'): Markup {
  return html`<label>${label} <input name="${name}" type="${type}" value="${value}" autocomplete="off" /></label>`;
}

/** A form that posts, with the token by which its session is known. */
export function form(action: string, token: string, fields: Markup[], button: string): Markup {
  const inside = new Markup(fields.map(({ text }) => text).join('\n'));
  return html`<form method="post" action="${action}">
    <input type="hidden" name="token" value="${token}" />${inside}<button>${button}</button>
  </form>`;
}
