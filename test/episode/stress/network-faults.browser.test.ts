import { expect, test } from 'vitest';
import { ArmedFault } from '../../../src/fault/schema.ts';
import { call, deciding, moves, ORIGIN, refOf } from '../staged-episode.ts';
import { faultEvents, faulty } from './faulty-episode.ts';

const follower = deciding((last, turn) => {
  if (turn === 0) return call('snapshot');
  if (turn === 1) return call('click', { ref: refOf(last, '"Next"') });
  if (last?.ok === true && last.text.includes('Done')) return { kind: 'done', answer: null };
  return call('navigate', { url: `${ORIGIN}/next` });
});

function networkFault(kind: string, more: Record<string, unknown> = {}): ArmedFault {
  return ArmedFault.parse({ id: 'f', kind, nth: 1, url: '/next$', ms: 100, ...more });
}

test.each([
  ['drop', { lasts_ms: 100 }],
  ['reset', { lasts_ms: 100 }],
  ['stall', {}],
  ['slow_first_byte', {}],
  ['truncated_body', {}],
  ['too_many_requests', {}],
  ['server_error', {}],
])(
  '%s fires in the middle of an episode, with the exchange as proof, and an agent that tries again recovers',
  async (kind, more) => {
    // An agent that tries again at once may take more than 30 steps, the default, before the fault is over.
    const performance = await faulty(networkFault(kind, more), { agent: follower, task: { maxSteps: 100 } });
    expect(faultEvents(performance)).toMatchObject([
      { type: 'fault.armed' },
      { type: 'fault.fired', proof: { exchange: { method: 'GET', url: `${ORIGIN}/next` } } },
      { type: 'fault.cleared' },
    ]);
    expect(performance.result).toMatchObject({
      status: 'passed',
      faults: [{ armed: true, fired: true, cleared: true }],
    });
  },
);

test('a fault does not fire without a request, and requests of the harness before the agent begins do not count', async () => {
  const { result } = await faulty(networkFault('drop', { url: `^${ORIGIN}/$` }), { agent: moves(call('snapshot')) });
  expect(result.faults).toMatchObject([{ armed: true, fired: false, cleared: false }]);
});
