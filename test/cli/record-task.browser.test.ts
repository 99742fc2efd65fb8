import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { main } from '../../src/cli/program.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';
import { usersBrowser } from './users-browser.ts';

beforeEach(async () => {
  vi.stubEnv('TOUCHSTONE_CACHE', await temporaryFolder());
});

const SUITE = `id: office
title: Office
tasks: [tasks/*.yaml]
world:
  kind: local
  sites:
    - { origin: http://basics.localhost, app: app/app.ts }
    - { origin: http://widgets.localhost, static: widgets }
`;

async function office(): Promise<string> {
  const folder = path.join(await temporaryFolder(), 'office');
  const root = packageRoot();
  await cp(path.join(root, 'apps/basics'), path.join(folder, 'app'), { recursive: true });
  await cp(path.join(root, 'suites/basics/sites/widgets'), path.join(folder, 'widgets'), { recursive: true });
  await mkdir(path.join(folder, 'tasks'));
  const one = 'tasks/iframe-vote.yaml';
  await cp(path.join(root, 'suites/basics', one), path.join(folder, one));
  await writeFile(path.join(folder, 'suite.yaml'), SUITE);
  return folder;
}

interface Recorded {
  exit: number;
  printed: string;
}

/**
 * Records what a user does on a page until they are done.
 * @param at the address of that page, if it is not the one that is recorded
 */
async function recordAs(
  user: (page: Page) => Promise<void>,
  { url, at = url, suite, args }: { url: string; at?: string; suite: string; args: string[] },
): Promise<Recorded> {
  const { address, pageAt } = await usersBrowser();
  let printed = '';
  const say = (line: string): void => {
    printed += `${line}\n`;
  };
  const words = ['record-task', url, suite, '--browser-endpoint', address, ...args];
  let did: Promise<void> = Promise.resolve();
  const exit = await main(words, {
    out: say,
    note: say,
    // Asked when the window is open; answered when the user is done.
    ask: async () => {
      did = pageAt(at).then(user);
      await did;
      return '';
    },
  });
  // A user who did not finish ends the recording, too.
  await did;
  return { exit, printed };
}

const CONTACT = 'http://basics.localhost/contact';

async function sendForm(page: Page): Promise<void> {
  await page.getByLabel('Name').click();
  await page.keyboard.type('Grace Hopper');
  await page.getByLabel('Email').click();
  await page.keyboard.type('grace@example.com');
  await page.getByLabel('Topic').focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('We have received your message').waitFor();
}

test('a form that a user sends becomes a task that qualifies', async () => {
  const suite = await office();
  const goal = 'Send the contact form as Grace Hopper, grace@example.com, about Support.';
  const args = ['--goal', goal, '--id', 'send-as-grace', '--out', path.join(suite, '../trials')];
  const { exit, printed } = await recordAs(sendForm, { url: CONTACT, suite, args });
  expect(printed).toContain('fill "Name" "Grace Hopper"');
  expect(printed).toContain('1 of 1 task qualifies');
  expect(exit).toBe(0);
  expect(parse(await readFile(path.join(suite, 'tasks/send-as-grace.yaml'), 'utf8'))).toMatchObject({
    id: 'send-as-grace',
    startUrl: CONTACT,
    goal,
    success: {
      kind: 'app_state',
      pointer: '/submissions/0',
      equals: { name: 'Grace Hopper', email: 'grace@example.com', topic: 'Support' },
    },
    guards: { kind: 'unchanged', except: ['/submissions/0'] },
    solutions: [
      {
        steps: [
          { do: 'fill', label: 'Name', text: 'Grace Hopper' },
          { do: 'fill', label: 'Email', text: 'grace@example.com' },
          { do: 'choose', label: 'Topic', option: 'Support' },
          { do: 'click', role: 'button', name: 'Send' },
          { do: 'wait_for', text: 'Thank you' },
        ],
      },
    ],
    nearMisses: [
      { why: 'the last step was left out: click button "Send"' },
      { why: 'it was done twice' },
      { why: 'another option was chosen: Sales' },
      { why: 'another value was written: ada@example.org' },
    ],
  });
  const run = async (agent: string) =>
    await touchstone(
      'run',
      suite,
      '--task',
      'send-as-grace',
      '--agent',
      agent,
      '--out',
      path.join(suite, '../', agent),
    );
  expect(await run('reference')).toMatchObject({ exit: 0, out: expect.stringContaining('1 of 1') });
  expect((await run('null')).out).toContain('0 of 1');
});

/** Tricks by which a page may want to be taken for its user. */
const BY_SCRIPT = `(() => {
  const [field, button] = [document.querySelector('input'), document.querySelector('button')];
  field.value = 'Mallory';
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  return typeof touchstoneUserEvent;
})()`;

test('events that a script of the page makes are not recorded, and the page cannot reach the recorder', async () => {
  const suite = await office();
  let binding: unknown = null;
  const byScript = async (page: Page): Promise<void> => {
    binding = await page.evaluate(BY_SCRIPT);
  };
  const { exit, printed } = await recordAs(byScript, { url: CONTACT, suite, args: ['--goal', 'Nothing.'] });
  expect(exit).toBe(1);
  expect(binding).toBe('undefined');
  expect(printed).toContain('nothing was done');
  expect(printed).not.toMatch(/click|fill/);
  expect(await readdir(path.join(suite, 'tasks'))).toEqual(['iframe-vote.yaml']);
});

test('a recording without a judgeable change writes no file', async () => {
  const suite = await office();
  const typing = async (page: Page): Promise<void> => {
    await page.getByLabel('Name').click();
    await page.keyboard.type('Grace');
  };
  const { exit, printed } = await recordAs(typing, { url: CONTACT, suite, args: ['--goal', 'Type.'] });
  expect(exit).toBe(1);
  expect(printed).toContain('fill "Name" "Grace"');
  expect(printed).toContain('nothing that can be judged has changed');
  expect(await readdir(path.join(suite, 'tasks'))).toEqual(['iframe-vote.yaml']);
});

test('a click in a frame of another origin is recorded, and so is the answer to a dialog', async () => {
  const suite = await office();
  const args = ['--goal', 'Vote.', '--no-qualify'];
  const voting = async (page: Page): Promise<void> => {
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Vote for tea' }).click();
    await frame.getByText('has been counted').waitFor();
  };
  const voted = await recordAs(voting, { url: 'http://basics.localhost/poll', suite, args: [...args, '--id', 'tea'] });
  expect(voted).toMatchObject({ exit: 0 });
  expect(parse(await readFile(path.join(suite, 'tasks/tea.yaml'), 'utf8'))).toMatchObject({
    success: { kind: 'app_state', pointer: '/votes/tea', equals: 1 },
    solutions: [{ steps: [{ do: 'click', role: 'button', name: 'Vote for tea' }, { do: 'wait_for' }] }],
  });
  const deleting = async (page: Page): Promise<void> => {
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Delete Old shopping list' }).click();
    await page.getByText('Old shopping list').waitFor({ state: 'detached' });
  };
  const url = 'http://basics.localhost/notes';
  expect(await recordAs(deleting, { url, suite, args: [...args, '--id', 'note'] })).toMatchObject({ exit: 0 });
  expect(parse(await readFile(path.join(suite, 'tasks/note.yaml'), 'utf8'))).toMatchObject({
    success: { kind: 'app_state', pointer: '/notes', equals: ['Water the plants', 'Call the plumber'] },
    guards: { kind: 'unchanged', except: ['/notes'] },
    solutions: [
      {
        steps: [
          { do: 'click', role: 'button', name: 'Delete Old shopping list' },
          { do: 'dialog', action: 'accept' },
          { do: 'settle' },
        ],
      },
    ],
  });
});

/** A desk whose page shows a new text each time, which its state does not have. */
const DESK = `
  import { randomUUID } from 'node:crypto';
  import { defineApp } from 'touchstone';
  const inLetters = (text) => text.replaceAll(/[^a-z]/g, (each) => String.fromCharCode(97 + (each.charCodeAt(0) % 26)));
  const html = (text) =>
    new Response('<!doctype html><h1>Desk</h1>' + text, { headers: { 'content-type': 'text/html' } });
  export default defineApp(() => {
    let closed = false;
    return {
      state: () => ({ closed }),
      async fetch(request) {
        const { pathname } = new URL(request.url);
        if (request.method !== 'POST') return html('<form method="post" action="/open"><button>Open</button></form>');
        closed = pathname === '/close';
        if (closed) return html('<p>Closed</p>');
        const ticket = 'Ticket ' + inLetters(randomUUID());
        return html('<p>' + ticket + '</p><form method="post" action="/close"><button>Close it</button></form>');
      },
    };
  });
`;

test('a recording with a step that fails when it is repeated is written, and not qualified', async () => {
  const suite = await office();
  await writeFile(path.join(suite, 'app/app.ts'), DESK);
  const closing = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('button', { name: 'Close it' }).click();
    await page.getByText('Closed').waitFor();
  };
  const args = ['--goal', 'Close a ticket.', '--id', 'close', '--out', path.join(suite, '../trials')];
  const { exit, printed } = await recordAs(closing, { url: 'http://basics.localhost/', suite, args });
  expect(printed).toMatch(/error: it is not qualified.*: step 2 failed: /);
  expect(printed).toContain(`qualify ${suite} --task close`);
  expect(printed).toContain('warning: The task has no near-miss');
  expect(printed).not.toContain('task qualifies');
  expect(exit).toBe(1);
  expect(parse(await readFile(path.join(suite, 'tasks/close.yaml'), 'utf8'))).toMatchObject({
    success: { kind: 'app_state', pointer: '/closed', equals: true },
  });
  expect(await readdir(suite)).not.toContain('qualification.json');
});

const SERVER = `
  import http from 'node:http';
  const users = [];
  const page = '<!doctype html><h1>Join</h1><form method="post" action="/users"><label>Name <input name="name"></label>'
    + '<label>Password <input name="password" type="password"></label><button>Join</button></form>';
  http.createServer((request, response) => {
    if (request.url === '/__state') return response.end(JSON.stringify({ users }));
    if (request.method !== 'POST') return response.setHeader('content-type', 'text/html').end(page);
    let body = '';
    request.on('data', (chunk) => (body += chunk)).on('end', () => {
      const fields = new URLSearchParams(body);
      users.push({ id: process.pid, name: fields.get('name'), password: fields.get('password') });
      response.setHeader('content-type', 'text/html').end('<h1>Welcome</h1>');
    });
  }).listen(Number(process.env.PORT), '127.0.0.1');
`;

test('a server of the user, named by its own address, is recorded on the suite of "init", and no password is written', async () => {
  const app = await temporaryFolder();
  await writeFile(path.join(app, 'server.mjs'), SERVER);
  const suite = path.join(app, 'touchstone');
  const answers = ['node server.mjs', '', '/__state', 'node'];
  const quiet = { out: () => {}, note: () => {} };
  expect(await main(['init', suite], { ...quiet, ask: async () => answers.shift() ?? '' })).toBe(0);
  const { hostname } = new URL(
    String(parse(await readFile(path.join(suite, 'suite.yaml'), 'utf8')).world.sites[0].origin),
  );
  const joining = async (page: Page): Promise<void> => {
    await page.getByLabel('Name').click();
    await page.keyboard.type('Ada');
    await page.keyboard.press('Tab');
    await page.keyboard.type('tulip-Harbour-4417');
    await page.keyboard.press('Enter');
    await page.getByText('Welcome').waitFor();
  };
  const { exit, printed } = await recordAs(joining, {
    url: 'http://localhost:3000/',
    at: `http://${hostname}/`,
    suite,
    args: ['--goal', 'Join as Ada with ${PASSWORD}.'],
  });
  expect(exit).toBe(1);
  expect(printed).toContain('is recorded as http://');
  const text = await readFile(path.join(suite, 'tasks/join-as-ada-with-password.yaml'), 'utf8');
  expect(printed + text).not.toContain('tulip');
  expect(parse(text)).toMatchObject({
    title: 'Join as Ada with password',
    auth: { by: 'form' },
    solutions: [
      {
        steps: [
          { do: 'fill', label: 'Name', text: 'Ada' },
          { do: 'fill', label: 'Password', text: '${PASSWORD}' },
          { do: 'click', role: 'button', name: 'Join' },
          { do: 'wait_for', text: 'Welcome' },
        ],
      },
    ],
  });
  const { out } = await touchstone('validate', suite);
  expect(out).toContain('uses ${PASSWORD}');
});

test('an existing task, an address of no site, and a suite that lists its task files are refused', async () => {
  const suite = await office();
  const record = async (url: string, ...args: string[]) =>
    await touchstone('record-task', url, suite, '--browser-endpoint', 'http://127.0.0.1:9', '--goal', 'Vote.', ...args);
  expect((await record(CONTACT, '--id', 'iframe-vote')).err).toContain('iframe-vote.yaml already exists');
  expect((await record('https://example.com/')).err).toContain('is not on a site of the suite');
  await writeFile(path.join(suite, 'suite.yaml'), SUITE.replace('tasks/*.yaml', 'tasks/iframe-vote.yaml'));
  expect((await record(CONTACT)).err).toContain('lists its task files one by one');
});
