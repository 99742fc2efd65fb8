import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { defineApp } from 'touchstone';

const PAGES = new URL('pages/', import.meta.url);

/** What the app knows; the judge reads it, no browser can. */
type State = {
  submissions: { name: string; email: string; topic: string }[];
  article: 'draft' | 'published';
  votes: Record<'tea' | 'coffee', number>;
  /** The address that it goes to. */
  newsletter: string | null;
  notes: string[];
  /** In whose name they were accepted. */
  terms: string | null;
  orders: { number: string; item: string }[];
};

/** A small office: a form, an article, a vote in a frame, a setting in a shadow root, notes, terms, and orders. */
export default defineApp(() => {
  const state: State = {
    submissions: [],
    article: 'draft',
    votes: { tea: 0, coffee: 0 },
    newsletter: null,
    notes: ['Water the plants', 'Old shopping list', 'Call the plumber'],
    terms: null,
    orders: [],
  };
  return {
    state: () => structuredClone(state),
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method === 'GET') return await page(pathname);
      const fields = new URLSearchParams(await request.text());
      const reply = change(state, `${request.method} ${pathname}`, (name) => fields.get(name) ?? '');
      return reply ?? new Response('not found', { status: 404 });
    },
  };
});

function change(state: State, route: string, field: (name: string) => string): Response | null {
  switch (route) {
    case 'POST /contact':
      state.submissions.push({ name: field('name'), email: field('email'), topic: field('topic') });
      return redirect('/thanks');
    case 'POST /article':
      state.article = 'published';
      return Response.json({ article: state.article });
    case 'POST /votes': {
      const choice = field('choice');
      if (choice !== 'tea' && choice !== 'coffee') return new Response('no such choice', { status: 400 });
      state.votes[choice] += 1;
      // The vote is cast from a frame of another origin.
      return Response.json({ votes: state.votes }, { headers: { 'access-control-allow-origin': '*' } });
    }
    case 'POST /newsletter':
      state.newsletter = field('email');
      return Response.json({ newsletter: state.newsletter });
    case 'POST /notes/delete':
      state.notes = state.notes.filter((note) => note !== field('note'));
      return Response.json({ notes: state.notes });
    case 'POST /terms':
      state.terms = field('name');
      return Response.json({ terms: state.terms });
    case 'POST /orders': {
      const order = { number: `B-${4711 + state.orders.length}`, item: field('item') };
      state.orders.push(order);
      return Response.json(order);
    }
    default:
      return null;
  }
}

async function page(pathname: string): Promise<Response> {
  const name = pathname === '/' ? 'index' : pathname.slice(1);
  if (name === 'style.css') return await file('style.css', 'text/css');
  return /^[a-z-]+$/.test(name)
    ? await file(`${name}.html`, 'text/html; charset=utf-8')
    : new Response('not found', { status: 404 });
}

async function file(name: string, type: string): Promise<Response> {
  try {
    return new Response(await readFile(fileURLToPath(new URL(name, PAGES))), { headers: { 'content-type': type } });
  } catch {
    return new Response('not found', { status: 404 });
  }
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location } });
}
