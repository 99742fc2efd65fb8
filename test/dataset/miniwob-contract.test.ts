import { expect, test } from 'vitest';
import { contractFor } from '../../src/dataset/miniwob/contract.ts';
import { leavesIn } from '../../src/contract/schema.ts';

function fieldsOf(id: string, utterance: string) {
  const seen = { utterance, fields: {}, choices: [], numbers: [], coveredBy: null };
  const { success, readsDocument } = contractFor(id, seen);
  const fields = leavesIn(success).flatMap((leaf) => (leaf.kind === 'field_value' ? [leaf] : []));
  expect(readsDocument).toBe(fields.length > 0);
  return fields.map(({ selector, equals }) => `${selector} = ${equals}`);
}

test.each([
  ['enter-text', 'Enter "Ada" into the text field and press Submit.', ['#tt = Ada']],
  ['enter-text-2', 'Type "Ada" in all upper case letters in the text input and press Submit.', ['#tt = ADA']],
  ['enter-text-2', 'Type "Ada" in all lower case letters in the text input and press Submit.', ['#tt = ada']],
  ['enter-date', 'Enter 03/09/2016 as the date and hit submit.', ['#tt = 2016-03-09']],
  ['use-spinner', 'Select -7 with the spinner and hit Submit.', ['#spinner = -7']],
  [
    'login-user',
    'Enter the username "ada" and the password "x1" into the text fields and press login.',
    ['#username = ada'],
  ],
  ['enter-text', 'Enter something into the text field.', []],
  ['enter-text-2', 'Type "Ada" in mixed case letters in the text input and press Submit.', []],
])('%s: a field is judged by what the goal asks for: %s', (id, utterance, expected) => {
  expect(fieldsOf(id, utterance)).toEqual(expected);
});
