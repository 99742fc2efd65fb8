import { createHash } from 'node:crypto';
import type { JsonObject } from '../../src/contract/json.ts';
import type { Said } from '../../test/model/wire-formats.ts';
import type { Call, Script } from './scripts.ts';

/** Draws what each cell does. Another number draws others, and the outcome hash of the matrix is another. */
const SEED = 600;

/** How many calls a reply holds at most. */
const AT_ONCE = 3;

/** More turns than the campaign lets anybody take. */
const FOR_EVER = 12;

/** The replies of a fake, turn by turn, and how often they are drawn. */
const BEHAVIOURS: readonly [name: string, weight: number, turns: (script: Script) => Said[]][] = [
  ['solves', 12, ({ calls, done }) => [...batches(calls), ending(done)]],
  ['stops early', 1, ({ calls, done }) => [...batches(calls.slice(0, Math.ceil(calls.length / 2))), ending(done)]],
  ['claims that it is done', 1, ({ done }) => [ending(done)]],
  ['asks', 1, () => [{ text: 'Which one do you mean?', stop: 'end' }]],
  ['refuses', 1, () => [{ text: 'I cannot help with that.', stop: 'refusal' }]],
  ['is cut off', 1, () => [{ text: 'First I will', stop: 'length' }]],
  [
    'looks for ever',
    1,
    ({ calls: [look] }) => Array.from({ length: FOR_EVER }, () => said(look === undefined ? [] : [look])),
  ],
  ['names a phantom, then solves', 1, ({ calls, done }) => [...batches(withPhantom(calls)), ending(done)]],
  ['names a phantom and stops', 1, ({ calls, done }) => [...batches(withPhantom(calls).slice(0, 3)), ending(done)]],
  ['invents an argument', 1, ({ calls, done }) => [...batches(withInvented(calls)), ending(done)]],
  ['does it twice, to another too', 2, ({ calls, done }) => [...batches(twice(calls)), ending(done)]],
];

export interface Cell {
  model: string;
  surface: string;
  task: string;
}

/** The moves of a model in a cell: the same in every iteration, since nothing in a request distinguishes them. */
export function behaviourIn({ model, surface, task }: Cell): string {
  return drawn({ model, surface, task })[0];
}

/**
 * The next reply of a fake. It follows from the request alone, so a killed campaign continues as it would have.
 * @param answered how many of its calls have been answered
 */
export function nextReply(model: string, script: Script, answered: number): Said {
  const [, , turnsOf] = drawn({ model, surface: script.surface, task: script.task });
  let before = 0;
  const turns = turnsOf(script);
  for (const turn of turns) {
    if (before === answered) return turn;
    before += turn.calls?.length ?? 0;
  }
  return turns.at(-1) ?? ending({});
}

function drawn({ model, surface, task }: Cell): (typeof BEHAVIOURS)[number] {
  const hash = createHash('sha256').update([SEED, model, surface, task].join('/')).digest();
  const total = BEHAVIOURS.reduce((sum, [, weight]) => sum + weight, 0);
  let left = hash.readUInt32BE() % total;
  for (const behaviour of BEHAVIOURS) {
    if (left < behaviour[1]) return behaviour;
    left -= behaviour[1];
  }
  throw new Error('the weights do not add up');
}

/** The first call alone, to see what there is; the rest a few at a time. */
function batches([first, ...rest]: readonly Call[]): Said[] {
  const turns = first === undefined ? [] : [said([first])];
  for (let at = 0; at < rest.length; at += AT_ONCE) turns.push(said(rest.slice(at, at + AT_ONCE)));
  return turns;
}

function said(calls: readonly Call[]): Said {
  return { calls, stop: 'calls' };
}

function ending(done: JsonObject): Said {
  return said([['done', done]]);
}

/** Before the first call that names something, the same call of something that was never shown. */
function withPhantom(calls: readonly Call[]): Call[] {
  const at = calls.findIndex(([, args]) => Object.keys(args).some((field) => field in PHANTOM));
  const [tool, args] = calls[at] ?? ['', {}];
  const phantom = Object.fromEntries(Object.entries(args).map(([field, value]) => [field, PHANTOM[field] ?? value]));
  return [...calls.slice(0, at), [tool, phantom], ...calls.slice(at)];
}

/** By argument, the name of something that there is not. */
const PHANTOM: Readonly<Record<string, string>> = {
  nac_id: 'invoice.finish_everything',
  selector: '#finish-everything',
  invoice_id: 'INV-9999',
  client_id: 'C-999',
};

/** Before the second call, the same with an argument that no tool has. */
function withInvented([first, ...rest]: readonly Call[]): Call[] {
  const [tool, args] = rest[0] ?? first ?? ['', {}];
  const invented: Call = [tool, { ...args, urgency: 'high' }];
  return [first, invented, ...rest].filter((call) => call !== undefined);
}

/** Repeats the calls, on the next invoice if a call names one. It does not wait for what will not come. */
function twice(calls: readonly Call[]): Call[] {
  const again = calls.filter(([tool]) => tool !== 'wait').map(([tool, args]): Call => [tool, onNextInvoice(args)]);
  return [...calls, ...again];
}

function onNextInvoice(args: JsonObject): JsonObject {
  const other: JsonObject = JSON.parse(JSON.stringify(args).replaceAll('INV-0001', 'INV-0002'));
  return other;
}
