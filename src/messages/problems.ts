import type { Template } from './template.ts';

/** The values that a field takes. */
const WANTED =
  '{type|string:text|number:a number|int:a whole number|boolean:true or false|array:a list|object:a map of fields|record:a map of fields|json:JSON (text, a number, true, false, null, a list or a map)|assertion:an assertion, for example { kind: no_dialog }|choice:{choices}|choices:one of {choices}|other:a value of type {type}}';
const LIMIT = '{origin|string:have|array:have|other:be}';
const UNIT = '{origin|string: characters|array: entries|other:}';

/** Problems in a file. A text follows the place of the problem: "success.pattern is missing; …". */
export const PROBLEMS = {
  field_missing: `is missing; give ${WANTED}`,
  field_empty: `is empty; give ${WANTED}`,
  wrong_type: `must be ${WANTED}, not {given}{quotes|add:; put it in quotes|remove:; write it without quotes|other:}`,
  unknown_field: 'unknown field; allowed: {allowed}',
  misspelt_field: 'unknown field; did you mean "{meant}"?',
  misnamed_field: `unknown field; did you mean "{meant}"? It is missing; give ${WANTED}`,
  too_small: `must ${LIMIT} {exclusive|true:more than|other:at least} {limit}${UNIT}, not {size}`,
  too_big: `must ${LIMIT} {exclusive|true:less than|other:at most} {limit}${UNIT}, not {size}`,
  kind_missing: 'is missing; use one of {kinds}',
  kind_unknown: '{kind} is not a kind of assertion; use one of {kinds}',
  kind_is_extension: '{kind} is an extension, which "kinds: seed" refuses; use one of {kinds}',
  field_is_extension: 'is an extension, which "kinds: seed" refuses; allowed: {allowed}',
  match_without_url: 'is "match", but there is no "url" next to it under the same "and"; add one, or write "any"',
  more_problems: 'has {count} more problems, which are not listed',
  does_not_fit: 'is {given}, which does not fit here; see the schema for what does',
} as const satisfies Record<string, Template>;
