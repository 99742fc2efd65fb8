// Your app, running at an address of this machine. It is not started here, and the hash of this file represents it in every
// proof: change VERSION when the app changes, and no proof of the old one counts for the new one.
import { execFileSync } from 'node:child_process';
import { defineApp } from 'touchstone';

const ADDRESS = '{{address}}';
const VERSION = 1;
/** Brings the app back to its start before each episode: a program and its arguments. */
const RESET: string[] = ['{{reset}}'];

export default defineApp(() => {
  const [program, ...args] = RESET;
  if (program !== undefined) execFileSync(program, args, { stdio: ['ignore', 2, 2] });
  return {
    // State for the judge, in addition to the page: ask your app for it, and contracts can use app_state and unchanged. A browser reaches
    // every path of the app, so have the app answer there only if a header holds a secret that you give both.
    state: () => ({ version: VERSION }),
    async fetch(request) {
      const { pathname, search, origin } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.delete('host');
      const body = ['GET', 'HEAD'].includes(request.method) ? null : await request.arrayBuffer();
      const answer = await fetch(`${ADDRESS}${pathname}${search}`, {
        method: request.method,
        headers,
        body,
        redirect: 'manual',
      });
      const sent = new Headers(answer.headers);
      for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) sent.delete(name);
      const location = sent.get('location');
      if (location !== null) sent.set('location', location.replace(ADDRESS, origin));
      return new Response(answer.body, { status: answer.status, headers: sent });
    },
  };
});
