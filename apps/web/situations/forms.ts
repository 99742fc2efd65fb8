import { choose, click, fill, miss, press, saved, see, type Situation } from '../situation.ts';

/** Saves all named fields of the page's form. */
const SAVING = `<script>
  document.querySelector('form').onsubmit = (event) => {
    event.preventDefault();
    save(Object.fromEntries(new FormData(event.target)));
  };
</script>`;
const form = (fields: string): string => `<form>${fields} <button>Save</button></form>${SAVING}`;
const save = [click('Save'), saved];

export const forms: Situation[] = [
  {
    id: 'field-date',
    title: 'A date field',
    goal: 'Set the arrival to 14 March 2031 and save.',
    html: form('<label>Arrival <input type="date" name="arrival"></label>'),
    saved: [{ arrival: '2031-03-14' }],
    steps: [fill('Arrival', '2031-03-14'), ...save],
    misses: [
      miss('day and month are swapped', fill('Arrival', '2031-12-03'), ...save),
      miss('it was not saved', fill('Arrival', '2031-03-14')),
    ],
  },
  {
    id: 'field-time',
    title: 'A time field',
    goal: 'Set the alarm to 18:45 and save.',
    html: form('<label>Alarm <input type="time" name="alarm"></label>'),
    saved: [{ alarm: '18:45' }],
    steps: [fill('Alarm', '18:45'), ...save],
    misses: [miss('in the morning', fill('Alarm', '06:45'), ...save)],
  },
  {
    id: 'field-range',
    title: 'A slider',
    goal: 'Set the volume to 70 and save.',
    html: form('<label>Volume <input type="range" name="volume" min="0" max="100" step="10" value="50"></label>'),
    saved: [{ volume: '70' }],
    steps: [fill('Volume', '70'), ...save],
    misses: [miss('too low', fill('Volume', '60'), ...save), miss('it was left', ...save)],
  },
  {
    id: 'field-colour',
    title: 'A colour field',
    goal: 'Set the colour of the label to #336699 and save.',
    html: form('<label>Colour <input type="color" name="colour" value="#000000"></label>'),
    saved: [{ colour: '#336699' }],
    steps: [fill('Colour', '#336699'), ...save],
    misses: [miss('another colour', fill('Colour', '#993366'), ...save)],
  },
  {
    id: 'field-number',
    title: 'A number with buttons',
    goal: 'Order 3 tickets.',
    html: `<output id="count">0</output> <script>
      let count = 0;
      const show = () => { document.querySelector('#count').textContent = count; };
      offer(['More', 'Fewer', 'Order'], undefined, (name) => {
        if (name === 'Order') return save({ tickets: count });
        count += name === 'More' ? 1 : -1;
        show();
      });
    </script>`,
    saved: [{ tickets: 3 }],
    steps: [click('More'), click('More'), click('More'), click('Order'), saved],
    misses: [miss('two tickets', click('More'), click('More'), click('Order'), saved)],
  },
  {
    id: 'editor',
    title: 'A rich text editor',
    goal: 'Replace the text of the note by "Water the roses." and save it.',
    html: `<div id="note" role="textbox" aria-label="Note" contenteditable="true">Water the plants.</div>
      <script>offer(['Save'], undefined, () => save({ note: document.querySelector('#note').innerText.trim() }))</script>`,
    saved: [{ note: 'Water the roses.' }],
    steps: [fill('Note', 'Water the roses.'), ...save],
    misses: [miss('it was not replaced', ...save), miss('another text', fill('Note', 'Water the roses'), ...save)],
  },
  {
    id: 'field-masked',
    title: 'A field that formats while one types',
    goal: 'Enter the phone number 5551234567 and save.',
    html: `${form('<label>Phone <input name="phone" inputmode="tel"></label>')}<script>
      document.querySelector('input').oninput = ({ target }) => {
        const digits = target.value.replace(/[^0-9]/g, '').slice(0, 10);
        target.value = digits.replace(/^([0-9]{3})([0-9]{1,3})?([0-9]{1,4})?$/, (_all, a, b, c) => '(' + a + ')' + (b ? ' ' + b : '') + (c ? '-' + c : ''));
      };
    </script>`,
    saved: [{ phone: '(555) 123-4567' }],
    steps: [fill('Phone', '5551234567'), ...save],
    misses: [miss('a digit is missing', fill('Phone', '555123456'), ...save)],
  },
  {
    id: 'field-suggestions',
    title: 'A field with suggestions',
    goal: 'Choose the town Basel, Switzerland, and save.',
    html: `<form><label>Town <input id="town" role="combobox" aria-expanded="false" aria-controls="list" autocomplete="off"></label><ul id="list" role="listbox" hidden></ul> <button>Save</button></form><script>
      const TOWNS = ['Basel, Switzerland', 'Basildon, England', 'Basse, Gambia', 'Bern, Switzerland'];
      const town = document.querySelector('#town');
      const list = document.querySelector('#list');
      let chosen = '';
      town.oninput = () => setTimeout(() => {
        chosen = '';
        list.replaceChildren(...TOWNS.filter((each) => each.toLowerCase().startsWith(town.value.toLowerCase())).map((each) => {
          const option = document.createElement('li');
          option.role = 'option';
          option.textContent = each;
          option.onclick = () => { chosen = each; town.value = each; list.hidden = true; town.ariaExpanded = 'false'; };
          return option;
        }));
        list.hidden = false;
        town.ariaExpanded = 'true';
      }, 250);
      document.querySelector('form').onsubmit = (event) => { event.preventDefault(); save({ town: chosen }); };
    </script>`,
    saved: [{ town: 'Basel, Switzerland' }],
    steps: [fill('Town', 'Bas'), see('Basse, Gambia'), click('Basel, Switzerland', 'option'), ...save],
    misses: [
      miss('another town', fill('Town', 'Bas'), see('Basse, Gambia'), click('Basildon, England', 'option'), ...save),
      miss('it was typed and not chosen', fill('Town', 'Basel, Switzerland'), ...save),
    ],
  },
  {
    id: 'select-grouped',
    title: 'A list with groups',
    goal: 'Choose the room "Lake" in the annexe and save.',
    html: form(`<label>Room <select name="room">
      <optgroup label="Main house"><option value="main-garden">Garden</option><option value="main-roof">Roof</option></optgroup>
      <optgroup label="Annexe"><option value="annexe-lake">Lake</option><option value="annexe-yard">Yard</option></optgroup>
    </select></label>`),
    saved: [{ room: 'annexe-lake' }],
    steps: [choose('Room', 'Lake'), ...save],
    misses: [miss('another room', choose('Room', 'Yard'), ...save), miss('it was left', ...save)],
  },
  {
    id: 'select-dependent',
    title: 'A list that depends on another',
    goal: 'Choose the country Japan and the town Nara, and save.',
    html: `${form('<label>Country <select name="country"><option>Norway</option><option>Japan</option></select></label> <label>Town <select name="town"><option>Oslo</option><option>Bergen</option></select></label>')}<script>
      const [country, town] = document.querySelectorAll('select');
      country.onchange = () => {
        town.replaceChildren(new Option('loading'));
        setTimeout(() => town.replaceChildren(...(country.value === 'Japan' ? ['Osaka', 'Nara'] : ['Oslo', 'Bergen']).map((each) => new Option(each))), 400);
      };
    </script>`,
    saved: [{ country: 'Japan', town: 'Nara' }],
    steps: [choose('Country', 'Japan'), { do: 'settle' }, choose('Town', 'Nara'), ...save],
    misses: [
      miss('another town', choose('Country', 'Japan'), { do: 'settle' }, choose('Town', 'Osaka'), ...save),
      miss('it was left', ...save),
    ],
  },
  {
    id: 'listbox-custom',
    title: 'A list box made of plain elements',
    goal: 'Choose the size "Large" and save.',
    html: `<div id="size" role="combobox" tabindex="0" aria-label="Size" aria-expanded="false" aria-controls="sizes">Medium</div>
      <div id="sizes" role="listbox" hidden>${['Small', 'Medium', 'Large'].map((each) => `<div role="option">${each}</div>`).join('')}</div>
      <script>
        const size = document.querySelector('#size');
        const sizes = document.querySelector('#sizes');
        size.onclick = () => { sizes.hidden = !sizes.hidden; size.ariaExpanded = String(!sizes.hidden); };
        sizes.onclick = ({ target }) => { size.textContent = target.textContent; sizes.hidden = true; size.ariaExpanded = 'false'; };
        offer(['Save'], undefined, () => save({ size: size.textContent }));
      </script>`,
    saved: [{ size: 'Large' }],
    steps: [click('Size', 'combobox'), click('Large', 'option'), ...save],
    misses: [
      miss('another size', click('Size', 'combobox'), click('Small', 'option'), ...save),
      miss('it was left', ...save),
    ],
  },
  {
    id: 'options-several',
    title: 'Several options of one list box',
    goal: 'Choose Monday and Thursday, and save.',
    html: `<div role="listbox" aria-label="Days" aria-multiselectable="true">${['Monday', 'Tuesday', 'Wednesday', 'Thursday'].map((each) => `<div role="option" aria-selected="false">${each}</div>`).join('')}</div>
      <script>
        document.querySelector('[role=listbox]').onclick = ({ target }) => { target.ariaSelected = String(target.ariaSelected !== 'true'); };
        offer(['Save'], undefined, () => save({ days: [...document.querySelectorAll('[aria-selected=true]')].map((each) => each.textContent) }));
      </script>`,
    saved: [{ days: ['Monday', 'Thursday'] }],
    steps: [click('Monday', 'option'), click('Thursday', 'option'), ...save],
    misses: [
      miss('one day is missing', click('Monday', 'option'), ...save),
      miss('another day', click('Monday', 'option'), click('Tuesday', 'option'), ...save),
    ],
  },
  {
    id: 'radios',
    title: 'Radio buttons',
    goal: 'Choose delivery by bicycle, and save.',
    html: form(
      ['Post', 'Bicycle', 'Pick-up']
        .map((each) => `<label><input type="radio" name="delivery" value="${each}"> ${each}</label>`)
        .join(' '),
    ),
    saved: [{ delivery: 'Bicycle' }],
    steps: [click('Bicycle', 'radio'), ...save],
    misses: [miss('by post', click('Post', 'radio'), ...save), miss('it was left', ...save)],
  },
  {
    id: 'checkbox-hidden',
    title: 'A check box that is hidden behind its label',
    goal: 'Switch on "Quiet hours", leave the rest, and save.',
    html: `<style>input { position: absolute; opacity: 0; width: 1px; height: 1px; } label { border: 1px solid; padding: 2px 6px; }</style>${form(
      ['Quiet hours', 'Vibration', 'Previews']
        .map((each) => `<label><input type="checkbox" name="${each}"> <span>${each}</span></label>`)
        .join(' '),
    )}`,
    saved: [{ 'Quiet hours': 'on' }],
    steps: [click('Quiet hours', 'checkbox'), ...save],
    misses: [miss('another one', click('Vibration', 'checkbox'), ...save), miss('it was left', ...save)],
  },
  {
    id: 'switch',
    title: 'A switch',
    goal: 'Switch on "Backups" and save.',
    html: `${['Backups', 'Sharing'].map((each) => `<span role="switch" tabindex="0" aria-checked="false" aria-label="${each}">${each}</span>`).join(' ')}<script>
      for (const each of document.querySelectorAll('[role=switch]')) each.onclick = () => { each.ariaChecked = String(each.ariaChecked !== 'true'); };
      offer(['Save'], undefined, () => save({ on: [...document.querySelectorAll('[aria-checked=true]')].map((each) => each.ariaLabel) }));
    </script>`,
    saved: [{ on: ['Backups'] }],
    steps: [click('Backups', 'switch'), ...save],
    misses: [miss('another one', click('Sharing', 'switch'), ...save), miss('it was left', ...save)],
  },
  {
    id: 'validation',
    title: 'A form that refuses what is wrong',
    goal: 'Register with the e-mail address ada@example.org and the user name "ada". If that name is taken, use "ada2".',
    html: `<form><label>E-mail <input name="email" type="email" required></label> <label>User name <input name="user" required></label> <button>Register</button></form><p id="error" role="alert"></p><script>
      document.querySelector('form').onsubmit = (event) => {
        event.preventDefault();
        const fields = Object.fromEntries(new FormData(event.target));
        document.querySelector('#error').textContent = fields.user === 'ada' ? 'That name is taken.' : '';
        if (fields.user !== 'ada') save(fields);
      };
    </script>`,
    saved: [{ email: 'ada@example.org', user: 'ada2' }],
    steps: [
      fill('E-mail', 'ada@example.org'),
      fill('User name', 'ada'),
      click('Register'),
      see('That name is taken.'),
      fill('User name', 'ada2'),
      click('Register'),
      saved,
    ],
    misses: [
      miss(
        'the name is taken',
        fill('E-mail', 'ada@example.org'),
        fill('User name', 'ada'),
        click('Register'),
        see('That name is taken.'),
      ),
      miss('another name', fill('E-mail', 'ada@example.org'), fill('User name', 'ada3'), click('Register'), saved),
    ],
  },
  {
    id: 'field-placeholder',
    title: 'Fields that only a placeholder names',
    goal: 'Enter Ada as first name and Lovelace as last name, and save.',
    html: form('<input name="first" placeholder="First name"> <input name="last" placeholder="Last name">'),
    saved: [{ first: 'Ada', last: 'Lovelace' }],
    steps: [fill('First name', 'Ada'), fill('Last name', 'Lovelace'), ...save],
    misses: [miss('they are swapped', fill('First name', 'Lovelace'), fill('Last name', 'Ada'), ...save)],
  },
  {
    id: 'field-described',
    title: 'Fields named by other elements',
    goal: 'Set the price in EUR to 12 and save. Leave the price in USD.',
    html: form(`<table><tr><th id="price">Price</th><th id="eur">EUR</th><td><input name="eur" aria-labelledby="price eur"></td></tr>
      <tr><td></td><th id="usd">USD</th><td><input name="usd" aria-labelledby="price usd"></td></tr></table>`),
    saved: [{ eur: '12', usd: '' }],
    steps: [fill('Price EUR', '12'), ...save],
    misses: [miss('the wrong currency', fill('Price USD', '12'), ...save)],
  },
  {
    id: 'field-lines',
    title: 'A text of several lines',
    goal: 'Write the address in two lines, "1 Mill Lane" and "Ely", and save.',
    html: form('<label>Address <textarea name="address"></textarea></label>'),
    saved: [{ address: '1 Mill Lane\nEly' }],
    steps: [fill('Address', '1 Mill Lane\nEly'), ...save],
    misses: [miss('in one line', fill('Address', '1 Mill Lane, Ely'), ...save)],
  },
  {
    id: 'field-replaced',
    title: 'A field that holds a value already',
    goal: 'Change the nickname to "Kit" and save.',
    html: form('<label>Nickname <input name="nickname" value="Christopher"></label>'),
    saved: [{ nickname: 'Kit' }],
    steps: [fill('Nickname', 'Kit'), ...save],
    misses: [miss('it was left', ...save)],
  },
  {
    id: 'form-enter',
    title: 'A form without a button',
    goal: 'Search for "tea caddy".',
    html: `<form><label>Search <input name="query"></label></form>${SAVING}`,
    saved: [{ query: 'tea caddy' }],
    steps: [fill('Search', 'tea caddy'), press('Enter'), saved],
    misses: [
      miss('other words', fill('Search', 'tea'), press('Enter'), saved),
      miss('it was not sent', fill('Search', 'tea caddy')),
    ],
  },
  {
    id: 'form-enabled',
    title: 'A button that is enabled later',
    goal: 'Accept the terms and continue.',
    html: `<label><input type="checkbox"> I accept the terms</label> <button disabled>Continue</button> <script>
      const [go] = document.querySelectorAll('button');
      document.querySelector('input').onchange = ({ target }) => setTimeout(() => { go.disabled = !target.checked; }, 600);
      go.onclick = () => save({ accepted: true });
      offer(['Decline', 'Later']);
    </script>`,
    saved: [{ accepted: true }],
    steps: [click('I accept the terms', 'checkbox'), click('Continue'), saved],
    misses: [
      miss('it was declined', click('Decline'), saved),
      miss('it did not continue', click('I accept the terms', 'checkbox')),
    ],
  },
];
