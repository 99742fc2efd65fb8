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
  misplaced_field: 'unknown field; write it under "{owner}": {owner}: { {key}: … }',
  field_by_other_name: 'unknown field; use {count|1:{others}|other:one of {others}}',
  misnamed_field: `unknown field; did you mean "{meant}"? It is missing; give ${WANTED}`,
  too_small: `must ${LIMIT} {exclusive|true:more than|other:at least} {limit}${UNIT}, not {size}`,
  too_big: `must ${LIMIT} {exclusive|true:less than|other:at most} {limit}${UNIT}, not {size}`,
  kind_missing: 'is missing; use one of {kinds}',
  kind_unknown: '{kind} is not a kind of assertion; use one of {kinds}',
  kind_is_extension: '{kind} is an extension, which "kinds: seed" refuses; use one of {kinds}',
  field_is_extension: 'is an extension, which "kinds: seed" refuses; allowed: {allowed}',
  match_without_url: 'is "match", but has no "url" next to it under the same "and"; add one, or write "any"',
  more_problems: 'has {count} more problems, which are not listed',
  does_not_fit: 'is {given}, which does not fit here; see the schema for what does',
  as_written: '{text}',

  // Fields of several kinds
  needs_exactly_one: 'needs exactly one of {fields}; it has {count|0:none|other:{given}}',
  goes_only_with: 'is allowed only with {owner}',
  list_empty: 'is empty; list at least one {entry}',
  wrong_entries: 'must be a list with entries of one type',
  listed_twice: 'is listed twice; keep one of them',
  name_taken: 'is listed twice; give each its own',
  range_reversed: 'has a minimum above its maximum',
  title_empty: 'is empty; write it in words',
  not_json_map: 'is not a map of JSON values',
  nested_deeper: 'is nested deeper than {levels} levels, or contains itself; flatten it',
  value_too_deep: 'it is nested too deep',
  too_many_values: 'has more than {most} values; make it smaller',

  too_many_assertions: 'has more than {most} assertions; split the task or drop some',
  contains_itself: 'contains itself; write the assertion out where it is needed',
  assertions_too_deep: 'is deeper than {most} assertions; flatten nested "and" and "or"',
  pattern_empty: 'is empty: an empty pattern matches everything',
  pattern_too_long: 'is longer than {most} characters; shorten it or use several assertions under "and"',
  pattern_too_large: 'repeats too much: it has {states} states, more than {most}; make its repetition counts smaller',
  pattern_invalid:
    'is not a pattern that can be run: {why}; {linear|false:look-around and back-references do not run in linear time; combine assertions with "and" and "not" instead|other:write an RE2 pattern (JavaScript syntax without look-around and back-references)}',
  group_missing: 'has no group (?<{name}>…); write "aria", or a pattern for one line',
  text_empty: 'is empty: empty text is found everywhere',
  text_blank: 'is only white space: it is found everywhere',
  not_json_pointer: 'is not a JSON pointer; write "" for the whole or "/items/0/name" (RFC 6901)',
  page_with_fresh: 'cannot be given with "fresh", which is about one page only',
  match_in_url: 'is "match", but a "url" selects pages by its own pattern; write "any"',
  not_a_date: 'is not a date; write YYYY-MM-DD',
  not_a_clause: 'is not a clause below "success"; write it as success.children[0]',
  clause_not_under_and:
    '"{clause}" is missing in "success", or below "or" or "not"; name a clause that has only "and" above it',
  not_a_clock: 'is not a time with a zone; write it as 2026-03-02T09:00:00Z',
  not_sha256: 'is not a SHA-256 hash: 64 hexadecimal digits in lower case',
  not_http_method: 'is not an HTTP method in capitals, for example "POST"',
  class_id_letters: 'may contain only letters, digits, ".", "_" and "-"',
  class_id_dots: 'names no class',
  excepts_everything: 'excepts the whole state, so it guards nothing; name what may change',

  selector_empty: 'is empty; leave it out to mean "body"',
  selector_too_long: 'is longer than {most} characters; select by an id or a class',
  selector_invalid: 'is not a CSS selector: {why}',
  selector_unquoted: 'needs quotes: write ="{value}"',
  selector_name: 'has "{name}", which is not a name in CSS; escape it with "\\"',
  selector_starts_with_combinator: 'starts with a combinator; start with a selector',
  selector_ends_with_combinator: 'ends with a combinator; end with a selector',
  selector_parent: 'uses "<", which is not CSS; write :has() for a parent',
  selector_column: 'uses "||", which no browser supports; use :nth-child()',
  selector_pseudo_element:
    'uses the pseudo-element "::{name}", which is not an element; select the element that has it',
  selector_namespace: 'uses a namespace, which has no meaning here; leave it out',
  selector_name_late: 'has an element name after another selector; write the name first',
  selector_flag: 'uses the flag "s", which no browser supports; leave it out',
  selector_not_equal: 'uses "!=", which is not CSS; write :not([{name}="…"])',
  selector_nested_has:
    'uses :has() or :scope inside :has(); write it outside, for example a:has(b) instead of :has(a:has(b))',
  pseudo_not_captured:
    'uses ":{name}", but a capture has no pointer, focus, history or media state; select by an attribute or a class',
  pseudo_shadow: 'uses ":{name}"; shadow trees are searched anyway, so name the element in them',
  pseudo_text: 'uses ":{name}", which is not CSS; compare text with the fields of dom_text',
  pseudo_needs_selectors: 'needs selectors in ":{name}()"',
  pseudo_needs_no_argument: 'gives ":{name}" an argument; leave out the brackets',
  pseudo_position: 'has an invalid ":{name}()"; write a position such as 2, odd or 3n+1',
  pseudo_unknown: 'uses ":{name}", which cannot be judged over a capture; use {known}',

  format_unknown: 'has an unknown format; use {formats}',
  file_not_utf8: 'is not UTF-8 text; save it as UTF-8',
  file_not_found: '{path|:|other:"{path}" }does not exist; check the path',
  file_not_readable: '{path|:|other:"{path}" }cannot be read ({error}); check its permissions',
  file_not_a_file: 'is not a file; name a task or suite file',
  file_too_big: 'is larger than {most} bytes (it has {bytes}); split it',
  script_without_export: 'has no default export; write "export default defineTask(…)"',
  script_failed: 'could not be run: {error}; fix the error',
  file_empty: 'is empty; write at least one field',
  file_nested_deep: 'is nested too deeply to be a task; flatten it',
  aliases_invalid: 'has aliases that cannot be followed: {error}; write the values out instead',
  alias_without_anchor: 'alias *{alias} has no anchor above it; write &{alias} before the value that it repeats',
  field_repeated: 'this field is given twice; keep one of them',
  second_document: 'a second document starts here; write a list of tasks, or one file each',
  field_name_not_text: 'a field name must be text; use a plain word',
  yaml_invalid:
    'is not YAML: {why}; {error|BAD_INDENT:align it with the lines that it belongs to, or close the bracket|BAD_SCALAR_START:put the value in quotes|BLOCK_AS_IMPLICIT_KEY:put a value that holds ": " in quotes|MISSING_CHAR:close the quote or bracket, or align the line|TAB_AS_INDENT:indent with spaces|TAG_RESOLVE_FAILED:leave the tag out|other:check indentation, quotes and brackets here}',
  json_invalid:
    'is not JSON: expected {error|InvalidSymbol:text in double quotes, a number, true, false or null|PropertyNameExpected:a field name in double quotes|ValueExpected:a value|ColonExpected:":"|CommaExpected:"," or the closing bracket|CloseBraceExpected:"," or the closing bracket|CloseBracketExpected:"," or the closing bracket|EndOfFileExpected:the end of the file|other:well-formed text or a number, and no comment}; fix it, or name the file .yaml',

  not_a_task: 'must be a task (a map of fields), not {given}',
  task_not_json: 'cannot be written as JSON: {error}; use whole Unicode characters',
  no_tasks: 'is an empty list; write at least one task',
  id_too_long: 'is longer than {most} characters; shorten it',
  not_an_id: 'is not an id; write letters and digits joined by single "-" or "_"',
  not_a_task_name: 'is not a task, or task@instance',
  parameter_name: 'is not a name; write letters, digits and "_", beginning with a letter',
  parameter_type: 'must be a number, or text of at most {most} characters',
  too_many_instances: 'are more than {most}; write two tasks',
  name_of_drawn: 'begins with "drawn-", as only drawn instances do',
  instance_and_instances: 'cannot be given with instances; keep one of them',
  parameter_unknown:
    'names the parameter "{name}", which instance "{instance}" does not have (it has: {count|0:none|other:{known}})',
  url_control_character: 'contains a control character, such as a line break; leave it out',
  not_a_url: 'is not a URL; write it whole, for example http://basics.localhost/form',
  url_scheme: 'starts with {scheme}; use http:, https: or about:blank',
  url_with_user: 'contains a user name or password; leave them out',
  control_name_empty: 'is missing or empty; for a control without a name give "nth" or "near"',
  step_name_empty: 'is empty; write what a user reads there',
  step_answer: 'must be text, a number, or a list or map of them: the value that the goal asks for',
  answer_item:
    'cannot be a value of an answer; write text, a number, true or false, or one type with its fields, such as { money: 5, currency: EUR }',
  answer_unit: 'must be a unit, or a list of its spellings, such as [m, metres]',
  not_a_currency: 'is not the code of a currency; write three capitals, such as EUR',
  not_a_time: 'is not a time; write HH:MM or YYYY-MM-DDTHH:MM, and its zone, if it has one, as Z or +02:00',
  money_without_currency: 'needs a "currency"; write its code, such as EUR',
  exact_ignores: 'cannot be combined with "ignore_case" and "ignore_width"; keep one of them',
  answer_object_empty: 'is empty; write at least one field',
  rows_without_columns: 'needs "columns", the names of its cells in order',
  row_length: 'has {count} {count|1:cell|other:cells}; write one for each of the {columns} columns',
  role_not_aria: '"{role}" is not an ARIA role, so no element can have it{meant|:|other:; did you mean "{meant}"?}',
  credential_unknown: "uses {placeholder}, which is not among the suite's credentials",
  credential_not_allowed: 'uses {placeholder}; only {fields} may',
  role_unknown: '"{role}" is not a role of the suite; {count|0:give the suite file roles|other:choose from {known}}',
  file_name_twice: 'has the name of another file, "{name}"; rename one of them',
  file_not_given:
    'uploads "{name}", which the task does not give; {count|0:list it in "files"|other:choose from {known}}',
  file_with_folder: 'uploads "{name}"; name it without its folder: "{meant}"',
  given_not_found:
    '"{path}" does not exist in the suite\'s folder; {meant|:check the path|other:did you mean "{meant}"?}',
  given_not_a_file: 'is a folder; name a file',
  files_too_big: 'makes the files of the task larger than {most} bytes together; use smaller ones',
  exemplars_missing:
    '"{class_id}" has no exemplars: {folder|:name their folder in the suite file, as screenshot_classes|other:put at least one .png into {folder}}',
  cap_not_raised: 'must be at most {most}, not {given}; to raise the limit, set {cap} in "caps" of the suite file',
  id_of_another_task: '"{task}" is the id of a task in {file} too; give each task its own',
  start_outside_world: "is not on a site of the suite's world; start on {origins}",
  state_never_known:
    '{kind} can never be judged: no site of the world reports its state; give a program its "state" path, or judge what the page shows (dom_text, dom_count, url)',
  placeholder_kept:
    'contains {placeholder}, but the task has no instances to replace it; add "instances", or write the value',
  address_without_end:
    '{pattern} has no end, so every longer address matches, such as that of another page; end it with "$", or with "([?#]|$)" if a query may follow',
  download_of_any_file:
    'does not identify the file, so any other may pass; add "url_pattern", which shows that the app sent it, or a name, a hash or a text',
  goal_may_change:
    'has "{word}": a public task must not depend on login, payment, captcha, live prices, news or the date',
  state_not_read:
    'reads only pages, although the app reports its state; add an "app_state", since a page can show what was not saved',
  guard_excepts_list:
    'excepts the whole list {list}; except only {entry}, which the task changes, so that damage to the others is found',
  goal_of_a_day: 'has "{word}", which is another day each day; set "setup.clock", or name the whole date',
  contract_of_a_day:
    'expects a day, "{text}", that neither goal nor solution names; set "setup.clock", or it may differ tomorrow',
  app_with_needless_files:
    'holds {found}: unless the app needs them, add "leave_out: [{found}]", so that proofs stay current when they change',
  clock_not_passed:
    'does not reach the program of {origin}, which keeps the time of the machine; give it "clock_env" or "faketime"',
  start_not_in_archive:
    'of "{task}", {url}, is not in the archive {archive}; record it again, or start on a page that is in it',

  suite_file_missing: 'has no suite file; write one of {names}',
  path_empty: 'is empty; write a path relative to the suite file',
  path_of_file: 'is a file; name the folder with the files',
  path_without_match: '"{path}" matches no file in the suite\'s folder; check the pattern',
  path_not_relative: '"{path}" is not relative; write it relative to the suite file, with "/"',
  path_leaves:
    "\"{path}\" leaves {roots|1:the suite's folder|2:the suite's folder and Touchstone's apps/|other:the folder above the suite's, and Touchstone's apps/}{link|true: through a link; put a copy inside|other:; keep the file inside}",
  not_an_origin: 'is not an origin; write scheme and host only, like http://basics.localhost',
  not_a_site_path: 'must be a path on the site, for example {example}',
  stand_in_missing: 'is missing; an origin outside .localhost must declare "stand_in: true"',
  not_a_sha256: 'is not a SHA-256 in lower-case hexadecimal',
  not_a_zip: 'is not a zip; name a file that ends in .zip',
  query_parameter_empty: 'is empty; name a query parameter',
  waived_twice: 'is waived twice; keep one of them',
  waiver_without_task: '"{task}" is not a task of the suite',
  not_a_mutant: 'is not a mutant as "touchstone qualify" prints it',
  waiver_reason: 'is not plain text; write words, digits and plain punctuation, without slashes',
  credential_name: 'is not a name; write capitals, digits and "_", beginning with a letter',
  credential_too_short: 'is too short to be redacted; use at least {least} characters',
  judge_path:
    "must be a path other than /, for example /__state, of ASCII letters, digits, '.', '_', '~' and '-' between slashes",
  place_in_folder: "must be the path of a file or folder in the app's folder, for example README.md or docs",
  command_empty: 'is empty; name a program and its arguments',
  program_empty: 'names no program',
  not_a_variable: 'is not the name of a variable',
  port_not_passed:
    "does not give the program a port to listen on; pass {port}: env: { PORT: '{port}' }, or as an argument of command; or declare its fixed port: port: 4000",
  left_out_nothing: 'is empty; name a file or a folder, or leave it out',
  reset_type: 'must be a path on the site, or a list of a program and its arguments',
  placeholder_unknown: 'asks for {placeholder}; there is {known}',

  prompt_placeholder: 'nothing fills in {placeholder} here',
  prompt_name:
    '{name} {ticked|true:is not a tool of every surface|other:does not exist in every app}; describe what to do instead',
  prompt_literal: '{literal} is a literal of the task "{task}"{more|0:|other: and of {more} more}; leave it out',

  expected_passes: 'is {expected}, but {listed} tasks are listed as passed; make them agree',
  not_from_trials: 'does not follow from the trials next to it',
  more_passed_than_tried: 'is more than were tried',
  part_and_merged: 'is a part, and merged from parts',
  part_not_counted: 'must be one of the parts that it counts, such as 2/3',
} as const satisfies Record<string, Template>;
