import { expect, test } from 'vitest';
import type { EpisodeEvent } from '../../src/episode/events.ts';
import { ToolOffer } from '../../src/episode/run-entrant.ts';
import type { SurfaceSession } from '../../src/surface/surface.ts';
import type { ToolDefinition } from '../../src/task/tool.ts';
import { heardSink } from './heard-sink.ts';

/** An offer over a surface whose list can be replaced; a token per character. */
async function offered(...names: string[]) {
  const events: EpisodeEvent[] = [];
  let tools = listOf(names);
  const surface: SurfaceSession = {
    get tools() {
      return tools;
    },
    call: () => Promise.reject(new Error('nobody calls it')),
    bind: () => ({ kind: 'impossible', why: 'nobody binds it' }),
    close: () => Promise.resolve(),
  };
  const sink = heardSink((event) => events.push(event));
  const offer = new ToolOffer(surface, { sink, countTokens: (text) => text.length });
  await offer.look();
  return {
    lists: () => events.map((event) => (event.type === 'tools' ? event.names : [])),
    offers: async (...others: string[]) => {
      tools = listOf(others);
      await offer.look();
    },
  };
}

function listOf(names: readonly string[]): ToolDefinition[] {
  return names.map((name) => ({ name, description: '', input_schema: {} }));
}

test('each change of a list is reported, and a repeated announcement is not', async () => {
  const { lists, offers } = await offered('open');
  await offers('open');
  expect(lists()).toEqual([['open']]);
  await offers('open', 'close');
  await offers('open');
  expect(lists()).toEqual([['open'], ['open', 'close'], ['open']]);
});
