import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { INSPECT } from '../../src/export/inspect.ts';
import { committedBundle } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { SOURCE, textsIn, toExport } from './exported.ts';
import { modelBundle } from './model-bundle.ts';

const STRESS = await committedBundle('stress');
const SCHEMAS: object = JSON.parse(
  await readFile(path.join(import.meta.dirname, 'fixtures', 'inspect-types.json'), 'utf8'),
);

const TYPES = new Ajv2020({ strict: false, allErrors: true }).addSchema(SCHEMAS, 'inspect');

/** Checks a value by the types that inspect_ai publishes for its logs. */
function problemsOf(type: string, value: unknown): string[] {
  TYPES.validate(`inspect#/$defs/${type}`, value);
  return (TYPES.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The logs of a bundle: their files as text, by name. */
async function logsOf(bundle: string): Promise<Map<string, string>[]> {
  const folder = await temporaryFolder();
  const files = await INSPECT.write(await toExport(bundle), folder);
  return Promise.all(files.map(async (file) => textsIn(path.join(folder, file))));
}

/** JSON in which `NaN`, as Python reads it, is a number. */
function parsed(text: string | undefined): unknown {
  return JSON.parse((text ?? '').replaceAll('"value":NaN', '"value":0'));
}

const Sample = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string() })),
  events: z.array(z.looseObject({ event: z.string() })),
  scores: z.object({ contract: z.looseObject({ value: z.unknown(), explanation: z.string() }) }),
  model_usage: z.record(z.string(), z.unknown()),
});

async function sampleOf(bundle: string): Promise<z.infer<typeof Sample>> {
  const [log] = await logsOf(bundle);
  const [, text] = [...(log ?? [])].find(([name]) => name.startsWith('samples/')) ?? [];
  return Sample.parse(parsed(text));
}

test('the files of a log are of the types that inspect_ai publishes', async () => {
  const logs = [...(await logsOf(STRESS)), ...(await logsOf(await modelBundle()))];
  expect(logs).toHaveLength(3);
  for (const log of logs) {
    expect(problemsOf('EvalLog', parsed(log.get('header.json')))).toEqual([]);
    for (const each of z.array(z.unknown()).parse(parsed(log.get('summaries.json')))) {
      expect(problemsOf('EvalSampleSummary', each)).toEqual([]);
    }
    for (const each of z.array(z.unknown()).parse(parsed(log.get('reductions.json')))) {
      expect(problemsOf('EvalSampleReductions', each)).toEqual([]);
    }
    const samples = [...log].filter(([name]) => name.startsWith('samples/'));
    expect(samples.flatMap(([, text]) => problemsOf('EvalSample', parsed(text)))).toEqual([]);
  }
});

test('these types refuse a sample without an id, and a field that they lack', async () => {
  const { id: _id, ...sample } = await sampleOf(STRESS);
  expect(problemsOf('EvalSample', { ...sample, verdict: 1 })).toEqual([
    " must have required property 'id'",
    ' must NOT have additional properties',
  ]);
});

test('a log has the names of files that inspect reads, and names the seal', async () => {
  const [log = new Map<string, string>()] = await logsOf(STRESS);
  const others = [...log.keys()].filter((name) => !name.startsWith('samples/'));
  expect(others).toEqual([
    '_journal/start.json',
    '_journal/summaries/1.json',
    'summaries.json',
    'reductions.json',
    'header.json',
  ]);
  expect([...log.keys()]).toContain('samples/stress.sign-in+page-modal_epoch_1.json');
  expect(log.get('header.json')).toContain(`"seal_hash":"${SOURCE.seal_hash}"`);
});

test('a verdict is C or I, and none is NaN, which counts as unscored', async () => {
  const logs = await logsOf(STRESS);
  const log =
    logs.find((each) => each.get('header.json')?.includes('"agent":"reference"')) ?? new Map<string, string>();
  const value = (name: string) =>
    /"contract":\{"value":([^,]+),/.exec(log.get(`samples/stress.${name}_epoch_1.json`) ?? '')?.[1];
  expect([value('sign-in'), value('sign-in+page-modal')]).toEqual(['"C"', '"I"']);
  expect(value('sign-in+server-killed')).toBe('NaN');
  const Header = z.object({
    results: z.object({ scores: z.tuple([z.looseObject({ metrics: z.unknown() })]) }),
  });
  const [score] = Header.parse(parsed(log.get('header.json'))).results.scores;
  expect(score).toMatchObject({
    scored_samples: 4,
    unscored_samples: 1,
    metrics: { accuracy: { value: 0.5 } },
  });
});

test('a turn is a message with its calls, whose replies follow it', async () => {
  const { messages, events } = await sampleOf(await modelBundle());
  expect(messages).toMatchObject([
    { role: 'user', content: 'Send it' },
    {
      role: 'assistant',
      content: 'I send it.',
      tool_calls: [
        { id: 'step-1', function: 'click', arguments: { ref: 'e1' } },
        { id: 'step-2', function: 'fill', arguments: { text: '[secret:PIN]' } },
      ],
    },
    { role: 'tool', tool_call_id: 'step-1', content: 'done' },
    { role: 'tool', tool_call_id: 'step-2', error: { type: 'unknown', message: 'no e2' } },
  ]);
  expect(events.map(({ event }) => event)).toEqual(['sample_init', 'model', 'tool', 'tool', 'score']);
});

test('tokens of a cache are counted apart from those that were read', async () => {
  const { events } = await sampleOf(await modelBundle());
  const usage = {
    input_tokens: 300,
    input_tokens_cache_read: 600,
    input_tokens_cache_write: 100,
    output_tokens: 50,
  };
  expect(events[1]).toMatchObject({
    model: 'vendor/model-1',
    output: { usage, completion: 'I send it.' },
  });
});

test('the explanation has each clause of the contract', async () => {
  const { scores } = await sampleOf(await modelBundle());
  expect(scores.contract.explanation).toMatch(/^passed\. \npass and: /);
});
