import { describe, expect, it, test } from 'vitest';
import { mutantsOf } from '../../src/contract/mutants.ts';
import type { Contract } from '../../src/contract/schema.ts';
import { validateContract } from '../../src/contract/validation/validate.ts';

const STATE: Contract = { kind: 'app_state', pointer: '/sent', equals: true };
const TEXT: Contract = { kind: 'dom_text', selector: '#status', contains: 'Sent' };
const POST: Contract = {
  kind: 'network',
  url_pattern: '/send$',
  method: 'POST',
  body_matches: 'ada',
  status_in: [303],
  since: 'last_tool_call',
  count: { op: 'eq', value: 1 },
};

const names = (success: Contract, guards?: Contract) => mutantsOf({ success, guards }).map(({ name }) => name);

function opened(pattern: string): Contract {
  return { kind: 'network', url_pattern: pattern, status_in: [200], since: 'contract_enter' };
}

const LOOSER: [Contract, string[]][] = [
  [{ kind: 'url', pattern: '^http://a/b$' }, ['unanchored_start', 'unanchored_end']],
  [{ kind: 'url', pattern: String.raw`/price\$` }, []],
  [{ kind: 'dom_text', equals: 'on' }, ['contains']],
  [{ kind: 'dom_text', matches: '^on' }, ['unanchored_start']],
  [TEXT, ['any_text']],
  [{ ...TEXT, fresh: true }, ['any_text', 'not_fresh']],
  [{ kind: 'dom_count', selector: 'li', op: 'eq', value: 2 }, ['at_least', 'at_most']],
  [{ kind: 'dom_count', selector: 'li', op: 'eq', value: 0 }, ['at_least']],
  [{ kind: 'dom_count', selector: 'li', op: 'gte', value: 2 }, ['one_less']],
  [{ kind: 'dom_count', selector: 'li', op: 'gte', value: 1 }, []],
  [{ kind: 'dom_count', selector: 'li', op: 'lte', value: 2 }, ['one_more']],
  [POST, ['unanchored_end', 'at_least', 'at_most', 'any_method', 'any_body', 'any_time']],
  [opened(String.raw`^http://shop\.test/item\?id=5$`), []],
  [opened('^http://shop.test/item$'), ['unanchored_start', 'unanchored_end']],
  [opened(String.raw`^http://shop\.test/item/\d$`), ['unanchored_start', 'unanchored_end']],
  [opened('^/item$'), ['unanchored_start', 'unanchored_end']],
  [{ kind: 'answer', number: 3 }, ['one_off']],
  [{ kind: 'answer', one_of: ['Ada'] }, ['any_case']],
  [{ kind: 'answer', one_of: ['4711'] }, []],
  [STATE, ['any_value']],
  [{ kind: 'app_state', pointer: '/votes', equals: 1 }, ['one_more', 'one_less']],
  [{ kind: 'app_state', pointer: '/name', matches: '^a$' }, ['unanchored_start', 'unanchored_end']],
];

test.each(LOOSER)('%j can be loosened', (assertion, changes) => {
  expect(names(assertion)).toEqual(['negate', ...changes].map((change) => `success:${change}`));
});

describe('a tree', () => {
  it('has a mutant for each dropped clause, and one in which any clause suffices', () => {
    const found = names({ kind: 'and', children: [{ kind: 'no_dialog' }, TEXT] });
    expect(found).toEqual([
      'success.children.0:drop',
      'success.children.1:drop',
      'success:or',
      'success.children.1:any_text',
    ]);
  });

  it('is looser, if of alternatives, when one is negated, and not when one is dropped', () => {
    expect(names({ kind: 'or', children: [TEXT, { kind: 'no_dialog' }] })).toEqual([
      'success.children.0:negate',
      'success.children.1:negate',
      'success.children.0:any_text',
    ]);
  });

  it('is left alone below a not, since loosening there makes the whole stricter', () => {
    expect(names({ kind: 'not', child: TEXT })).toEqual(['success:drop_not']);
  });
});

describe('guards', () => {
  it('can be dropped, and an exception can become one to more', () => {
    const found = names(STATE, { kind: 'unchanged', except: ['/votes/tea', '/notes'] });
    expect(found.slice(2)).toEqual(['guards:drop', 'guards:wider_0']);
  });

  it('can let all of an entry change, or all entries', () => {
    const mutants = mutantsOf({
      success: STATE,
      guards: { kind: 'unchanged', except: ['/notes/[id=a~1b]/text', '/notes/[id=2]'] },
    });
    expect(mutants.slice(3).map(({ contracts: { guards } }) => guards)).toMatchObject([
      { except: ['/notes/[id=a~1b]', '/notes/[id=2]'] },
      { except: ['/notes/[id=a~1b]/text', '/notes'] },
    ]);
  });
});

test('every mutant is a valid contract, and differs from its original', () => {
  const success: Contract = { kind: 'and', children: LOOSER.map(([assertion]) => assertion) };
  for (const { contracts } of mutantsOf({ success })) {
    expect(validateContract(contracts.success)).toMatchObject({ ok: true });
    expect(contracts.success).not.toEqual(success);
  }
});
