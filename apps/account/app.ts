import { defineApp } from 'touchstone';
import { field, form, html, type Markup, NOTHING, pageOf } from './page.ts';
import { isOwn, type Session, Sessions } from './sessions.ts';

/** One customer. Passwords are no part of what the judge is told. */
type Account = {
  name: string;
  email: string;
  phone: string;
  street: string;
  city: string;
  postcode: string;
};

type Book = {
  accounts: Record<string, Account>;
  failed_sign_ins: number;
  sign_ins: number;
  sign_outs: number;
};

const ACCOUNTS: Record<string, Account> = {
  ada: {
    name: 'Ada Brandt',
    email: 'ada@brandt.example',
    phone: '030 5550 112',
    street: 'Lindenweg 4',
    city: 'Bremen',
    postcode: '28195',
  },
  grace: {
    name: 'Grace Okafor',
    email: 'grace@okafor.example',
    phone: '030 5550 187',
    street: 'Hafenstrasse 19',
    city: 'Hamburg',
    postcode: '20459',
  },
};
const PROFILE = { name: 'Name', email: 'Email', phone: 'Phone' } as const;
const ADDRESS = { street: 'Street', city: 'City', postcode: 'Postcode' } as const;

/** Of who asks for what, as the routes need it. */
interface Visit {
  book: Book;
  sessions: Sessions;
  session: Session;
  headers: Record<string, string>;
  passwords: Record<string, string>;
  /** How many requests a sign-in is good for; null: without end. */
  expiresAfter: number | null;
  text: (name: string) => string;
}

/**
 * Customers' accounts behind a sign-in: a token in every form, a session by an HttpOnly cookie, the password once more before
 * an address is changed. Parameters: `password` (of every account), `expires_after` (requests that a sign-in is good for, once).
 */
export default defineApp((parameters) => {
  const book: Book = { accounts: structuredClone(ACCOUNTS), failed_sign_ins: 0, sign_ins: 0, sign_outs: 0 };
  const password = String(parameters['password'] ?? '');
  const sessions = new Sessions(password);
  const passwords = Object.fromEntries(Object.keys(ACCOUNTS).map((user) => [user, password]));
  const limit = parameters['expires_after'];
  const expiresAfter = typeof limit === 'number' ? limit : null;
  return {
    state: () => structuredClone({ ...book, signed_in: sessions.signedIn }),
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const { session, headers } = sessions.of(request);
      const fields = request.method === 'POST' ? new URLSearchParams(await request.text()) : new URLSearchParams();
      const text = (name: string): string => fields.get(name) ?? '';
      const visit: Visit = { book, sessions, session, headers, passwords, expiresAfter, text };
      if (request.method !== 'POST') return shown(visit, pathname);
      if (!isOwn(session, text('token'))) {
        return pageOf(
          'Refused',
          html`<p role="alert">This form has expired. <a href="/">Begin again</a></p>`,
          403,
          headers,
        );
      }
      return posted(visit, pathname);
    },
  };
});

function shown(visit: Visit, pathname: string): Response {
  if (pathname === '/') return redirect(visit.session.user === null ? '/sign-in' : '/profile', visit.headers);
  if (pathname === '/sign-in') return signInPage(visit, NOTHING, 200);
  const account = accountOf(visit);
  if (account === null) return signInPage(visit, alertOf('Please sign in.'), 401);
  switch (pathname) {
    case '/profile':
      return formPage(visit, 'Profile', '/profile', PROFILE, account, NOTHING);
    case '/address':
      return visit.session.isConfirmed
        ? formPage(visit, 'Address', '/address', ADDRESS, account, NOTHING)
        : confirmPage(visit, NOTHING, 200);
    default:
      return pageOf('Not found', html`<p>There is no such page. <a href="/">Home</a></p>`, 404, visit.headers);
  }
}

function posted(visit: Visit, pathname: string): Response {
  if (pathname === '/sign-in') return signIn(visit);
  const account = accountOf(visit);
  if (account === null) return signInPage(visit, alertOf('Your session has expired. Please sign in again.'), 401);
  switch (pathname) {
    case '/profile':
      return changed(visit, 'Profile', '/profile', PROFILE, account);
    case '/confirm':
      visit.session.isConfirmed = isPassword(visit, visit.session.user ?? '', visit.text('password'));
      return visit.session.isConfirmed
        ? redirect('/address', visit.headers)
        : confirmPage(visit, alertOf('The password is not right.'), 403);
    case '/address':
      if (!visit.session.isConfirmed) return confirmPage(visit, alertOf('Please confirm your password.'), 403);
      return changed(visit, 'Address', '/address', ADDRESS, account);
    case '/sign-out':
      visit.book.sign_outs += 1;
      return redirect('/sign-in', visit.sessions.renewed(visit.session, null).headers);
    default:
      return pageOf('Not found', html`<p>There is no such page. <a href="/">Home</a></p>`, 404, visit.headers);
  }
}

/** Whose account a signed-in session is about, which uses the session once more; null when there is none, or no longer. */
function accountOf({ book, session }: Visit): Account | null {
  if (session.user === null) return null;
  if (session.requestsLeft === 0) {
    session.user = null;
    session.isConfirmed = false;
    return null;
  }
  if (session.requestsLeft !== null) session.requestsLeft -= 1;
  return book.accounts[session.user] ?? null;
}

function signIn(visit: Visit): Response {
  const user = visit.text('user').trim().toLowerCase();
  if (!isPassword(visit, user, visit.text('password'))) {
    visit.book.failed_sign_ins += 1;
    return signInPage(visit, alertOf('The user name or the password is not right.'), 403);
  }
  const { session, headers } = visit.sessions.renewed(visit.session, user);
  visit.book.sign_ins += 1;
  // It ends once: whoever signs in again is let be.
  session.requestsLeft = visit.book.sign_ins === 1 ? visit.expiresAfter : null;
  return redirect('/profile', headers);
}

function isPassword({ passwords }: Visit, user: string, given: string): boolean {
  const wanted = Object.hasOwn(passwords, user) ? passwords[user] : undefined;
  return wanted !== undefined && wanted !== '' && given === wanted;
}

function changed(
  visit: Visit,
  title: string,
  action: string,
  labels: Partial<Record<keyof Account, string>>,
  account: Account,
): Response {
  const names = Object.keys(account).filter((name): name is keyof Account => Object.hasOwn(labels, name));
  const empty = names.find((name) => visit.text(name).trim() === '');
  if (empty !== undefined)
    return formPage(visit, title, action, labels, account, alertOf('Please fill in every field.'));
  for (const name of names) account[name] = visit.text(name).trim();
  return formPage(visit, title, action, labels, account, html`<p role="status">Your changes have been saved.</p>`);
}

function formPage(
  { session, headers }: Visit,
  title: string,
  action: string,
  labels: Partial<Record<keyof Account, string>>,
  account: Account,
  note: Markup,
): Response {
  const fields = Object.entries(labels).map(([name, label]) =>
    field(label, name, Object.entries(account).find(([key]) => key === name)?.[1] ?? ''),
  );
  const inside = form(action, session.token, fields, `Save ${title.toLowerCase()}`);
  return pageOf(
    title,
    html`${navigation(session)}
      <h1>${title}</h1>
      ${note}${inside}`,
    200,
    headers,
  );
}

function confirmPage({ session, headers }: Visit, note: Markup, status: number): Response {
  const inside = form('/confirm', session.token, [field('Password', 'password', '', 'password')], 'Confirm password');
  const why = html`<p>To change your address, please give your password once more.</p>`;
  return pageOf(
    'Confirm',
    html`${navigation(session)}
      <h1>Confirm</h1>
      ${note}${why}${inside}`,
    status,
    headers,
  );
}

function signInPage({ session, headers }: Visit, note: Markup, status: number): Response {
  const fields = [field('User name', 'user', ''), field('Password', 'password', '', 'password')];
  return pageOf(
    'Sign in',
    html`<h1>Sign in</h1>
      ${note}${form('/sign-in', session.token, fields, 'Sign in')}`,
    status,
    headers,
  );
}

function navigation({ token }: Session): Markup {
  return html`<nav>
    <a href="/profile">Profile</a><a href="/address">Address</a>${form('/sign-out', token, [], 'Sign out')}
  </nav>`;
}

function alertOf(text: string): Markup {
  return html`<p role="alert">${text}</p>`;
}

function redirect(location: string, headers: Record<string, string>): Response {
  return new Response(null, { status: 303, headers: { location, ...headers } });
}
