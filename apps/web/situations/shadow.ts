import { approved, click, fill, miss, saved, type Situation } from '../situation.ts';

const BUTTONS = ['Approve', 'Reject', 'Postpone'].map((name) => `<button>${name}</button>`).join(' ');
const saving = `root.addEventListener('click', ({ target }) => { if (target.tagName === 'BUTTON') save({ choice: target.textContent }); });`;
const attached = (mode: string): string => `<div id="host"></div><script>
  const root = document.querySelector('#host').attachShadow({ mode: '${mode}' });
  root.innerHTML = '${BUTTONS}';
  ${saving}
</script>`;

export const shadow: Situation[] = [
  { id: 'shadow-open', title: 'An open shadow root', ...approved, html: attached('open') },
  {
    id: 'shadow-closed',
    title: 'A closed shadow root',
    ...approved,
    html: attached('closed'),
    sources: ['https://github.com/microsoft/playwright/issues/23047'],
  },
  {
    id: 'shadow-nested',
    title: 'A shadow root within a shadow root',
    ...approved,
    html: `<div id="host"></div><script>
      const outer = document.querySelector('#host').attachShadow({ mode: 'open' });
      outer.innerHTML = '<section><div></div></section>';
      const root = outer.querySelector('div').attachShadow({ mode: 'open' });
      root.innerHTML = '${BUTTONS}';
      ${saving}
    </script>`,
  },
  {
    id: 'shadow-slots',
    title: 'Buttons in the slots of a component',
    ...approved,
    html: `<request-card>${BUTTONS}</request-card><script>
      customElements.define('request-card', class extends HTMLElement {
        connectedCallback() {
          this.attachShadow({ mode: 'open' }).innerHTML = '<fieldset><legend>Request</legend><slot></slot></fieldset>';
          const root = this;
          ${saving}
        }
      });
    </script>`,
  },
  {
    id: 'shadow-field',
    title: 'A form with a field that is a component',
    goal: 'Set the amount to 250 and save.',
    html: `<form><amount-field></amount-field> <button>Save</button></form><script>
      customElements.define('amount-field', class extends HTMLElement {
        static formAssociated = true;
        connectedCallback() {
          const internals = this.attachInternals();
          const root = this.attachShadow({ mode: 'open' });
          root.innerHTML = '<label>Amount <input inputmode="numeric"></label>';
          root.querySelector('input').oninput = ({ target }) => internals.setFormValue(target.value);
          Object.assign(this, { internals });
        }
        get name() { return 'amount'; }
      });
      document.querySelector('amount-field').setAttribute('name', 'amount');
      document.querySelector('form').onsubmit = (event) => {
        event.preventDefault();
        save(Object.fromEntries(new FormData(event.target)));
      };
    </script>`,
    saved: [{ amount: '250' }],
    steps: [fill('Amount', '250'), click('Save'), saved],
    misses: [
      miss('another amount', fill('Amount', '25'), click('Save'), saved),
      miss('it was not saved', fill('Amount', '250')),
    ],
  },
];
