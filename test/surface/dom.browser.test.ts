import { describe, expect, test } from 'vitest';
import { openSurface, SURFACES } from './page-session.ts';

const openDom = (pages: Parameters<typeof openSurface>[1], timeoutMs?: number) =>
  openSurface(SURFACES.dom, pages, timeoutMs === undefined ? {} : { timeoutMs });
const error = (text: string | RegExp) =>
  expect.objectContaining({ ok: false, kind: 'error', text: expect.stringMatching(text) });

describe('an agent sees the HTML of the tab', () => {
  test('with the address and the tabs before it', async () => {
    await using scene = await openDom({ 'http://a.test/': '<p class="x">Hello &lt; &amp;</p>' });
    const { text } = await scene.call('snapshot');
    expect(text).toMatch(/^Page: http:\/\/a\.test\/\nTabs: 0 \(current\): http:\/\/a\.test\/\n\n<html>/);
    expect(text).toContain('<p class="x">Hello &lt; &amp;</p>');
  });

  test('with white space collapsed, in linear time', async () => {
    const page = '<p id="p">a \n  b</p><script>document.querySelector("#p").append(" ".repeat(500000) + "c")</script>';
    await using scene = await openDom({ 'http://a.test/': page });
    expect((await scene.call('snapshot')).text).toContain('<p id="p">a\nb c</p>');
  });

  test('without scripts, styles, comments and the decoration of another protocol', async () => {
    const page =
      '<style>p { color: red }</style><!-- secret --><script>var hidden = 1</script><p data-nac-id="x.y" id="p">Text</p>';
    await using scene = await openDom({ 'http://a.test/': page });
    const { text } = await scene.call('snapshot');
    expect(text).toContain('<p id="p">Text</p>');
    expect(text).not.toMatch(/secret|hidden|color|nac/);
  });

  test('with open shadow roots in their hosts, and without closed ones', async () => {
    const page = `<div id="open"></div><div id="closed"></div><script>
      document.querySelector('#open').attachShadow({ mode: 'open' }).innerHTML = '<button>Inner</button>';
      document.querySelector('#closed').attachShadow({ mode: 'closed' }).innerHTML = '<b>Unseen</b>';</script>`;
    await using scene = await openDom({ 'http://a.test/': page });
    const { text } = await scene.call('snapshot');
    expect(text).toContain(
      '<div id="open"><template shadowrootmode="open"><button>Inner</button></template></div><div id="closed"></div>',
    );
    expect(text).not.toContain('Unseen');
  });

  test('with the documents of frames inside them, of other sites too', async () => {
    await using scene = await openDom({
      'http://a.test/': '<iframe id="same" src="/in"></iframe><iframe id="other" src="http://b.test/"></iframe>',
      'http://a.test/in': '<p>Same site</p>',
      'http://b.test/': '<p>Other site</p><iframe id="deep" src="http://c.test/"></iframe>',
      'http://c.test/': '<p>Deep down</p>',
    });
    const { text } = await scene.call('snapshot');
    expect(text).toMatch(/<iframe id="same" src="\/in"><html>.*<p>Same site<\/p>.*<\/html><\/iframe>/s);
    expect(text).toMatch(
      /<iframe id="other"[^>]*><html>.*<iframe id="deep"[^>]*><html>.*Deep down.*<\/iframe>.*<\/iframe>/s,
    );
  });

  test('with the current values of fields, if their markup has others', async () => {
    const page =
      '<input id="a" value="old"><input id="b" value="same"><textarea id="c">x</textarea><input type="checkbox" id="d"><select><option>One<option id="e">Two</select>';
    await using scene = await openDom({ 'http://a.test/': page });
    await scene.page.fill('#a', 'new --> <b>');
    await scene.page.fill('#c', 'y');
    await scene.page.check('#d');
    await scene.page.selectOption('select', 'Two');
    const { text } = await scene.call('snapshot');
    expect(text).toContain(String.raw`<input id="a" value="old"><!-- now: "new -\u002d\u003e <b\u003e" -->`);
    expect(text).toContain('<input id="b" value="same"><textarea id="c"><!-- now: "y" -->x</textarea>');
    expect(text).toContain('<input type="checkbox" id="d"><!-- now: checked -->');
    expect(text).toContain('<option id="e"><!-- now: selected -->Two</option>');
  });

  test('up to a limit, with the length of the rest', async () => {
    await using scene = await openDom({ 'http://a.test/': `<p>${'x'.repeat(300_000)}</p><p id="late">Late</p>` });
    const { text } = await scene.call('snapshot');
    expect(text.length).toBeLessThan(251_000);
    expect(text).toMatch(/<!-- cut: the page goes on for \d+ characters more -->$/);
    // What the agent was not shown it can only have guessed.
    const { target } = await scene.call('click', { selector: '#late' });
    expect(target).toMatchObject({ shown: false, matched_then: 1, matched_now: 1 });
  });
});

describe('a selector must match one element', () => {
  const page =
    '<button class="b">One</button><button class="b" onclick="this.textContent=\'Done\'" id="two">Two</button>';

  test('none is an error', async () => {
    await using scene = await openDom({ 'http://a.test/': page });
    expect(await scene.call('click', { selector: '#three' })).toEqual(
      error('^no element matches "#three"; look again'),
    );
  });

  test('several are an error with their number, and an ambiguous target', async () => {
    await using scene = await openDom({ 'http://a.test/': page });
    await scene.call('snapshot');
    const reply = await scene.call('click', { selector: 'button.b' });
    expect(reply).toEqual(error('^2 elements match "button.b"'));
    expect(reply.target).toEqual({
      shown: true,
      shown_before: false,
      matched_then: 2,
      matched_now: 2,
      actionable: null,
      dispatched: false,
      invented: [],
    });
    expect(await scene.page.textContent('#two')).toBe('Two');
  });

  test.each([
    ['no CSS', 'a[', /is not a CSS selector/],
    ['words of a library', 'button:has-text("One")', /which is not CSS/],
    ['another engine', 'xpath=//button', /selector "xpath=\/\/button"/],
    ['a frame that is none', '#two >> button', /^no element matches "button"/],
  ])('%s is an error', async (_, selector, message) => {
    await using scene = await openDom({ 'http://a.test/': page });
    expect(await scene.call('click', { selector })).toEqual(error(message));
  });
});

describe('a selector reaches', () => {
  test('into open shadow roots', async () => {
    const page = `<x-a></x-a><script>document.querySelector('x-a').attachShadow({ mode: 'open' }).innerHTML = '<button onclick="this.textContent=\\'Done\\'">In</button>';</script>`;
    await using scene = await openDom({ 'http://a.test/': page });
    await scene.call('snapshot');
    expect(await scene.call('click', { selector: 'x-a button' })).toMatchObject({
      ok: true,
      text: expect.stringContaining('Done'),
      target: { shown: true, matched_then: 1, matched_now: 1, actionable: true, dispatched: true },
    });
  });

  test('into frames, by the frame and ">>"', async () => {
    await using scene = await openDom({
      'http://a.test/': '<iframe id="f" src="http://b.test/"></iframe>',
      'http://b.test/': `<button onclick="this.textContent='Counted'">Vote</button>`,
    });
    await scene.call('snapshot');
    expect(await scene.call('click', { selector: '#f >> button' })).toMatchObject({
      ok: true,
      text: expect.stringContaining('Counted'),
      target: { shown: true, matched_then: 1, matched_now: 1 },
    });
  });
});

describe('a step of a solution is bound to a selector', () => {
  test.each([
    ['an id', '<button id="go" onclick="document.title=\'hit\'">Go</button>', '#go'],
    [
      'a place, where there is no id',
      '<div id="x"><p></p><p><button onclick="document.title=\'hit\'">Go</button></p></div>',
      '#x > p:nth-of-type(2) > button:nth-of-type(1)',
    ],
    [
      'a place from the root, where an id is not its own',
      '<b id="go"></b><button id="go" onclick="document.title=\'hit\'">Go</button>',
      'html:nth-of-type(1) > body:nth-of-type(1) > button:nth-of-type(1)',
    ],
  ])('by %s', async (_, page, selector) => {
    await using scene = await openDom({ 'http://a.test/': page });
    const last = await scene.call('snapshot');
    const binding = await scene.session.bind({ do: 'click', role: 'button', name: 'Go' }, last);
    expect(binding).toEqual({ kind: 'call', call: { tool: 'click', args: { selector } } });
    await scene.call('click', { selector });
    expect(await scene.page.title()).toBe('hit');
  });

  test('and asks for a look, if the agent was not shown the element', async () => {
    await using scene = await openDom({ 'http://a.test/': '<p>Wait</p>' });
    const last = await scene.call('snapshot');
    await scene.page.evaluate(`document.body.innerHTML = '<button id="go">Go</button>'`);
    expect(await scene.session.bind({ do: 'click', role: 'button', name: 'Go' }, last)).toMatchObject({
      kind: 'observe',
    });
  });

  test('and asks for a look, if a dialog has opened since', async () => {
    await using scene = await openDom({ 'http://a.test/': '<button>Go</button>' });
    const last = await scene.call('snapshot');
    const opened = scene.page.waitForEvent('dialog');
    await scene.page.evaluate('void setTimeout(() => alert("Wait"))');
    await opened;
    expect(await scene.session.bind({ do: 'click', role: 'button', name: 'Go' }, last)).toMatchObject({
      kind: 'observe',
    });
  });
});
