import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deferred } from '../world/deferred.ts';
import { type SurfaceScene, openAria, refOf, SHORT } from './page-session.ts';

const snapshot = (text: string | RegExp) =>
  expect.objectContaining({ ok: true, kind: 'snapshot', text: expect.stringMatching(text) });
const error = (text: string | RegExp) =>
  expect.objectContaining({ ok: false, kind: 'error', text: expect.stringMatching(text) });

describe('a tool succeeds and shows the result:', () => {
  test('navigate to a page with an error status', async () => {
    const missing = () => new Response('<h1>Gone</h1>', { status: 404, headers: { 'content-type': 'text/html' } });
    await using scene = await openAria({ 'http://a.test/': '', 'http://a.test/gone': missing });
    expect(await scene.call('navigate', { url: 'http://a.test/gone' })).toEqual(snapshot('Gone'));
  });

  test('back', async () => {
    await using scene = await openAria({ 'http://a.test/': '<h1>First</h1>', 'http://b.test/': '<h1>Second</h1>' });
    await scene.call('navigate', { url: 'http://b.test/' });
    expect(await scene.call('back')).toEqual(snapshot('First'));
  });

  test('back within a page', async () => {
    const html =
      '<h1>Start</h1><a href="#end">Go</a><script>onhashchange = () => { document.querySelector("h1").textContent = location.hash || "Start"; }</script>';
    await using scene = await openAria({ 'http://a.test/': html });
    expect(await scene.on('click', 'Go')).toEqual(snapshot('#end'));
    expect(await scene.call('back')).toEqual(snapshot(/Page: http:\/\/a\.test\/\n/));
  });

  test('click on a link, which shows the next page', async () => {
    await using scene = await openAria({
      'http://a.test/': '<a href="/b">Next</a>',
      'http://a.test/b': '<h1>Arrived</h1>',
    });
    expect(await scene.on('click', 'Next')).toEqual(snapshot('Arrived'));
  });

  test('press a key that submits a form, which shows the next page', async () => {
    const form = '<form action="/sent"><label>Name <input name="name"></label></form>';
    await using scene = await openAria({ 'http://a.test/': form, 'http://a.test/sent?name=Ada': '<h1>Sent</h1>' });
    await scene.on('fill', 'Name', { text: 'Ada' });
    await scene.on('click', 'Name');
    expect(await scene.call('press', { key: 'Enter' })).toEqual(snapshot('Sent'));
  });

  test('scroll', async () => {
    await using scene = await openAria({ 'http://a.test/': '<div style="width: 5000px; height: 5000px">Big</div>' });
    await scene.call('scroll', { direction: 'down', pixels: 300 });
    await scene.call('scroll', { direction: 'right', pixels: 200 });
    await expect.poll(() => scene.page.evaluate('[scrollX, scrollY]')).toEqual([200, 300]);
    await scene.call('scroll', { direction: 'up', pixels: 100 });
    await scene.call('scroll', { direction: 'left', pixels: 50 });
    await expect.poll(() => scene.page.evaluate('[scrollX, scrollY]')).toEqual([150, 200]);
  });
});

describe('an invalid call is refused at once, with the reason:', () => {
  let scene: SurfaceScene;
  beforeAll(async () => {
    scene = await openAria({ 'http://a.test/': '<button>Send</button>' });
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  test.each<[string, string, Record<string, string | number>, RegExp]>([
    ['an argument out of range', 'scroll', { direction: 'down', pixels: 0 }, /"scroll" are not right: [^]*at pixels/],
    [
      'something other than a reference',
      'click',
      { ref: '#send' },
      /^"#send" is not a reference; take one from the latest snapshot/,
    ],
    ['a selector for a reference', 'click', { ref: 'e1 >> body' }, /is not a reference/],
    ['the source of a page', 'navigate', { url: 'view-source:http://a.test/' }, /^view-source: addresses are refused/],
    ['a page of the browser', 'navigate', { url: 'chrome://version' }, /^chrome: addresses are refused/],
    ['a script', 'navigate', { url: 'javascript:document.write(1)' }, /^javascript: addresses are refused/],
  ])('%s', async (_, tool, args, message) => {
    expect(await scene.call(tool, args)).toEqual(error(message));
    expect(scene.page.url()).toBe('http://a.test/');
  });
});

describe('a call that fails is an error, with the reason:', () => {
  test('going back at the start of the history', async () => {
    await using scene = await openAria({ 'http://a.test/': '' });
    await scene.call('back');
    expect(await scene.call('back')).toEqual(error('there is no page to go back to'));
  });

  test('a silent address', async () => {
    await using scene = await openAria({ 'http://a.test/': '' });
    expect(await scene.call('navigate', { url: 'https://b.test/' })).toEqual(
      error(/^net::ERR_TUNNEL_CONNECTION_FAILED/),
    );
  });

  test.each([
    ['names those that it has', '<option>Sales<option label="Help \n desk">x', '"Sales", "Help desk"'],
    ['cuts a long one short', `<option>${'x'.repeat(100)}`, `"${'x'.repeat(60)}…"`],
    ['counts those that are too many', '<option>a'.repeat(14), `${'"a", '.repeat(11)}"a" and 2 more`],
    ['states that there are none', '', 'none'],
  ])('an option that the list lacks: it %s', async (_, options, listed) => {
    const list = `<label>Topic <select>${options}</select></label>`;
    await using scene = await openAria({ 'http://a.test/': list }, SHORT);
    const { ok, text, target } = await scene.on('select', 'Topic', { option: 'Cake' });
    expect({ ok, text }).toEqual({ ok: false, text: `there is no option "Cake"; it has ${listed}` });
    expect(target).toMatchObject({ actionable: true, invented: ['option'] });
  });

  test('a disabled list does not list its options', async () => {
    const list = '<label>Topic <select disabled><option>Sales</select></label>';
    await using scene = await openAria({ 'http://a.test/': list }, SHORT);
    expect(await scene.on('select', 'Topic', { option: 'Sales' })).toEqual(error(/element is not enabled/));
  });

  test('a covered element', async () => {
    const cover = '<div style="position: fixed; inset: 0" id="cover"></div>';
    await using scene = await openAria({ 'http://a.test/': `<button>Send</button>${cover}` }, SHORT);
    expect(await scene.on('click', 'Send')).toEqual(
      error(/Timeout .*<div id="cover"><\/div> intercepts pointer events/),
    );
  });
});

describe('a reference', () => {
  const stale = (ref: string) => error(`^there is no element "${ref}" any more; look again`);

  test('is refused if no snapshot has shown it, without waiting for it', async () => {
    await using scene = await openAria({ 'http://a.test/': '<button>Send</button>' });
    await scene.call('snapshot');
    expect(await scene.call('click', { ref: 'e999' })).toEqual(stale('e999'));
    expect(await scene.call('click', { ref: 'f9e1' })).toEqual(stale('f9e1'));
  });

  test('is refused if it leads into a page that has been left', async () => {
    await using scene = await openAria({
      'http://a.test/': '<button>Send</button>',
      'http://a.test/b': '<button>Other</button>',
    });
    const ref = refOf((await scene.call('snapshot')).text, 'Send');
    await scene.page.goto('http://a.test/b');
    expect(await scene.call('click', { ref })).toEqual(stale(ref));
  });

  test('reaches into frames, of other sites too', async () => {
    const button = `<button onclick="this.textContent = 'Counted'">Vote</button>`;
    await using scene = await openAria({
      'http://a.test/': '<iframe src="http://b.test/"></iframe>',
      'http://b.test/': '<iframe src="http://c.test/"></iframe>',
      'http://c.test/': button,
    });
    const ref = refOf((await scene.call('snapshot')).text, 'Vote');
    expect(ref).toMatch(/^f\d+e\d+$/);
    expect(await scene.call('click', { ref })).toEqual(snapshot('button "Counted"'));
  });

  test('is refused if it leads into a removed frame', async () => {
    await using scene = await openAria({
      'http://a.test/': '<iframe src="http://b.test/"></iframe>',
      'http://b.test/': '<button>Vote</button>',
    });
    const ref = refOf((await scene.call('snapshot')).text, 'Vote');
    await scene.page.evaluate('document.querySelector("iframe").remove()');
    expect(await scene.call('click', { ref })).toEqual(stale(ref));
  });
});

describe('wait', () => {
  test('fails if the text does not appear', async () => {
    await using scene = await openAria({ 'http://a.test/': '<h1>Hello</h1>' }, SHORT);
    expect(await scene.call('wait', { text: 'Goodbye' })).toEqual(
      error(`the text "Goodbye" did not become visible within ${SHORT} ms`),
    );
  });

  test('sees a text that is hidden in one place and visible in another', async () => {
    const html = '<p style="display: none">Ready</p><p>Ready</p>';
    await using scene = await openAria({ 'http://a.test/': html });
    expect(await scene.call('wait', { text: 'Ready' })).toEqual(snapshot('Ready'));
  });

  test('sees a text in a frame that opens later', async () => {
    const html = `<button onclick="setTimeout(() => { const frame = document.createElement('iframe'); frame.src = 'http://b.test/'; document.body.append(frame) }, 150)">Start</button>`;
    await using scene = await openAria({ 'http://a.test/': html, 'http://b.test/': '<p>In the frame</p>' });
    await scene.on('click', 'Start');
    expect(await scene.call('wait', { text: 'In the frame' })).toEqual(snapshot('In the frame'));
  });

  test('sees a text in a tab that opens later', async () => {
    const html = `<button onclick="setTimeout(() => window.open('/b'), 150)">Start</button>`;
    await using scene = await openAria({ 'http://a.test/': html, 'http://a.test/b': '<p>In the tab</p>' });
    await scene.on('click', 'Start');
    expect(await scene.call('wait', { text: 'In the tab' })).toEqual(snapshot('In the tab'));
  });
});

describe('a page that is slow', () => {
  test('never finishes loading: it is shown so far', async () => {
    const never = deferred<Response>();
    await using scene = await openAria(
      {
        'http://a.test/': '',
        'http://a.test/slow': '<h1>Nearly</h1><img src="/never">',
        'http://a.test/never': () => never.promise,
      },
      SHORT,
    );
    expect(await scene.call('navigate', { url: 'http://a.test/slow' })).toEqual(snapshot('Nearly'));
    never.resolve(new Response());
  });

  test('is never sent in full: it is shown so far', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const endless = () => new Response(readable, { headers: { 'content-type': 'text/html' } });
    await using scene = await openAria({ 'http://a.test/': '', 'http://a.test/endless': endless }, SHORT);
    const writer = writable.getWriter();
    const writing = writer.write(Buffer.from('<!doctype html><h1>Begun</h1>'));
    expect(await scene.call('navigate', { url: 'http://a.test/endless' })).toEqual(snapshot('Begun'));
    await writing;
    await writer.close();
  });

  test('breaks off in the head: it is shown as an empty page', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const half = () => new Response(readable, { headers: { 'content-type': 'text/html' } });
    await using scene = await openAria({ 'http://a.test/': '', 'http://a.test/half': half }, SHORT);
    const writer = writable.getWriter();
    const writing = writer.write(Buffer.from('<!doctype html><title>Half</title>'));
    const empty = snapshot(/^Page: http:\/\/a\.test\/half\n.*\n\n$/);
    expect(await scene.call('navigate', { url: 'http://a.test/half' })).toEqual(empty);
    expect(await scene.page.evaluate('document.body')).toBeNull();
    await writing;
    await writer.close();
  });

  test('gets no response: that is an error', async () => {
    const never = deferred<Response>();
    await using scene = await openAria(
      {
        'http://a.test/': '<h1>Still here</h1>',
        'http://a.test/never': () => never.promise,
      },
      SHORT,
    );
    expect(await scene.call('navigate', { url: 'http://a.test/never' })).toEqual(error(`Timeout ${SHORT}ms exceeded`));
    never.resolve(new Response());
  });
});

describe('a cancelled call ends at once, as an error:', () => {
  test.each<[string, Record<string, string | number>]>([
    ['navigate', { url: 'http://a.test/never' }],
    ['press', { key: 'x' }],
    ['snapshot', {}],
  ])('%s', async (tool, args) => {
    const never = deferred<Response>();
    const asked = deferred<null>();
    const noteAsked = (): Response => {
      asked.resolve(null);
      return new Response();
    };
    const cancelled = new AbortController();
    await using scene = await openAria({
      'http://a.test/': '<input autofocus>',
      'http://a.test/asked': noteAsked,
      'http://a.test/never': () => {
        cancelled.abort();
        return never.promise;
      },
    });
    if (tool !== 'navigate') {
      scene.page.evaluate('fetch("/asked"); for (;;);').catch(() => {});
      await asked.promise;
    }
    const replying = scene.call(tool, args, cancelled.signal);
    if (tool !== 'navigate') cancelled.abort();
    expect(await replying).toEqual(error(/cancelled|aborted/i));
    never.resolve(new Response());
  });
});
