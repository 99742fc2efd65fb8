import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireBrowser } from '../../../src/browser/find.ts';
import { type Gateway, startGateway } from '../../../src/browser/gateway/gateway.ts';
import { launchBrowser } from '../../../src/browser/launch.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { playwright, puppeteer, stagehand } from '../../../src/surface/library/libraries.ts';
import type { EndpointSurface, SurfaceSession } from '../../../src/surface/surface.ts';
import type { SurfaceIntent } from '../../../src/task/intent.ts';
import type { ToolReply } from '../../../src/task/tool.ts';
import { openWorld, type Pages } from '../../browser/scene.ts';
import { sharedIdentity } from '../../shared-browser.ts';

const says = (text: string) => `document.querySelector('h1').textContent = ${text}`;
const FILES = ['first.txt', 'second.txt'].map((name) => ({ name, bytes: Buffer.from(name) }));
const HANGING = new Promise<Response>(() => {});

const PAGES: Pages = {
  'http://a.localhost/': '<h1>Start</h1><iframe src="http://b.localhost/vote"></iframe>',
  'http://b.localhost/vote': `<h1>Vote</h1><button onclick="${says("'Counted'")}">Vote for tea</button>`,
  'http://a.localhost/form': `<h1>Form</h1>
    <label>Name <input></label> <label>Topic <select><option>Sales<option>Support</select></label>
    <button onclick="${says("[...document.querySelectorAll('input, select')].map((field) => field.value).join(' about ')")}">Send</button>`,
  'http://a.localhost/ask': `<h1>Not asked</h1><button onclick="${says("confirm('Really?')")}">Ask</button>`,
  'http://a.localhost/links': '<h1>Links</h1><a href="/terms" target="_blank">Terms</a>',
  'http://a.localhost/terms': '<h1>Cake on Fridays</h1>',
  'http://a.localhost/shadow': `<h1>Shadow</h1><p></p><script>
    document.querySelector('p').attachShadow({ mode: 'open' }).innerHTML = '<button>Inside</button>';
    document.querySelector('p').shadowRoot.querySelector('button').onclick = () => { ${says("'Reached'")}; };</script>`,
  'http://a.localhost/keys': `<h1>Keys</h1><label>Name <input value="old" onkeydown="if (event.key === 'Enter') ${says('this.value')}"></label>`,
  'http://a.localhost/files': `<h1>Files</h1><label>Photo <input type="file" onchange="${says("'One: ' + files[0].name")}"></label>`,
  'http://a.localhost/map': `<body style="margin: 0" onclick="${says("'At ' + event.pageX")}"><h1>Map</h1><p>A map of the town, and of what lies around it.</p>`,
  'http://a.localhost/hangs': () => HANGING,
};

/** A library at work in a browser of its own. */
interface Stage {
  session: SurfaceSession;
  gateway: Gateway;
  /** What it shows of the page that was open before it came. */
  firstLook: ToolReply;
  call: (tool: string, args?: JsonObject, signal?: AbortSignal) => Promise<ToolReply>;
  /** Does these steps one after the other, as a solution's are done, and gives the last reply. */
  follow: (...steps: SurfaceIntent[]) => Promise<ToolReply>;
  close: () => Promise<void>;
}

async function openStage(surface: EndpointSurface): Promise<Stage> {
  const world = await openWorld(PAGES);
  const { spki } = await sharedIdentity();
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: spki });
  browser.forwardTo(world.proxy.server);
  const page = await browser.observer.freshPage();
  const gateway = await startGateway(browser);
  await browser.observer.open(page, 'http://a.localhost/', 30_000);
  const laid = (await browser.layFiles?.(FILES)) ?? '';
  const foundAt = (paths: ReadonlyMap<string, string>) => {
    gateway.lend(new Map([...paths].map(([name, own]) => [own, join(laid, name)])));
  };
  const session = await surface.open(
    { cdpUrl: gateway.url, cdpPort: gateway.port, tabs: () => [], given: { files: FILES, foundAt } },
    new AbortController().signal,
  );
  const call: Stage['call'] = (tool, args = {}, signal = new AbortController().signal) =>
    session.call({ tool, args }, signal);
  const follow: Stage['follow'] = async (...steps) => {
    let last: ToolReply | null = null;
    for (const step of steps) {
      let bound = await session.bind(step, last);
      if (bound.kind === 'observe') bound = await session.bind(step, await call(bound.call.tool, bound.call.args));
      if (bound.kind !== 'call') throw new Error(`not shown: ${JSON.stringify(step)}`);
      last = await call(bound.call.tool, bound.call.args);
    }
    if (last === null) throw new Error('no steps');
    return last;
  };
  const close = async () => {
    await session.close();
    await gateway.close();
    await browser.close();
    await world.close();
  };
  return { session, gateway, firstLook: await call('snapshot'), call, follow, close };
}

const go = (path: string): SurfaceIntent => ({ do: 'go', url: `http://a.localhost${path}` });
const click = (role: string, name: string): SurfaceIntent => ({ do: 'click', role, name });
const wait = (text: string): SurfaceIntent => ({ do: 'wait_for', text });

const SURFACES = [playwright, puppeteer, stagehand];
const stages = new Map<string, Stage>();

beforeAll(async () => {
  await Promise.all(SURFACES.map(async (surface) => stages.set(surface.id, await openStage(surface))));
});

afterAll(async () => {
  await Promise.all([...stages.values()].map((stage) => stage.close()));
});

function stageOf(id: string): Stage {
  const stage = stages.get(id);
  if (stage === undefined) throw new Error(`${id} is not open`);
  return stage;
}

describe.each(SURFACES.map(({ id }) => id))('%s', (id) => {
  const { call, follow } = {
    call: (...args: Parameters<Stage['call']>) => stageOf(id).call(...args),
    follow: (...steps: SurfaceIntent[]) => stageOf(id).follow(...steps),
  };

  test('has these tools, each with a schema of its arguments', () => {
    const { tools } = stageOf(id).session;
    expect(tools.map(({ name }) => name)).toEqual([
      'navigate',
      'back',
      'snapshot',
      'click',
      'double_click',
      'right_click',
      'hover',
      'drag',
      'click_at',
      'fill',
      'select',
      'upload',
      'press',
      'wait',
      'tabs',
      'dialog',
    ]);
    expect(tools.every(({ input_schema: { type } }) => type === 'object')).toBe(true);
  });

  test('fills, chooses and clicks', async () => {
    const reply = await follow(
      go('/form'),
      { do: 'fill', label: 'Name', text: 'Ada "Lovelace"' },
      { do: 'choose', label: 'Topic', option: 'Support' },
      click('button', 'Send'),
      wait('Ada "Lovelace" about Support'),
    );
    expect(reply).toMatchObject({ ok: true, text: expect.stringContaining('http://a.localhost/form') });
  });

  test('uploads a file that the task gives, and no other', async () => {
    const photo = { do: 'upload', role: 'button', name: 'Photo' } as const;
    const other = await follow(go('/files'), { ...photo, files: ['third.txt'] });
    expect(other).toMatchObject({ ok: false, text: expect.stringContaining('second.txt') });
    expect(await follow({ ...photo, files: ['second.txt'] }, wait('One: second.txt'))).toMatchObject({ ok: true });
  });

  test('clicks at a place', async () => {
    await follow(go('/map'), { do: 'click_at', x: 40, y: 45 });
    expect(await follow(wait('At 40'))).toMatchObject({ ok: true });
  });

  test('presses keys, alone and together', async () => {
    const select = [
      { do: 'press', key: 'Control+A' },
      { do: 'press', key: 'X' },
    ] as const;
    const reply = await follow(go('/keys'), { do: 'fill', label: 'Name', text: 'new' }, ...select, {
      do: 'press',
      key: 'Enter',
    });
    expect(reply.ok).toBe(true);
    expect((await follow(wait('X'))).text).not.toContain('new');
  });

  test('leaves a dialog open until it is answered', async () => {
    await follow(go('/ask'), click('button', 'Ask'));
    expect(await call('dialog', { action: 'accept' })).toMatchObject({ ok: true });
    expect(await follow(wait('true'))).toMatchObject({ ok: true });
  });

  test('refuses to answer a dialog if none is open', async () => {
    expect(await follow(go('/ask'), { do: 'dialog', action: 'accept' })).toMatchObject({ ok: false, kind: 'error' });
  });

  test('works on a tab that a page has opened, and on the first again', async () => {
    await follow(go('/links'), click('link', 'Terms'), { do: 'switch_tab', index: 1 });
    expect((await follow(wait('Cake on Fridays'))).text).toContain('1 (current): http://a.localhost/terms');
    expect(await call('back')).toMatchObject({ ok: false, kind: 'error' });
    expect((await follow({ do: 'switch_tab', index: 0 })).text).toContain('0 (current): http://a.localhost/links');
  });

  test('reaches into a shadow root', async () => {
    expect(await follow(go('/shadow'), click('button', 'Inside'), wait('Reached'))).toMatchObject({ ok: true });
  });

  test('reaches into a new frame of another origin', async () => {
    await follow(go('/'), wait('Vote for tea'));
    expect(await follow(click('button', 'Vote for tea'), wait('Counted'))).toMatchObject({ ok: true });
  });

  test('goes back', async () => {
    await follow(go('/form'), go('/links'));
    expect((await call('back')).text).toContain('0 (current): http://a.localhost/form');
  });

  test.each<[string, JsonObject, RegExp]>([
    ['click', { selector: 5 }, /"click".*selector/s],
    ['click', { selector: 'a', twice: true }, /"click".*twice/s],
    ['navigate', { url: 'file:///etc/passwd' }, /file: addresses are refused/],
    ['pinch', {}, /no tool "pinch".*click/],
  ])('describes the fault of a call of %s with %j', async (tool, args, text) => {
    expect(await call(tool, args)).toEqual({ ok: false, kind: 'error', text: expect.stringMatching(text) });
  });

  test('gives up a cancelled call, and goes on', async () => {
    const cancelled = call('navigate', { url: 'http://a.localhost/hangs' }, AbortSignal.timeout(300));
    expect(await cancelled).toMatchObject({ ok: false });
    expect(await follow(go('/terms'), wait('Cake'))).toMatchObject({ ok: true });
  });
});

test.each([
  ['playwright', true],
  ['puppeteer', true],
  // Stagehand adopts such frames as they come, not those that were there before it.
  ['stagehand', false],
])('a frame of another origin that was there before %s is seen: %s', (id, isSeen) => {
  expect(stageOf(id).firstLook.text.includes('Vote for tea')).toBe(isSeen);
});

describe.each(['playwright', 'puppeteer'])('%s reports a dialog', (id) => {
  test('when it opens, and until it is answered', async () => {
    const { call, follow } = stageOf(id);
    expect((await follow(go('/ask'), click('button', 'Ask'))).text).toBe('a dialog is open: confirm dialog: Really?');
    expect(await call('snapshot')).toMatchObject({ ok: false, text: expect.stringContaining('Really?') });
    expect(await follow({ do: 'dialog', action: 'dismiss' }, wait('false'))).toMatchObject({ ok: true });
  });
});

test('a missing element is an error for every library', async () => {
  await Promise.all(
    SURFACES.map(async ({ id }) => {
      const { call, follow } = stageOf(id);
      await follow(go('/form'));
      const replies = [
        call('click', { selector: id === 'stagehand' ? '0-999' : '#nowhere' }),
        call('click', { selector: id === 'stagehand' ? '#nowhere' : 'button:nonsense' }),
        call('tabs', { index: 7 }),
        call('wait', { text: 'Nobody says this' }),
      ];
      for (const reply of await Promise.all(replies)) expect(reply).toMatchObject({ ok: false, kind: 'error' });
    }),
  );
});

test.each([
  ['playwright', false],
  ['puppeteer', false],
  // Stagehand then chooses the first one, and reports success.
  ['stagehand', true],
])('an option that a list lacks is accepted by %s: %s', async (id, isAccepted) => {
  const choice = await stageOf(id).follow(go('/form'), { do: 'choose', label: 'Topic', option: 'Praise' });
  expect(choice.ok).toBe(isAccepted);
});

test('a browser cut off during a call is an error, and of every later call', async () => {
  await Promise.all(
    SURFACES.map(async ({ id }) => {
      const { call, gateway } = stageOf(id);
      const before = gateway.log.commands;
      const calling = call('navigate', { url: 'http://a.localhost/hangs' });
      await expect.poll(() => gateway.log.commands).toBeGreaterThan(before);
      await gateway.close();
      expect(await calling).toMatchObject({ ok: false });
      expect(await call('snapshot')).toMatchObject({ ok: false });
    }),
  );
});
