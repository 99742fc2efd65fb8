import { approved, click, fill, miss, saved, see, type Situation } from '../situation.ts';

const CHOICES = JSON.stringify(['Approve', 'Reject', 'Postpone']);

export const network: Situation[] = [
  {
    id: 'redirects',
    title: 'A link through several redirects',
    goal: 'Follow the link "Request", and approve it.',
    html: `<a href="/redirect/3/redirects/request">Request</a>`,
    more: { request: `<p>The request of Ines.</p><script>offer(${CHOICES})</script>` },
    saved: [{ choice: 'Approve' }],
    steps: [click('Request', 'link'), see('The request of Ines.'), click('Approve'), saved],
    misses: [
      miss('it was rejected', click('Request', 'link'), see('The request of Ines.'), click('Reject'), saved),
      miss('it was only read', click('Request', 'link')),
    ],
  },
  {
    id: 'rate-limit',
    title: 'A server that asks for patience',
    goal: 'Send the message. If the server is busy, send it again.',
    html: `<p id="note"></p><script>
      offer(['Send', 'Discard'], undefined, async (choice) => {
        const reply = await fetch('/busy-once');
        if (reply.status === 429) { document.querySelector('#note').textContent = 'The server is busy. Please try again.'; return; }
        await save({ choice });
      });
    </script>`,
    saved: [{ choice: 'Send' }],
    steps: [click('Send'), see('Please try again.'), click('Send'), saved],
    misses: [
      miss('it was not sent again', click('Send'), see('Please try again.')),
      miss('it was discarded', click('Send'), see('Please try again.'), click('Discard'), saved),
    ],
  },
  {
    id: 'slow-answer',
    title: 'A server that takes two seconds',
    goal: 'Look up the customer 4711, and call them.',
    html: `<label>Customer <input></label><p id="found"></p><script>
      offer(['Look up'], undefined, async () => {
        await fetch('/slow');
        const number = document.querySelector('input').value;
        document.querySelector('#found').textContent = 'Found: customer ' + number + '.';
        offer(['Call', 'Write', 'Block'], document.querySelector('#found'), (choice) => save({ number, choice }));
      });
    </script>`,
    saved: [{ number: '4711', choice: 'Call' }],
    steps: [fill('Customer', '4711'), click('Look up'), see('Found: customer'), click('Call'), saved],
    misses: [
      miss(
        'another customer',
        fill('Customer', '4712'),
        click('Look up'),
        see('Found: customer'),
        click('Call'),
        saved,
      ),
      miss('no call', fill('Customer', '4711'), click('Look up'), see('Found: customer')),
    ],
  },
  {
    id: 'server-events',
    title: 'A page that the server pushes to',
    goal: 'Wait for the offer, and take it.',
    html: `<p id="offer">Waiting.</p><script>
      const events = new EventSource('/events');
      events.onmessage = ({ data }) => { document.querySelector('#offer').textContent = data; offer(['Take', 'Leave', 'Haggle'], document.body); };
    </script>`,
    saved: [{ choice: 'Take' }],
    steps: [see('An offer of 20 EUR'), click('Take'), saved],
    misses: [
      miss('it was left', see('An offer of 20 EUR'), click('Leave'), saved),
      miss('it was only read', see('An offer of 20 EUR')),
    ],
  },
  {
    id: 'content-policy',
    title: 'A strict content security policy',
    ...approved,
    headers: { 'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'" },
    html: `<div id="box"></div><script src="/content-policy/page.js"></script>`,
    more: { 'page.js': `offer(${CHOICES}, document.querySelector('#box'))` },
  },
  {
    id: 'trusted-types',
    title: 'Trusted Types',
    ...approved,
    headers: { 'content-security-policy': "require-trusted-types-for 'script'; trusted-types 'none'" },
    html: `<script>offer(${CHOICES})</script>`,
  },
  {
    id: 'service-worker',
    title: 'A page behind a service worker',
    goal: 'Work offline, then approve the request that the page shows.',
    html: `<p id="state"></p><script>
      offer(['Work offline'], undefined, async () => {
        const { installing } = await navigator.serviceWorker.register('/service-worker/worker.js');
        await new Promise((done) => { installing.onstatechange = () => { if (installing.state === 'activated') done(); }; });
        location.assign('/service-worker/offline');
      });
    </script>`,
    more: {
      'worker.js': `onfetch = (event) => {
        if (!event.request.url.endsWith('/service-worker/offline')) return;
        const page = '<!doctype html><meta charset="utf-8"><title>Offline</title><script src="/save.js"></scr' + 'ipt><h1>You are working offline</h1><p id="status" role="status"></p><script>offer(${CHOICES.replaceAll('"', '\\"')})</scr' + 'ipt>';
        event.respondWith(new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } }));
      };`,
    },
    saved: [{ choice: 'Approve' }],
    steps: [click('Work offline'), see('You are working offline'), click('Approve'), saved],
    misses: [miss('it was rejected', click('Work offline'), see('You are working offline'), click('Reject'), saved)],
  },
  {
    id: 'reply-empty',
    title: 'A request that is answered with 204',
    ...approved,
    html: `<script>offer(${CHOICES}, undefined, (choice) => save({ choice }, '/save?empty'))</script>`,
  },
];
