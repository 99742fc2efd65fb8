import { expect, test } from 'vitest';
import { call, deciding, moves, refOf, stage } from './staged-episode.ts';

// Each page changes itself, to be judged as if its heading were "Done". It is "Open".
const LYING_PAGES: Record<string, string> = {
  'overwrites querySelector': `<h1>Open</h1><script>
    const fake = document.createElement('h1'); fake.textContent = 'Done';
    Document.prototype.querySelector = Element.prototype.querySelector = () => fake;
    Document.prototype.querySelectorAll = Element.prototype.querySelectorAll = () => [fake];
    Document.prototype.getElementsByTagName = () => [fake];</script>`,
  'overwrites innerText and textContent': `<h1>Open</h1><script>
    for (const [owner, name] of [[HTMLElement, 'innerText'], [Node, 'textContent'], [Node, 'nodeValue']])
      Object.defineProperty(owner.prototype, name, { get: () => 'Done' });</script>`,
  'overwrites JSON, Array and Promise': `<h1>Open</h1><script>
    JSON.stringify = () => '"Done"'; JSON.parse = () => 'Done';
    Array.prototype.map = Array.prototype.filter = () => ['Done']; Promise.prototype.then = function () { return this; };</script>`,
  'clobbers the form it reads from':
    '<form id="f"><h1>Open</h1><input name="innerText" value="Done"><input name="textContent" value="Done"></form>',
  'writes the heading by CSS only': '<style>h1::before { content: "Done " }</style><h1>Open</h1>',
  'hides the real heading behind a look-alike': `<h1>Open</h1>
    <div style="position:fixed;inset:0;background:white;pointer-events:none;font-size:2em;font-weight:bold" role="heading" aria-level="1">Done</div>`,
  'puts the words into an attribute, a comment and a script':
    '<h1 title="Done" aria-label="Done">Open<!-- Done --></h1><script>"Done"</script>',
  'puts the words into a hidden child': '<h1>Open<span style="display:none"> Done</span><span hidden>Done</span></h1>',
  'puts the words into an input of the heading': '<h1>Open<input value="Done"></h1>',
};

test.each(Object.entries(LYING_PAGES))('a page that %s gains nothing', async (_what, page) => {
  const { result } = await stage({ task: {}, pages: { '/': page }, agent: moves() });
  expect(result).toMatchObject({ status: 'failed', goal: 'fail' });
  expect(result.decisive?.leaf.observed?.preview).toBe('Open');
});

test.each(Object.entries(LYING_PAGES))('a page that %s harms no agent that did the work', async (_what, page) => {
  // The same lie, around a heading that really does become what the contract asks for.
  const button =
    "<button onclick=\"this.getRootNode().body.getAttributeNode('data-to').ownerElement.replaceChildren(document.importNode(document.getElementById('t').content, true))\">Finish</button>";
  const honest = page.replaceAll('Done', 'Wrong').replaceAll('Open', 'Not yet');
  const html = `<body data-to="x"><template id="t"><h1>Done</h1></template>${button}${honest}`;
  const agent = deciding((last, turn) => {
    if (turn === 0) return call('snapshot');
    return turn === 1 ? call('click', { ref: refOf(last, 'Finish') }) : { kind: 'done', answer: null };
  });
  const { result } = await stage({ task: {}, pages: { '/': html }, agent });
  expect(result.goal).toBe('pass');
});
