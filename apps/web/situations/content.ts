import { click, fill, miss, saved, see, type Situation } from '../situation.ts';

const ROWS = `<table><tbody></tbody></table><script>
  const body = document.querySelector('tbody');
  const count = Number(document.currentScript.dataset.rows);
  for (let at = 1; at <= count; at += 1) {
    const row = body.insertRow();
    row.insertCell().textContent = 'Order ' + at;
    const button = row.insertCell().appendChild(document.createElement('button'));
    button.textContent = 'Ship ' + at;
    button.onclick = () => save({ shipped: at });
  }
</script>`;

export const content: Situation[] = [
  {
    id: 'list-virtual',
    title: 'A list that keeps only what is seen',
    goal: 'Go to item 900 with the field "Go to", and open it.',
    html: `<label>Go to <input></label><div id="list" style="height: 120px; overflow: auto; position: relative"><div style="height: 24000px"></div></div><script>
      const list = document.querySelector('#list');
      function draw() {
        for (const each of list.querySelectorAll('button')) each.remove();
        const first = Math.floor(list.scrollTop / 24) + 1;
        for (let at = first; at < first + 6 && at <= 1000; at += 1) {
          const button = list.appendChild(document.createElement('button'));
          button.textContent = 'Open item ' + at;
          button.style.cssText = 'position: absolute; left: 0; top: ' + (at - 1) * 24 + 'px';
          button.onclick = () => save({ opened: at });
        }
      }
      list.onscroll = draw;
      document.querySelector('input').oninput = ({ target }) => { list.scrollTop = (Number(target.value) - 1) * 24; };
      draw();
    </script>`,
    saved: [{ opened: 900 }],
    steps: [fill('Go to', '900'), see('Open item 900'), click('Open item 900'), saved],
    misses: [
      miss('the next one', fill('Go to', '900'), see('Open item 901'), click('Open item 901'), saved),
      miss('it was not opened', fill('Go to', '900')),
    ],
  },
  {
    id: 'list-more',
    title: 'A list that grows',
    goal: 'Load more until the entry "Lamp" is there, and order it.',
    html: `<script>
      const NAMES = [['Order Chair', 'Order Table'], ['Order Shelf', 'Order Lamp'], ['Order Rug']];
      const more = document.createElement('button');
      more.textContent = 'Load more';
      more.onclick = () => setTimeout(() => offer(NAMES.shift() ?? [], document.body), 300);
      document.body.append(more, ' ');
      offer(NAMES.shift(), document.body);
    </script>`,
    saved: [{ choice: 'Order Lamp' }],
    steps: [click('Load more'), see('Order Lamp'), click('Order Lamp'), saved],
    misses: [
      miss('something else', click('Load more'), see('Order Lamp'), click('Order Shelf'), saved),
      miss('nothing', click('Load more')),
    ],
  },
  {
    id: 'table-long',
    title: 'A table of 500 rows',
    goal: 'Ship order 350.',
    html: ROWS.replace('<script>', '<script data-rows="500">'),
    saved: [{ shipped: 350 }],
    steps: [click('Ship 350'), saved],
    misses: [miss('the next one', click('Ship 351'), saved)],
    sources: ['https://github.com/microsoft/playwright-mcp/issues/1474'],
  },
  {
    id: 'table-spans',
    title: 'A table with joined cells',
    goal: 'Delete the expense of 45.00 for travel in May.',
    html: `<table><tr><th>Month<th>Kind<th>Amount<th></tr>
      <tr><td rowspan="2">April<td>Travel<td>45.00<td><button aria-label="Delete 1">Delete</button></tr><tr><td>Food<td>12.00<td><button aria-label="Delete 2">Delete</button></tr>
      <tr><td rowspan="2">May<td>Food<td>45.00<td><button aria-label="Delete 3">Delete</button></tr><tr><td>Travel<td>45.00<td><button aria-label="Delete 4">Delete</button></tr></table>
      <script>for (const each of document.querySelectorAll('button')) each.onclick = () => save({ deleted: each.ariaLabel })</script>`,
    saved: [{ deleted: 'Delete 4' }],
    steps: [click('Delete 4'), saved],
    misses: [miss('in April', click('Delete 1'), saved), miss('for food', click('Delete 3'), saved)],
  },
  {
    id: 'text-generated',
    title: 'A label that style sheets write',
    goal: 'Press "Send".',
    html: `<style>#a::before { content: 'Send'; } #b::before { content: 'Save'; } #c::before { content: 'Close'; }</style>
      ${['a', 'b', 'c'].map((id) => `<button id="${id}" onclick="save({ pressed: '${id}' })"></button>`).join(' ')}`,
    saved: [{ pressed: 'a' }],
    steps: [click('Send'), saved],
    misses: [miss('another button', click('Save'), saved)],
  },
  {
    id: 'text-capitals',
    title: 'Labels that style sheets put in capitals',
    goal: 'Press "Send".',
    html: `<style>button { text-transform: uppercase; }</style><script>offer(['Send', 'Save', 'Close'])</script>`,
    saved: [{ choice: 'Send' }],
    steps: [click('Send'), saved],
    misses: [miss('another button', click('Save'), saved)],
    sources: ['https://github.com/w3c/accname/issues/239', 'https://github.com/fortanix/baklava/issues/152'],
  },
  {
    id: 'text-icons',
    title: 'Buttons that show only a symbol',
    goal: 'Delete the photo.',
    html: [
      ['✎', 'Edit'],
      ['🗑', 'Delete'],
      ['⤓', 'Download'],
    ]
      .map(([symbol, name]) => `<button aria-label="${name}" onclick="save({ pressed: '${name}' })">${symbol}</button>`)
      .join(' '),
    saved: [{ pressed: 'Delete' }],
    steps: [click('Delete'), saved],
    misses: [miss('another button', click('Edit'), saved)],
  },
  {
    id: 'text-images',
    title: 'Links that are pictures',
    goal: 'Open the newsletter.',
    html: ['Newsletter', 'Shop', 'Imprint']
      .map(
        (name) =>
          `<a href="#" onclick="save({ opened: '${name}' })"><img alt="${name}" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='40' height='40'%3E%3Crect width='40' height='40'/%3E%3C/svg%3E"></a>`,
      )
      .join(' '),
    saved: [{ opened: 'Newsletter' }],
    steps: [click('Newsletter', 'link'), saved],
    misses: [miss('another link', click('Shop', 'link'), saved)],
  },
  {
    id: 'text-emoji',
    title: 'Names with emoji and joined signs',
    goal: 'Choose the room "👩‍🚀 Crew".',
    html: `<script>offer(['👩‍🚀 Crew', '👩‍🔬 Lab', '🧑‍🍳 Kitchen'])</script>`,
    saved: [{ choice: '👩‍🚀 Crew' }],
    steps: [click('👩‍🚀 Crew'), saved],
    misses: [miss('another room', click('👩‍🔬 Lab'), saved)],
  },
  {
    id: 'text-right-to-left',
    title: 'A page written from right to left',
    goal: 'Press "حفظ".',
    html: `<div dir="rtl" lang="ar"><script>offer(['حفظ', 'إلغاء', 'حذف'])</script></div>`,
    saved: [{ choice: 'حفظ' }],
    steps: [click('حفظ'), saved],
    misses: [miss('another button', click('حذف'), saved)],
  },
  {
    id: 'text-quotes',
    title: 'Names with typographic marks and hidden spaces',
    goal: 'Borrow “Charlotte’s Web”.',
    html: `<script>offer(['Borrow Charlotte’s\\u00a0Web', 'Borrow Charlotte’s Web\\u00a0II', 'Borrow Wilbur’s Web'])</script>`,
    saved: [{ choice: 'Borrow Charlotte’s\u00a0Web' }],
    steps: [click('Borrow Charlotte’s Web'), saved],
    misses: [miss('another book', click('Borrow Wilbur’s Web'), saved)],
  },
  {
    id: 'text-svg',
    title: 'A map of shapes',
    goal: 'Choose the region "North" on the map.',
    html: `<svg width="220" height="70" role="group" aria-label="Map">${['North', 'South', 'East'].map((name, at) => `<g role="button" tabindex="0" aria-label="${name}" onclick="save({ region: '${name}' })"><rect x="${at * 70}" width="60" height="60" fill="#9bd"/><text x="${at * 70 + 8}" y="34">${name}</text></g>`).join('')}</svg>`,
    saved: [{ region: 'North' }],
    steps: [click('North'), saved],
    misses: [miss('another region', click('South'), saved)],
  },
  {
    id: 'text-repeated',
    title: 'The same word many times',
    goal: 'Remove the phone number of Grace.',
    html: ['Ada', 'Grace', 'Alan']
      .map(
        (name) =>
          `<section aria-label="${name}"><h2>${name}</h2><p>Phone <button aria-label="Remove the phone number of ${name}" onclick="save({ removed: '${name}' })">Remove</button></p></section>`,
      )
      .join(''),
    saved: [{ removed: 'Grace' }],
    steps: [click('Remove the phone number of Grace'), saved],
    misses: [miss('the number of Alan', click('Remove the phone number of Alan'), saved)],
  },
  {
    id: 'text-plain-elements',
    title: 'Buttons without a role',
    goal: 'Choose "Vegetarian".',
    html: ['Vegetarian', 'Vegan', 'Neither']
      .map(
        (name) =>
          `<div style="cursor: pointer; border: 1px solid; display: inline-block" onclick="save({ menu: '${name}' })">${name}</div>`,
      )
      .join(' '),
    saved: [{ menu: 'Vegetarian' }],
    steps: [click('Vegetarian', 'generic'), saved],
    misses: [miss('another menu', click('Vegan', 'generic'), saved)],
  },
];
