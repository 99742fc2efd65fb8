import { approved, click, fill, miss, PARTNER, saved, see, type Situation } from '../situation.ts';

const CHOICES = `<script>offer(['Approve', 'Reject', 'Postpone'])</script>`;
const inFrame = (body: string): string =>
  `<!doctype html><meta charset="utf-8"><script src="/save.js"></script>${body}`;
/** The frame says what was chosen, and the page saves it. */
const LISTENING = `<script>onmessage = (event) => save({ choice: event.data })</script>`;
const TELLING = `<script>
  for (const name of ['Approve', 'Reject', 'Postpone']) {
    const button = document.body.appendChild(document.createElement('button'));
    button.textContent = name;
    button.onclick = () => parent.postMessage(name, '*');
  }
</script>`;

export const frames: Situation[] = [
  {
    id: 'frame-nested',
    title: 'A frame within a frame',
    ...approved,
    html: `${LISTENING}<iframe src="/frame-nested/outer" title="Outer" height="200"></iframe>`,
    more: {
      outer: inFrame(
        `<script>onmessage = (event) => parent.postMessage(event.data, '*')</script><iframe src="/frame-nested/inner" title="Inner"></iframe>`,
      ),
      inner: inFrame(`<body>${TELLING}`),
    },
  },
  {
    id: 'frame-sandboxed',
    title: 'A sandboxed frame',
    ...approved,
    html: `${LISTENING}<iframe sandbox="allow-scripts" src="/frame-sandboxed/inner" title="Request"></iframe>`,
    more: { inner: inFrame(`<body>${TELLING}`) },
  },
  {
    id: 'frame-cross-origin',
    title: 'A frame of another site',
    ...approved,
    html: `${LISTENING}<iframe src="${PARTNER}/request.html" title="Request"></iframe>`,
  },
  {
    id: 'frame-srcdoc',
    title: 'A frame with srcdoc',
    ...approved,
    html: `${LISTENING}<iframe title="Request"></iframe><script>
      document.querySelector('iframe').srcdoc = ${JSON.stringify(`<body>${TELLING}`).replaceAll('</', '<\\/')};
    </script>`,
  },
  {
    id: 'frame-late',
    title: 'A frame that comes later',
    ...approved,
    html: `${LISTENING}<button id="open">Show the request</button><script>
      document.querySelector('#open').onclick = () => setTimeout(() => {
        const frame = document.body.appendChild(document.createElement('iframe'));
        frame.title = 'Request';
        frame.src = '/frame-late/inner';
      }, 700);
    </script>`,
    more: { inner: inFrame(`<body><p>Please decide.</p>${TELLING}`) },
    steps: [click('Show the request'), see('Please decide.'), click('Approve'), saved],
    misses: [
      miss('it was rejected', click('Show the request'), see('Please decide.'), click('Reject'), saved),
      miss('it was only shown', click('Show the request'), see('Please decide.')),
    ],
  },
  {
    id: 'frame-below',
    title: 'A button far down in a frame',
    ...approved,
    html: `${LISTENING}<iframe src="/frame-below/inner" title="Request" height="150"></iframe>`,
    more: { inner: inFrame(`<body><div style="height: 3000px">Read all of this first.</div>${TELLING}`) },
  },
  {
    id: 'frame-replaced',
    title: 'A frame that loads another page',
    goal: 'Enter the code 4711 in the frame, and confirm it on its next page.',
    html: `<iframe src="/frame-replaced/first" title="Code"></iframe>`,
    more: {
      first: inFrame(
        `<form action="/frame-replaced/second"><label>Code <input name="code"></label> <button>Continue</button></form>`,
      ),
      second: inFrame(`<body><p>Is the code right?</p><script>
        const code = new URLSearchParams(location.search).get('code');
        for (const name of ['Confirm', 'Discard']) {
          const button = document.body.appendChild(document.createElement('button'));
          button.textContent = name;
          button.onclick = async () => {
            await fetch('/save', { method: 'POST', body: JSON.stringify({ code, choice: name }) });
            parent.document.querySelector('#status').textContent = 'Saved';
          };
        }
      </script>`),
    },
    saved: [{ code: '4711', choice: 'Confirm' }],
    steps: [fill('Code', '4711'), click('Continue'), see('Is the code right?'), click('Confirm'), saved],
    misses: [
      miss('another code', fill('Code', '4712'), click('Continue'), see('Is the code right?'), click('Confirm'), saved),
      miss(
        'it was discarded',
        fill('Code', '4711'),
        click('Continue'),
        see('Is the code right?'),
        click('Discard'),
        saved,
      ),
    ],
  },
  {
    id: 'frame-endless',
    title: 'A page with a frame that never loads',
    ...approved,
    html: `<iframe src="/never" title="Advertisement" height="60"></iframe>${CHOICES}`,
    sources: ['https://github.com/microsoft/playwright/issues/41784'],
  },
];
