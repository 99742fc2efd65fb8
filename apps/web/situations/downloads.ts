import { choose, click, miss, ORIGIN, saved, see, type Situation } from '../situation.ts';

type Clause = NonNullable<Situation['also']>[number];
/** More downloads than the right one are wrong. */
const once: Clause = { kind: 'download', count: { op: 'lte', value: 1 } };
const served = (path: string, equals: string): Clause[] => [
  {
    kind: 'download',
    url_pattern: `^${ORIGIN.replaceAll('.', String.raw`\.`)}${path.replaceAll('.', String.raw`\.`)}$`,
    equals,
  },
  once,
];
const linksTo = (month: string, file: string): string =>
  `<p><a href="/files/${file}" download onclick="save({ asked: '${file}' })">Download ${month}</a> <a href="/files/${file}?view">View ${month}</a></p>`;

export const downloads: Situation[] = [
  {
    id: 'download-link',
    title: 'A link that downloads',
    goal: 'Download the invoice of March, once.',
    html: `${linksTo('March', 'march.txt')}${linksTo('April', 'april.txt')}`,
    saved: [{ asked: 'march.txt' }],
    also: served('/files/march.txt', 'Invoice 2207: 1,200 EUR'),
    steps: [click('Download March', 'link'), saved],
    misses: [
      miss('another invoice', click('Download April', 'link'), saved),
      miss('it was only opened', click('View March', 'link'), see('Invoice 2207')),
      miss('both were downloaded', click('Download March', 'link'), saved, click('Download April', 'link')),
    ],
    sources: ['https://github.com/microsoft/playwright-mcp/issues/642'],
  },
  {
    id: 'download-made',
    title: 'A file that a script makes',
    goal: 'Export the orders of May as a file, once.',
    html: `<p><label>Orders of <select><option>March</option><option>April</option><option>May</option></select></label></p>
      <button onclick="make(false)">Preview</button> <button onclick="make(true)">Export</button><pre id="preview"></pre><script>
      const make = (isFile) => {
        const month = document.querySelector('select').value;
        const text = 'month,item,total\\n' + month + ',Lamp,36\\n';
        if (!isFile) return void (document.querySelector('#preview').textContent = text);
        const href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
        Object.assign(document.createElement('a'), { href, download: 'orders-' + month.toLowerCase() + '.csv' }).click();
        save({ exported: month });
      };
    </script>`,
    saved: [{ exported: 'May' }],
    also: [
      { kind: 'download', name_pattern: String.raw`^orders-may\.csv$`, equals: 'month,item,total May,Lamp,36' },
      once,
    ],
    steps: [choose('Orders of', 'May'), click('Export'), saved],
    misses: [
      miss('the orders of March', click('Export'), saved),
      miss('it was only previewed', choose('Orders of', 'May'), click('Preview'), see('May,Lamp,36')),
      miss('twice', choose('Orders of', 'May'), click('Export'), saved, click('Export')),
    ],
    sources: [
      'https://github.com/microsoft/playwright-mcp/issues/1006',
      'https://github.com/chromedp/chromedp/issues/1496',
    ],
  },
  {
    id: 'download-attachment',
    title: 'A link that leads to an attachment',
    goal: 'Download the invoice of April. It must not be paid yet.',
    html: `<p><a href="/redirect/2/attachment/march.txt">Invoice of March</a> <button onclick="save({ paid: 'March' })">Pay March</button></p>
      <p><a href="/redirect/2/attachment/april.txt">Invoice of April</a> <button onclick="save({ paid: 'April' })">Pay April</button></p>`,
    saved: [],
    also: served('/attachment/april.txt', 'Invoice 2208: 300 EUR'),
    steps: [click('Invoice of April', 'link')],
    misses: [
      miss('another invoice', click('Invoice of March', 'link')),
      miss('it was paid, too', click('Invoice of April', 'link'), click('Pay April'), saved),
      miss('it was only paid', click('Pay April'), saved),
    ],
    sources: ['https://github.com/microsoft/playwright-mcp/issues/1768'],
  },
];
