import { describe, expect, it } from 'vitest';
import { KIND_NAMES } from './kind-names.ts';
import { fixtureNames, problemsIn } from './problems-in.ts';

const MISSING = 'is missing; give an assertion, for example { kind: no_dialog }';

const EXPECTED: Record<string, string[]> = {
  'answer-mixed.yaml': [
    'answer-mixed.yaml:5:1 success: needs exactly one of one_of, number, date, not_possible; number and date are given',
    'answer-mixed.yaml:8:3 success.date: is not a date; write YYYY-MM-DD',
    'answer-mixed.yaml:9:3 success.ignore_case: goes with "one_of" only',
  ],
  'back-reference.yaml': [
    'back-reference.yaml:7:3 success.matches: is not a pattern we can run: error parsing regexp: invalid escape sequence: `\\1`; look-around and back-references do not run in linear time; combine assertions with "and" and "not" instead',
  ],
  'bad-selector.yaml': [
    'bad-selector.yaml:7:3 success.selector: is not a CSS selector: Did not expect successive traversals.',
  ],
  'child-missing.yaml': [`child-missing.yaml:5:1 success.child: ${MISSING}`],
  'children-empty.yaml': ['children-empty.yaml:7:3 success.children: is empty; list at least one assertion'],
  'children-not-a-list.yaml': ['children-not-a-list.yaml:7:3 success.children: must be a list, not a map'],
  'class-id-walks-up.yaml': [
    'class-id-walks-up.yaml:7:3 success.class_id: may hold letters, digits, ".", "_" and "-" only',
    'class-id-walks-up.yaml:8:3 success.distance_max: must be at most 64, not 65',
  ],
  'contract-missing.yaml': [`contract-missing.yaml:1:1 success: ${MISSING}`],
  'count-negative-or-broken.yaml': [
    'count-negative-or-broken.yaml:8:48 success.children[0].value: must be at least 0, not -1',
    'count-negative-or-broken.yaml:9:48 success.children[1].value: must be a whole number, not 1.5',
  ],
  'field-empty.yaml': [
    'field-empty.yaml:8:20 success.children[0].pattern: is empty: an empty pattern matches everything',
    'field-empty.yaml:9:25 success.children[1].contains: is empty: empty text is found everywhere',
    'field-empty.yaml:10:25 success.children[2].selector: is empty; leave it out to mean "body"',
  ],
  'field-missing.yaml': [
    'field-missing.yaml:5:1 success.op: is missing; give one of "eq", "gte", "lte"',
    'field-missing.yaml:5:1 success.value: is missing; give a number',
  ],
  'guards-wrong-too.yaml': [
    `guards-wrong-too.yaml:6:3 success.kind: "urls" is not a kind of assertion; use one of ${KIND_NAMES}`,
    `guards-wrong-too.yaml:8:3 guards.kind: "no_dialogs" is not a kind of assertion; use one of ${KIND_NAMES}`,
  ],
  'kind-missing.yaml': [`kind-missing.yaml:5:1 success.kind: is missing; use one of ${KIND_NAMES}`],
  'look-around.yaml': [
    'look-around.yaml:7:3 success.pattern: is not a pattern we can run: error parsing regexp: invalid or unsupported Perl syntax: `(?!`; look-around and back-references do not run in linear time; combine assertions with "and" and "not" instead',
  ],
  'network-incomplete.yaml': [
    'network-incomplete.yaml:5:1 success.since: is missing; give one of "contract_enter", "last_tool_call"',
    'network-incomplete.yaml:8:3 success.status_in: is empty; list at least one status, for example [200]',
    'network-incomplete.yaml:9:3 success.method: is not an HTTP method in capitals, for example "POST"',
  ],
  'no-way-to-compare.yaml': [
    'no-way-to-compare.yaml:5:1 success: needs exactly one of contains, equals, matches; none is given',
  ],
  'not-an-assertion.yaml': [
    'not-an-assertion.yaml:5:1 success: must be an assertion, for example { kind: no_dialog }, not "the heading says Sent"',
  ],
  'not-with-children.yaml': [
    'not-with-children.yaml:7:3 success.children: unknown field; did you mean "child"? It is missing; give an assertion, for example { kind: no_dialog }',
  ],
  'operator-unknown.yaml': ['operator-unknown.yaml:8:3 success.op: must be one of "eq", "gte", "lte", not "gt"'],
  'pattern-too-long.yaml': [
    'pattern-too-long.yaml:7:3 success.pattern: is longer than 512 characters; shorten it or use several assertions under "and"',
  ],
  'pattern-unclosed.yaml': [
    'pattern-unclosed.yaml:7:3 success.pattern: is not a pattern we can run: error parsing regexp: missing closing ): `(done`; write an RE2 pattern (JavaScript syntax without look-around and back-references)',
  ],
  'pointer-broken.yaml': [
    'pointer-broken.yaml:7:3 success.pointer: is not a JSON pointer; write "" for the whole or "/items/0/name" (RFC 6901)',
    'pointer-broken.yaml:11:19 guards.except[1]: is not a JSON pointer; write "" for the whole or "/items/0/name" (RFC 6901)',
  ],
  'siblings-all-reported.yaml': [
    `siblings-all-reported.yaml:8:7 success.children[0].kind: "nosuch" is not a kind of assertion; use one of ${KIND_NAMES}`,
    'siblings-all-reported.yaml:9:7 success.children[1]: must be an assertion, for example { kind: no_dialog }, not 7',
    'siblings-all-reported.yaml:11:7 success.children[2].child.pattern: is missing; give text',
    'siblings-all-reported.yaml:14:7 success.children[3].why: unknown field; allowed: kind',
  ],
  'status-out-of-range.yaml': [
    'status-out-of-range.yaml:8:15 success.status_in[0]: must be at least 100, not 99',
    'status-out-of-range.yaml:8:24 success.status_in[2]: must be at most 599, not 600',
  ],
  'too-deep.yaml': [
    `too-deep.yaml:69:65 success${'.child'.repeat(32)}: is deeper than 32 assertions; flatten nested "and" and "or"`,
  ],
  'too-many.yaml': ['too-many.yaml:5:1 success: has more than 256 assertions; split the task or drop some'],
  'two-ways-to-compare.yaml': [
    'two-ways-to-compare.yaml:5:1 success: needs exactly one of contains, equals, matches; contains and equals are given',
  ],
  'unknown-field.yaml': [
    'unknown-field.yaml:8:7 success.children[0]: needs exactly one of contains, equals, matches; none is given',
    'unknown-field.yaml:10:7 success.children[0].contain: unknown field; did you mean "contains"?',
  ],
  'unknown-kind.yaml': [
    `unknown-kind.yaml:6:3 success.kind: "urll" is not a kind of assertion; use one of ${KIND_NAMES}`,
  ],
  'value-left-out.yaml': ['value-left-out.yaml:7:3 success.pattern: is empty; give text'],
  'wrong-types.yaml': [
    'wrong-types.yaml:8:25 success.children[0].contains: must be text, not 330; put it in quotes',
    'wrong-types.yaml:9:49 success.children[1].value: must be a number, not "3"; write it without quotes',
    'wrong-types.yaml:10:44 success.children[2].status_in: must be a list, not 200',
  ],
};

describe('a malformed contract is refused with place, path and remedy', () => {
  it.each(Object.entries(EXPECTED))('%s', async (name, expected) => {
    expect(await problemsIn(`malformed/contract/${name}`)).toEqual(expected);
  });

  it('every fixture is in the table', async () => {
    expect(await fixtureNames('malformed/contract')).toEqual(Object.keys(EXPECTED).toSorted());
  });
});
