import { describe, expect, test } from 'vitest';
import type { Move } from '../../src/agent/agent.ts';
import { transcriptAgent } from '../../src/agent/kinds/transcript.ts';
import { parseTranscript, callLine, type TranscriptLine } from '../../src/agent/transcript.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { ToolReply } from '../../src/task/tool.ts';
import { NEVER, reply, seatWith } from './seat.ts';

const HEADER: TranscriptLine = {
  kind: 'header',
  schema_version: 1,
  task: 'send-form',
  surface: 'aria',
  provenance: 'authored',
};
const CLICK = callLine({ tool: 'click', args: { ref: 'e1' } }, { kind: 'snapshot' });
const WAIT = callLine({ tool: 'wait', args: { text: 'Done' } }, { kind: 'snapshot' });
const DONE: TranscriptLine = { kind: 'done', answer: { value: 42 } };

function textOf(...lines: (TranscriptLine | object | string)[]): string {
  return lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
}

function parse(...lines: (TranscriptLine | object | string)[]) {
  return parseTranscript(textOf(...lines), 'a.jsonl');
}

/** The moves of the agent when each of its calls is answered by the next of these replies. */
async function movesOf(
  lines: (TranscriptLine | object)[],
  replies: ToolReply[],
  tools = ['click', 'wait'],
): Promise<Move[]> {
  const session = await transcriptAgent('transcript', parse(HEADER, ...lines)).open(seatWith(tools));
  const moves = [await session.next(null, NEVER)];
  for (const each of replies) moves.push(await session.next(each, NEVER));
  return moves;
}

const call = (tool: string, args: JsonObject): Move => ({ kind: 'call', call: { tool, args } });

describe('a transcript is read', () => {
  test('with its header, its calls and its end', () => {
    expect(parse(HEADER, CLICK, WAIT, DONE)).toMatchObject({
      header: { task: 'send-form', surface: 'aria' },
      ended: true,
      entries: [{ tool: 'click', args: { ref: 'e1' } }, { tool: 'wait' }],
      answer: { value: 42 },
    });
  });

  test('without an end, which is an end without an answer', () => {
    expect(parse(HEADER, CLICK).answer).toBeNull();
  });

  test('with any line ends, and empty lines between them', () => {
    const text = `${textOf(HEADER)}\r\n\r\n${textOf(CLICK)}\r\n\n`;
    expect(parseTranscript(text, 'a.jsonl').entries).toHaveLength(1);
  });
});

describe('a transcript that is broken gives an error that names file and line:', () => {
  test.each([
    ['it is empty', [''], 'transcript_without_header', 'a.jsonl'],
    ['it has no header', [CLICK], 'transcript_without_header', 'a.jsonl:1'],
    ['its header comes late', ['', CLICK, HEADER], 'transcript_without_header', 'a.jsonl:2'],
    ['it has two headers', [HEADER, HEADER], 'transcript_second_header', 'a.jsonl:2'],
    ['a line is not JSON', [HEADER, CLICK, '{"kind":'], 'transcript_not_json', 'a.jsonl:3'],
    ['a line is of an unknown kind', [HEADER, { kind: 'note' }], 'transcript_bad_line', 'a.jsonl:2'],
    ['a field is missing', [HEADER, { ...CLICK, tool: undefined }], 'transcript_bad_line', 'a.jsonl:2'],
    ['a field is unknown', [HEADER, { ...CLICK, hash: '' }], 'transcript_bad_line', 'a.jsonl:2'],
    ['its version is unknown', [{ ...HEADER, schema_version: 2 }], 'transcript_bad_line', 'a.jsonl:1'],
    ['it goes on after its end', [HEADER, DONE, CLICK], 'transcript_early_end', 'a.jsonl:2'],
    ['it ends twice', [HEADER, CLICK, DONE, DONE], 'transcript_early_end', 'a.jsonl:3'],
  ])('%s', (_, lines, code, place) => {
    expect(() => parse(...lines)).toThrow(
      expect.objectContaining({ code, params: expect.objectContaining({ place }) }),
    );
  });
});

describe('a transcript is replayed', () => {
  test('call by call, and its end is the answer', async () => {
    expect(await movesOf([CLICK, WAIT, DONE], [reply('snapshot'), reply('snapshot')])).toEqual([
      call('click', { ref: 'e1' }),
      call('wait', { text: 'Done' }),
      { kind: 'done', answer: { value: 42 } },
    ]);
  });

  test('to its end without an answer if it has none', async () => {
    expect(await movesOf([CLICK], [reply('snapshot')])).toEqual([
      call('click', { ref: 'e1' }),
      { kind: 'done', answer: null },
    ]);
  });

  test('through a recorded error', async () => {
    const failing = callLine({ tool: 'click', args: { ref: 'e1' } }, { kind: 'error' });
    expect(await movesOf([failing, WAIT], [reply('error')])).toMatchObject([{ kind: 'call' }, { kind: 'call' }]);
  });

  test('from its beginning in every episode', async () => {
    const agent = transcriptAgent('transcript', parse(HEADER, CLICK));
    for (const _ of [1, 2]) {
      const session = await agent.open(seatWith(['click']));
      expect(await session.next(null, NEVER)).toEqual(call('click', { ref: 'e1' }));
    }
  });
});

describe('drift is noticed, with what was expected:', () => {
  test('a reply of another kind', async () => {
    expect((await movesOf([CLICK, WAIT], [reply('dialog')])).at(-1)).toEqual({
      kind: 'drift',
      expected: 'at step 1 a reply of kind snapshot to click',
      actual: 'it was of kind dialog',
    });
  });

  test('a reply of another kind to the last call', async () => {
    expect((await movesOf([CLICK, DONE], [reply('error')])).at(-1)).toMatchObject({ kind: 'drift' });
  });

  test('a tool that the surface does not have', async () => {
    expect(await movesOf([WAIT], [], ['click'])).toEqual([
      { kind: 'drift', expected: 'at step 1 a tool wait', actual: 'the surface has none of that name' },
    ]);
  });

  test('edited args with an old digest', async () => {
    expect(await movesOf([{ ...CLICK, args: { ref: 'e2' } }], [])).toMatchObject([
      {
        kind: 'drift',
        expected: expect.stringMatching(/^at step 1 args with digest [0-9a-f]{64}$/),
        actual: expect.stringMatching(/^the digest of its args is [0-9a-f]{64}$/),
      },
    ]);
  });

  test('but not if only the order of the keys in args differs', async () => {
    const first = callLine({ tool: 'click', args: { a: 1, b: 2 } }, { kind: 'snapshot' });
    expect(await movesOf([{ ...first, args: { b: 2, a: 1 } }], [])).toMatchObject([{ kind: 'call' }]);
  });
});

describe('a transcript is refused for', () => {
  test.each([
    ['another task', { task: 'other' }],
    ['another surface', { surface: 'dom' }],
  ])('%s', async (_, change) => {
    const agent = transcriptAgent('transcript', parse({ ...HEADER, ...change }, CLICK));
    await expect(agent.open(seatWith(['click']))).rejects.toMatchObject({
      code: 'transcript_of_another_task',
      params: { own_task: 'send-form', own_surface: 'aria', ...change },
    });
  });
});
