import { expect, test } from 'vitest';
import type { Json } from '../../src/contract/json.ts';
import { wideException } from '../../src/qualify/judge-trials.ts';
import { evidence } from '../contract/evidence-sample.ts';

const START = { guests: ['Ann'] };
const NOW = { guests: ['Ann', 'Bob'] };

function found(except: string[], { start = START, now = NOW }: { start?: Json; now?: Json } = {}) {
  const end = evidence({ app_state: { captured: true, value: { start, now } } });
  return wideException({ kind: 'unchanged', except }, end);
}

test('an exception of all that there is is found, with what the solution changes', () => {
  expect(found(['/guests'])).toEqual({ except: ['/guests'], changed: ['/guests/1'] });
});

test.each([[['/guests/1']], [['/guests/*']], [[]]])('except %j leaves something to be guarded', (except) => {
  expect(found(except)).toBeNull();
});

test('an exception beside other state is not too wide', () => {
  expect(found(['/guests'], { start: { ...START, tables: 1 }, now: { ...NOW, tables: 1 } })).toBeNull();
});

test('where the solution changes the very place that is excepted no narrower one is named', () => {
  expect(found(['/guests'], { start: { guests: 1 }, now: { guests: 2 } })).toEqual({
    except: ['/guests'],
    changed: [],
  });
});

test('of a state that nobody told nothing is known', () => {
  expect(wideException({ kind: 'unchanged', except: ['/guests'] }, null)).toBeNull();
  expect(wideException(undefined, null)).toBeNull();
});
