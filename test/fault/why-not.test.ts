import { expect, test } from 'vitest';
import type { Injectable, Where } from '../../src/fault/fault-kind.ts';
import { FAULT_KINDS } from '../../src/fault/registry.ts';

const BUILT_IN: Injectable = { drivesItself: false, showsPages: true, hasServer: false };

function notInjectable(entrant: Injectable): string[] {
  return FAULT_KINDS.filter(({ whyNot }) => whyNot(entrant) !== null).map(({ kind }) => kind);
}

function at(where: Where): string[] {
  return FAULT_KINDS.filter((kind) => kind.where === where).map(({ kind }) => kind);
}

test('every fault can be injected into what a tool server does', () => {
  expect(notInjectable({ ...BUILT_IN, hasServer: true })).toEqual([]);
});

test('a surface that is built in has no server to be killed, and no connection to be cut', () => {
  expect(notInjectable(BUILT_IN)).toEqual(['connection_cut', ...at('tool server')]);
});

test('who drives the browser itself can be tried on the network', () => {
  const no = notInjectable({ drivesItself: true, showsPages: false, hasServer: true });
  expect(FAULT_KINDS.map(({ kind }) => kind).filter((kind) => !no.includes(kind))).toEqual(at('network'));
});

test("the app's own tools show no page that a fault could be in", () => {
  const no = notInjectable({ ...BUILT_IN, showsPages: false });
  expect(no).toEqual([...at('page'), 'connection_cut', ...at('tool server')]);
});
