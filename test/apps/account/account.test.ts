import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { loadApp } from '../../../src/world/load-app.ts';

const APP = path.resolve(import.meta.dirname, '../../../apps/account/app.ts');
const PASSWORD = 'correct horse';
const State = z.looseObject({
  accounts: z.record(z.string(), z.record(z.string(), z.string())),
  failed_sign_ins: z.int(),
  sign_ins: z.int(),
  sign_outs: z.int(),
  signed_in: z.array(z.string()),
});

interface Answer {
  status: number;
  text: string;
  location: string | null;
}

/** A browser of the simplest kind: one cookie, and the token of the last form that it saw. */
class Visitor {
  #cookie = '';
  #token = '';
  isHttpOnly = true;
  readonly #fetch: (request: Request) => Response | Promise<Response>;
  readonly state: () => Promise<z.infer<typeof State>>;

  constructor(app: Awaited<ReturnType<Awaited<ReturnType<typeof loadApp>>>>) {
    this.#fetch = (request) => app.fetch(request);
    this.state = async () => State.parse(await app.state());
  }

  get cookie(): string {
    return this.#cookie;
  }

  get(pathname: string): Promise<Answer> {
    return this.#ask(new Request(`http://account.localhost${pathname}`, { headers: { cookie: this.#cookie } }));
  }

  post(pathname: string, fields: Record<string, string>): Promise<Answer> {
    const body = new URLSearchParams({ token: this.#token, ...fields });
    const headers = { cookie: this.#cookie, 'content-type': 'application/x-www-form-urlencoded' };
    return this.#ask(new Request(`http://account.localhost${pathname}`, { method: 'POST', headers, body }));
  }

  async signIn(password = PASSWORD): Promise<Answer> {
    await this.get('/sign-in');
    const answer = await this.post('/sign-in', { user: 'ada', password });
    return answer.location === null ? answer : await this.get(answer.location);
  }

  async #ask(request: Request): Promise<Answer> {
    const response = await this.#fetch(request);
    const set = response.headers.get('set-cookie');
    if (set !== null) {
      this.isHttpOnly &&= set.includes('HttpOnly');
      this.#cookie = set.split(';')[0] ?? '';
    }
    const text = await response.text();
    this.#token = /name="token" value="([\w-]+)"/.exec(text)?.[1] ?? this.#token;
    return { status: response.status, text, location: response.headers.get('location') };
  }
}

async function visitor(parameters: Record<string, string | number> = {}): Promise<Visitor> {
  return new Visitor(await (await loadApp(APP))({ password: PASSWORD, ...parameters }));
}

test('a signed-in user sees their own profile, under a new cookie', async () => {
  const ada = await visitor();
  await ada.get('/sign-in');
  const before = ada.cookie;
  expect((await ada.signIn()).text).toContain('value="Ada Brandt"');
  expect(ada.cookie).not.toBe(before);
  expect(ada.isHttpOnly).toBe(true);
  expect(await ada.state()).toMatchObject({ sign_ins: 1, signed_in: ['ada'], failed_sign_ins: 0 });
});

test('a wrong password signs in nobody, and is counted; so does an empty one if none is set', async () => {
  const ada = await visitor();
  expect(await ada.signIn('wrong')).toMatchObject({ status: 403 });
  expect(await ada.get('/profile')).toMatchObject({ status: 401 });
  expect(await ada.state()).toMatchObject({ sign_ins: 0, signed_in: [], failed_sign_ins: 1 });
  const nobody = await visitor({ password: '' });
  expect(await nobody.signIn('')).toMatchObject({ status: 403 });
});

test('a form of another session is refused', async () => {
  const ada = await visitor();
  await ada.signIn();
  expect(await ada.post('/profile', { token: 'x', name: 'Eve' })).toMatchObject({ status: 403 });
  expect((await ada.state()).accounts['ada']).toMatchObject({ name: 'Ada Brandt' });
});

test('a profile changes at once, an address only after the password was entered again', async () => {
  const ada = await visitor();
  await ada.signIn();
  await ada.post('/profile', { name: 'Ada Brandt', email: 'ada@new.example', phone: '1' });
  expect((await ada.state()).accounts['ada']).toMatchObject({ email: 'ada@new.example', street: 'Lindenweg 4' });
  const address = { street: 'Am Wall 2', city: 'Bremen', postcode: '28199' };
  expect(await ada.post('/address', address)).toMatchObject({ status: 403 });
  expect(await ada.post('/confirm', { password: 'wrong' })).toMatchObject({ status: 403 });
  expect(await ada.post('/confirm', { password: PASSWORD })).toMatchObject({ location: '/address' });
  await ada.get('/address');
  expect(await ada.post('/address', address)).toMatchObject({ status: 200 });
  expect((await ada.state()).accounts['ada']).toMatchObject(address);
});

test('an expired sign-in is requested once more, and then lasts', async () => {
  const ada = await visitor({ expires_after: 2 });
  await ada.signIn();
  expect(await ada.get('/profile')).toMatchObject({ status: 200 });
  const refused = await ada.post('/profile', { name: 'Ada B.', email: 'a', phone: '1' });
  expect(refused).toMatchObject({ status: 401 });
  expect((await ada.state()).accounts['ada']).toMatchObject({ name: 'Ada Brandt' });
  await ada.signIn();
  for (let at = 0; at < 5; at += 1) expect(await ada.get('/profile')).toMatchObject({ status: 200 });
});

test('signing out ends the session', async () => {
  const ada = await visitor();
  await ada.signIn();
  expect(await ada.post('/sign-out', {})).toMatchObject({ location: '/sign-in' });
  expect(await ada.get('/profile')).toMatchObject({ status: 401 });
  expect(await ada.state()).toMatchObject({ signed_in: [], sign_outs: 1 });
});

test('the state holds no password, and no page holds foreign markup', async () => {
  const ada = await visitor();
  await ada.signIn();
  const shown = await ada.post('/profile', { name: '<script>alert(1)</script>', email: '"x', phone: '1' });
  expect(shown.text).not.toContain('<script>');
  expect(shown.text).toContain('&lt;script&gt;');
  expect(JSON.stringify(await ada.state())).not.toContain(PASSWORD);
});
