import { expect, test } from 'vitest';
import { causeOfChange, changedAppFiles, pinChanges } from '../../src/plan/pin-changes.ts';
import { proofOfTrials } from '../../src/plan/task-qualification.ts';
import { SMALL_CAMPAIGN } from './sample-plan.ts';
import { SOUND } from './sound-trials.ts';

const { pins } = SMALL_CAMPAIGN;

test('the same pins have no changes', () => {
  expect(pinChanges(pins, structuredClone(pins))).toEqual([]);
});

test('a change is described by the old and the new value', () => {
  expect(pinChanges(pins, { ...pins, node: 'v22.0.0', app_hashes: { mine: 'a1' } })).toEqual([
    'Node was "v20.19.0" and is "v22.0.0"',
    'the hash of the files of each world (app_hashes) at mine was not known and is "a1"',
  ]);
});

test('files of an app that changed, came or went are named, if both know their files', () => {
  const before = { app_files: { shop: { 'shop/app.ts': 'a1', 'shop/old.css': 'b1', 'shop/same.js': 'c1' } } };
  const now = { app_files: { shop: { 'shop/app.ts': 'a2', 'shop/new.css': 'b1', 'shop/same.js': 'c1' } } };
  const names = ['shop/app.ts', 'shop/old.css (gone)', 'shop/new.css (new)'];
  expect(changedAppFiles(before, now)).toEqual(new Map([['shop', names]]));
  expect(pinChanges(before, now)).toEqual([`files of shop: ${names.join(', ')}`]);
  expect(changedAppFiles({}, now)).toEqual(new Map());
  expect(pinChanges({}, now)).toEqual([]);
});

test('a changed browser is described in full words', () => {
  const browser = { name: 'chromium', version: '156.0', build: null, kind: 'full' as const, ours: true, sandbox: true };
  expect(pinChanges({ browser }, { browser: { ...browser, sandbox: false, kind: 'shell' } })).toEqual([
    'the browser at kind was "full" and is "shell"',
    'whether the browser ran in its sandbox was yes and is no',
  ]);
});

test('only the differing values of a record are listed, with their place', () => {
  const model = {
    model_id: 'a-model',
    model_endpoint: '127.0.0.1:1000',
    endpoint_kind: 'custom' as const,
    temperature: 0,
    max_output_tokens: 4096,
    prompt_hash: 'a'.repeat(64),
    price_table: null,
    call_timeout_ms: 90_000,
    max_retries: 1,
  };
  const before = { ...pins, models: { first: model, second: model } };
  const now = { ...pins, models: { first: { ...model, model_endpoint: '127.0.0.1:2000' }, second: model } };
  expect(pinChanges(before, now)).toEqual([
    'what is fixed about each model (models) at first.model_endpoint was "127.0.0.1:1000" and is "127.0.0.1:2000"',
  ]);
  expect(causeOfChange(before, now)).toBe('endpoint');
  expect(causeOfChange(before, { ...before, node: 'v22.0.0' })).toBe('other');
});

test('a change of proofs names only the tasks in which they differ', () => {
  const proof = proofOfTrials(SOUND);
  const other = proofOfTrials({ ...SOUND, reference: { passed: 1, of: 3 } });
  const before = { ...pins, qualifications: { 'basics/one': proof, 'basics/two': proof } };
  const now = { ...pins, qualifications: { 'basics/one': proof, 'basics/two': other, 'basics/three': proof } };
  expect(pinChanges(before, now)).toEqual(['what is proved of basics/two, basics/three']);
});

test('a stray file in the clone is reported, with a hint where to find it', () => {
  const clean = { ...pins, bench_dirty: false };
  const stray = { ...pins, bench_dirty: true };
  expect(pinChanges(clean, stray)).toEqual([
    'whether the clone of Touchstone has local changes (bench_dirty) was no and is yes',
  ]);
  expect(causeOfChange(clean, stray)).toBe('dirty');
  expect(causeOfChange(stray, clean)).toBe('clean');
  expect(causeOfChange(clean, { ...clean, node: 'v22.0.0' })).toBe('other');
});
