import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { defineApp } from 'touchstone';

/** Runs in the page of the episode, right after MiniWoB++'s core.js. */
const WITNESS = await readFile(new URL('witness.js', import.meta.url), 'utf8');
const CORE = /<script src="\.\.\/core\/core\.js"><\/script>/;

const TOKEN = 'touchstone-load';
const MAX_BYTES = 4_096;
const MAX_REFUSED = 20;

/** A reward as the page reported it, once. */
type Reward = {
  raw: number;
  /** Whether it reaches the threshold of the task. */
  paid: boolean;
  reason: string | null;
  /** The event in which it was given; null outside one. */
  event: { type: string; trusted: boolean; target: string } | null;
  /** Whether the page's own code gave it. */
  by_page: boolean;
};

type Refusal = 'no token' | 'unknown token' | 'not a reward' | 'already recorded';

type State = {
  page: string;
  seed: number;
  loads: number;
  reward: Reward | null;
  refused: Refusal[];
};

/**
 * Serves one page of a checkout of MiniWoB++, seeded and started, and keeps the first reward that a load of it reports. Only a
 * load gets a token: a script that reads the page again does not.
 */
export default defineApp(({ page, seed, threshold = 1 }, { data }) => {
  const state: State = { page: String(page), seed: Number(seed), loads: 0, reward: null, refused: [] };
  const tokens = new Set<string>();
  const refuse = (why: Refusal, status: number): Response => {
    if (state.refused.length < MAX_REFUSED) state.refused.push(why);
    return new Response(why, { status });
  };

  async function record(request: Request): Promise<Response> {
    const token = request.headers.get(TOKEN);
    if (token === null) return refuse('no token', 403);
    if (!tokens.has(token)) return refuse('unknown token', 403);
    const reward = rewardIn(await request.text(), Number(threshold));
    if (reward === null) return refuse('not a reward', 400);
    if (state.reward !== null) return refuse('already recorded', 409);
    state.reward = reward;
    return new Response(null, { status: 204 });
  }

  async function load(request: Request): Promise<Response> {
    const file = await data(request);
    if (!file.ok || request.headers.get('sec-fetch-dest') !== 'document') return file;
    const token = randomUUID();
    tokens.add(token);
    state.loads += 1;
    const given = JSON.stringify({ header: TOKEN, token, seed: state.seed });
    const witness = `<script>${WITNESS.replace('GIVEN', given)}//# sourceURL=witness.js</script>`;
    const html = (await file.text()).replace(CORE, (core) => `${core}${witness}`);
    return new Response(html, {
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    });
  }

  return {
    state: () => structuredClone(state),
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === '/reward' && request.method === 'POST') return await record(request);
      if (pathname === `/miniwob/${state.page}.html` && request.method === 'GET') return await load(request);
      // Another page would give its reward for another task.
      return pathname.endsWith('.html') ? new Response('not found', { status: 404 }) : await data(request);
    },
  };
});

function rewardIn(text: string, threshold: number): Reward | null {
  if (text.length > MAX_BYTES) return null;
  const { raw, reason, event, by_page: byPage } = parsed(text);
  if (typeof raw !== 'number' || !Number.isFinite(raw)) return null;
  return {
    raw,
    paid: raw >= threshold,
    reason: typeof reason === 'string' ? reason : null,
    event: typeof event === 'object' && event !== null ? eventOf({ ...event }) : null,
    by_page: byPage === true,
  };
}

function eventOf({ type, trusted, target }: Record<string, unknown>): Reward['event'] {
  return { type: String(type), trusted: trusted === true, target: String(target) };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
