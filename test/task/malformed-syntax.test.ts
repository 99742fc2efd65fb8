import { describe, expect, it } from 'vitest';
import { fixtureNames, problemsIn } from './problems-in.ts';

const EXPECTED: Record<string, string[]> = {
  'alias-bomb.yaml': [
    'alias-bomb.yaml:1:1: has aliases that cannot be followed: Excessive alias count indicates a resource exhaustion attack; write the values out instead',
  ],
  'alias-cycle.yaml': [
    'alias-cycle.yaml:7:3 success.child: contains itself; write the assertion out where it is needed',
  ],
  'alias-unknown.yaml': [
    'alias-unknown.yaml:5:10: alias *nowhere has no anchor above it; write &nowhere before the value it stands for',
  ],
  'bracket-open.yaml': [
    'bracket-open.yaml:6:1: is not YAML: Flow map in block collection must be sufficiently indented and end with a }; align it with the lines that it belongs to, or close the bracket',
  ],
  'colon-unquoted.yaml': [
    'colon-unquoted.yaml:4:7: is not YAML: Nested mappings are not allowed in compact mappings; put a value that holds ": " in quotes',
  ],
  'empty.yaml': ['empty.yaml:1:1: is empty; write at least one field'],
  'given-twice.json': ['given-twice.json:4:3: this field is given twice; keep one of them'],
  'given-twice.yaml': ['given-twice.yaml:5:1: this field is given twice; keep one of them'],
  'lone-surrogate.json': [
    'lone-surrogate.json:1:1: cannot be written as JSON: Lone surrogate is not allowed; use whole Unicode characters',
  ],
  'map-as-key.yaml': ['map-as-key.yaml:5:3: a field name must be text; use a plain word'],
  'no-default.ts': ['no-default.ts: has no default export; write "export default defineTask({ … })"'],
  'not-utf-8.yaml': ['not-utf-8.yaml: is not UTF-8 text; save it as UTF-8'],
  'quote-open.yaml': [
    'quote-open.yaml:6:1: is not YAML: Missing closing "quote; close the quote or bracket, or align the line',
  ],
  'tab.yaml': [
    'tab.yaml:6:1: is not YAML: Tabs are not allowed as indentation; indent with spaces',
    'tab.yaml:7:1: is not YAML: Tabs are not allowed as indentation; indent with spaces',
  ],
  'tag.yaml': ['tag.yaml:4:7: is not YAML: Unresolved tag: tag:yaml.org,2002:js/function; leave the tag out'],
  'task.toml': ['task.toml: is of no known format; use .yaml, .yml, .json, .ts, .mts'],
  'throws.ts': ['throws.ts: could not be run: the table is empty; make it run without error'],
  'trailing-comma.json': [
    'trailing-comma.json:4:1: is not JSON: here should be a field name in double quotes; fix it, or name the file .yaml',
  ],
  'two-documents.yaml': [
    'two-documents.yaml:6:1: a second document starts here; write a list of tasks, or one file each',
  ],
  'unquoted.json': [
    'unquoted.json:2:9: is not JSON: here should be text in double quotes, a number, true, false or null; fix it, or name the file .yaml',
  ],
  'wrong-fields.json': ['wrong-fields.json:8:5 success.patern: unknown field; did you mean "pattern"?'],
};

describe('a file that cannot be read is refused with its place and a remedy', () => {
  it.each(Object.entries(EXPECTED))('%s', async (name, expected) => {
    expect(await problemsIn(`malformed/syntax/${name}`)).toEqual(expected);
  });

  it('every fixture is in the table', async () => {
    expect(await fixtureNames('malformed/syntax')).toEqual(Object.keys(EXPECTED).toSorted());
  });
});
