import { describe, expect, test } from 'vitest';
import { deferred } from '../world/deferred.ts';
import { openAria } from './page-session.ts';

const dialog = (text: string) => expect.objectContaining({ ok: true, kind: 'dialog', text });
const snapshot = (text: string | RegExp) =>
  expect.objectContaining({ ok: true, kind: 'snapshot', text: expect.stringMatching(text) });

/** A page with a button that asks and shows the answer. */
function asking(script: string): string {
  return `<button>Ask</button><p></p><script>
    const show = (text) => { document.querySelector('p').textContent = 'Result: ' + text; };
    document.querySelector('button').onclick = () => { ${script} };
  </script>`;
}

describe('a click that opens a dialog shows the dialog at once, and its answer lets the page go on:', () => {
  test.each([
    ['an alert', 'alert("Saved"); show("seen")', 'alert dialog: Saved', { action: 'accept' }, 'Result: seen'],
    [
      'a prompt answered',
      'show(prompt("Name?"))',
      'prompt dialog: Name?',
      { action: 'accept', text: 'Ada' },
      'Result: Ada',
    ],
    [
      'a prompt left as it is',
      'show(prompt("Name?", "Bob"))',
      'prompt dialog: Name? (filled in: Bob)',
      { action: 'accept' },
      'Result: Bob',
    ],
    ['a prompt dismissed', 'show(prompt("Name?"))', 'prompt dialog: Name?', { action: 'dismiss' }, 'Result: null'],
  ])('%s', async (_, script, shown, answer, result) => {
    await using scene = await openAria({ 'http://a.test/': asking(script) });
    expect(await scene.on('click', 'Ask')).toEqual(dialog(shown));
    expect(await scene.call('dialog', answer)).toEqual(snapshot(result));
  });

  test('two in a row', async () => {
    await using scene = await openAria({ 'http://a.test/': asking('show([confirm("One?"), confirm("Two?")])') });
    expect(await scene.on('click', 'Ask')).toEqual(dialog('confirm dialog: One?'));
    expect(await scene.call('dialog', { action: 'accept' })).toEqual(dialog('confirm dialog: Two?'));
    expect(await scene.call('dialog', { action: 'dismiss' })).toEqual(snapshot('Result: true,false'));
  });

  test('one in a frame of another site', async () => {
    await using scene = await openAria({
      'http://a.test/': '<iframe src="http://b.test/"></iframe>',
      'http://b.test/': asking('show(confirm("From afar?"))'),
    });
    expect(await scene.on('click', 'Ask')).toEqual(dialog('confirm dialog: From afar?'));
    expect(await scene.call('dialog', { action: 'accept' })).toEqual(snapshot('Result: true'));
  });
});

test('a dialog that opens by itself ends a wait', async () => {
  const later = deferred<Response>();
  const html = asking('fetch("/later").then(() => show(confirm("Later?")))');
  await using scene = await openAria({ 'http://a.test/': html, 'http://a.test/later': () => later.promise });
  await scene.on('click', 'Ask');
  const waiting = scene.call('wait', { text: 'Result' });
  later.resolve(new Response());
  expect(await waiting).toEqual(dialog('confirm dialog: Later?'));
  expect(await scene.call('dialog', { action: 'accept' })).toEqual(snapshot('Result: true'));
});

describe('leaving a page that asks for confirmation', () => {
  const page = asking('').replace('<script>', '<script>onbeforeunload = (event) => event.preventDefault();');
  const pages = { 'http://a.test/': page, 'http://a.test/b': '<h1>Gone</h1>' };

  test('shows the question, and goes on when it is accepted', async () => {
    await using scene = await openAria(pages);
    await scene.on('click', 'Ask');
    expect(await scene.call('navigate', { url: 'http://a.test/b' })).toMatchObject({ ok: true, kind: 'dialog' });
    expect(await scene.call('dialog', { action: 'accept' })).toEqual(snapshot('Gone'));
  });

  test('stays when it is dismissed', async () => {
    await using scene = await openAria(pages);
    await scene.on('click', 'Ask');
    await scene.call('navigate', { url: 'http://a.test/b' });
    expect(await scene.call('dialog', { action: 'dismiss' })).toEqual(snapshot('button "Ask"'));
    expect(scene.page.url()).toBe('http://a.test/');
  });
});

describe('while a dialog is open', () => {
  test('another tab can be used, and the list of tabs marks the dialog', async () => {
    await using scene = await openAria({
      'http://a.test/': asking('show(confirm("Sure?"))'),
      'http://b.test/': '<h1>B</h1>',
    });
    const other = await scene.context.newPage();
    await other.goto('http://b.test/');
    await scene.call('tabs', { action: 'select', index: 0 });
    await scene.on('click', 'Ask');
    const reply = await scene.call('tabs', { action: 'select', index: 1 });
    expect(reply).toEqual(snapshot('Tabs: 0 \\(a dialog is open\\): http://a.test/, 1 \\(current\\)'));
    expect(await scene.call('tabs', { action: 'select', index: 0 })).toEqual(dialog('confirm dialog: Sure?'));
    expect(await scene.call('dialog', { action: 'dismiss' })).toEqual(snapshot('Result: false'));
  });

  test('its tab can be closed', async () => {
    await using scene = await openAria({ 'http://a.test/': '<h1>A</h1>', 'http://b.test/': asking('alert("Stop")') });
    const other = await scene.context.newPage();
    await other.goto('http://b.test/');
    await scene.on('click', 'Ask');
    expect(await scene.call('tabs', { action: 'close', index: 1 })).toEqual(snapshot('heading "A"'));
    expect(await scene.call('snapshot')).toEqual(snapshot('heading "A"'));
  });
});
