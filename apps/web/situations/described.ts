import { call, choose, click, fill, miss, saved, type Situation } from '../situation.ts';

const booked: Pick<Situation, 'goal' | 'saved' | 'steps' | 'misses'> = {
  goal: 'Book a table for 2 as Ada, once.',
  saved: [{ name: 'Ada', guests: '2' }],
  steps: [fill('Name', 'Ada'), fill('Guests', '2'), click('Book'), saved],
  misses: [
    miss('another number of guests', fill('Name', 'Ada'), fill('Guests', '12'), click('Book'), saved),
    miss('another name', fill('Name', 'Ida'), fill('Guests', '2'), click('Book'), saved),
    miss('it was not sent', fill('Name', 'Ada'), fill('Guests', '2')),
  ],
};
const formWith = (attribute: string): string =>
  `<form toolname="book_table" tooldescription="Books a table" ${attribute}>
    <label>Name <input name="name" required toolparamdescription="Who books"></label>
    <label>Guests <input name="guests" type="number" required toolparamdescription="How many people"></label> <button>Book</button>
  </form><script>
    document.querySelector('form').onsubmit = (event) => {
      event.preventDefault();
      const done = save(Object.fromEntries(new FormData(event.target))).then(() => 'booked');
      if (event.agentInvoked) event.respondWith(done);
    };
  </script>`;
const byTool = call('book_table', { name: 'Ada', guests: 2 });

/** Pages that declare tools or controls to agents, next to the controls that users have. */
export const webmcp: Situation[] = [
  {
    id: 'webmcp-tool',
    title: 'A tool of the page next to its buttons',
    goal: 'Order tea, once.',
    html: `<script>
      offer(['Order tea', 'Order coffee', 'Order water']);
      document.modelContext?.registerTool({
        name: 'order',
        description: 'Orders a drink',
        inputSchema: { type: 'object', properties: { drink: { enum: ['tea', 'coffee', 'water'] } }, required: ['drink'] },
        execute: async ({ drink }) => {
          await save({ choice: 'Order ' + drink });
          return { content: [{ type: 'text', text: 'ordered' }] };
        },
      });
    </script>`,
    saved: [{ choice: 'Order tea' }],
    steps: [click('Order tea'), saved],
    tools: [call('order', { drink: 'tea' })],
    misses: [
      miss('another drink', click('Order coffee'), saved),
      miss('twice', click('Order tea'), click('Order tea'), saved),
    ],
  },
  {
    id: 'webmcp-form',
    title: 'A form that is a tool, and submits itself',
    ...booked,
    html: formWith('toolautosubmit'),
    tools: [byTool],
  },
  {
    id: 'webmcp-form-waits',
    title: 'A form that is a tool, and waits for its user',
    ...booked,
    html: formWith(''),
    tools: [byTool, call('submit_form', {})],
    sources: ['https://github.com/GoogleChromeLabs/webmcp-tools/issues/66'],
  },
];

export const nac3: Situation[] = [
  {
    id: 'nac3-form',
    title: 'Controls that NAC3 describes',
    goal: 'Order a large tea, once.',
    html: `<main data-nac-plugin="bar" data-nac-plugin-state="ready">
      <label>Drink <select data-nac-id="bar.drink" data-nac-role="field"><option>Coffee</option><option>Tea</option><option>Water</option></select></label>
      <label>Size <select data-nac-id="bar.size" data-nac-role="field"><option>Small</option><option>Large</option></select></label>
      <button data-nac-id="bar.order" data-nac-role="action" data-nac-action="order">Order</button>
      <button data-nac-id="bar.cancel" data-nac-role="action" data-nac-action="cancel">Cancel</button>
    </main><script type="module" src="/nac3/nac3.js"></script><script type="module">
      NAC.register({ plugin_slug: 'bar', nac_version: '2.3.0' });
      const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail: { plugin: 'bar', ...detail } }));
      const value = (id) => document.querySelector('[data-nac-id="' + id + '"]').value;
      for (const field of document.querySelectorAll('select'))
        field.onchange = () => tell('nac:field:changed', { field_id: field.dataset.nacId });
      for (const button of document.querySelectorAll('button'))
        button.onclick = async () => {
          await save({ did: button.textContent, drink: value('bar.drink'), size: value('bar.size') });
          tell('nac:action:succeeded', { action_id: button.dataset.nacId });
        };
    </script>`,
    saved: [{ did: 'Order', drink: 'Tea', size: 'Large' }],
    steps: [choose('Drink', 'Tea'), choose('Size', 'Large'), click('Order'), saved],
    misses: [
      miss('a small one', choose('Drink', 'Tea'), click('Order'), saved),
      miss('another drink', choose('Size', 'Large'), click('Order'), saved),
      miss('it was cancelled', choose('Drink', 'Tea'), choose('Size', 'Large'), click('Cancel'), saved),
    ],
  },
];
