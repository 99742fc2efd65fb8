import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { damaged, passesHere } from '../../bench/webarena-infinity-states.ts';
import type { Json } from '../../src/contract/json.ts';
import { contractFrom } from '../../src/dataset/webarena-infinity/contract.ts';
import { solvedTasks } from '../../src/dataset/solved-tasks.ts';
import { upstreamEnds, upstreamVerdicts } from '../../src/dataset/webarena-infinity/upstream.ts';
import { folderOf } from '../suite-files.ts';
import { MILK, NOTES, NOTES_FILES, TEA } from './own-infinity.ts';

const { seed } = NOTES;
const TICKED = { ...seed, notes: [{ ...TEA, done: true }, MILK] };
const salted = (id: number, createdAt: string): Json => ({
  ...seed,
  notes: [{ id, title: 'Salt', done: false, createdAt }, ...seed.notes],
  _nextNoteId: id + 1,
});
const SALTED = salted(3, '2026-01-01T12:00:00Z');
const SALTED_NOTES = [{ id: 3, title: 'Salt', done: false, createdAt: '2026-01-01T12:00:00Z' }, ...seed.notes];

async function appFolder(files: Record<string, string> = {}): Promise<string> {
  return path.join(await folderOf({ ...NOTES_FILES, ...files }, 'infinity'), 'apps/notes');
}

function contractsFor(end: Json, except: string[] = [], drawn: string[] = []) {
  const draft = contractFrom(seed, end, 'Add the note "Salt".', { except, drawn });
  if (!draft.ok) throw new Error(draft.why.code);
  return draft.contracts;
}

describe('the Python of an app', () => {
  test('gives the seed, and the right end of each task', async () => {
    const { seed: start, ends } = await upstreamEnds(await appFolder());
    expect(start).toEqual(seed);
    expect(Object.fromEntries(ends)).toEqual({ task_e1: TICKED, task_e2: SALTED });
  });

  test('judges states by its own verifiers, which do not see that people are gone', async () => {
    const states = [seed, TICKED, { ...TICKED, people: [] }].map((state) => ({ task: 'task_e1', state }));
    expect(await upstreamVerdicts(await appFolder(), states)).toEqual([false, true, true]);
  });

  test('an error of a verifier is a refusal, as upstream', async () => {
    expect(await upstreamVerdicts(await appFolder(), [{ task: 'task_e1', state: {} }])).toEqual([false]);
  });

  test.each([
    ['reaches the network', 'import socket; socket.create_connection(("127.0.0.1", 9))'],
    ['writes a file', 'open("written", "w")'],
    ['starts a program', 'import subprocess; subprocess.run(["ls"])'],
  ])('is refused when it %s', async (_, line) => {
    const folder = await appFolder({ 'apps/notes/sanity_check_real.py': line });
    await expect(upstreamEnds(folder)).rejects.toMatchObject({ fact: { code: 'infinity_not_run' } });
  });
});

test('solutions are read, and most apps have none', async () => {
  const { tasks } = await solvedTasks('webarena-infinity/linear-account-settings');
  expect(tasks['task_e1']?.solutions).toHaveLength(1);
  expect(await solvedTasks('webarena-infinity/notes')).toEqual({ except: [], drawn: [], tasks: {} });
});

describe('the contract of seed and right end', () => {
  test('accepts the right end, and not the start', () => {
    const contracts = contractsFor(TICKED);
    expect([passesHere(contracts, seed, TICKED), passesHere(contracts, seed, seed)]).toEqual([true, false]);
  });

  test('refuses the right end if anything else is gone', () => {
    const { state, lists } = damaged(seed, TICKED);
    expect(lists).toEqual(['people']);
    expect(passesHere(contractsFor(TICKED), seed, state)).toBe(false);
  });

  test('lets the app draw ids and times of a new record', () => {
    expect(passesHere(contractsFor(SALTED), seed, salted(9, '2026-05-05T08:00:00Z'))).toBe(true);
  });

  test('lets the page fill in fields that are known to be drawn', () => {
    const other = { ...seed, notes: [{ ...SALTED_NOTES[0], done: true }, ...seed.notes], _nextNoteId: 4 };
    expect(passesHere(contractsFor(SALTED), seed, other)).toBe(false);
    expect(passesHere(contractsFor(SALTED, [], ['/page/notes/*/done']), seed, other)).toBe(true);
    expect(passesHere(contractsFor(SALTED, [], ['/page/notes/*/done']), seed, seed)).toBe(false);
  });

  test('refuses a second new record', () => {
    const notes = [...SALTED_NOTES, { id: 4, title: 'Rice', done: false }];
    expect(passesHere(contractsFor(SALTED), seed, { ...seed, notes, _nextNoteId: 5 })).toBe(false);
  });

  test('lets places change that the page is known to change by itself', () => {
    const seen = {
      ...TICKED,
      notes: [
        { ...TEA, done: true },
        { ...MILK, title: 'Milk (seen)' },
      ],
    };
    expect(passesHere(contractsFor(TICKED), seed, seen)).toBe(false);
    expect(passesHere(contractsFor(TICKED, ['/page/notes/*/title']), seed, seen)).toBe(true);
  });

  test('is none if the right end is the start, or differs in too many places', () => {
    const many = Object.fromEntries(Array.from({ length: 251 }, (_, at) => [`field ${at}`, at]));
    expect(contractFrom(seed, seed, '')).toMatchObject({ ok: false, why: { code: 'infinity_without_change' } });
    expect(contractFrom({}, many, '')).toMatchObject({ ok: false, why: { code: 'infinity_many_changes' } });
  });
});
