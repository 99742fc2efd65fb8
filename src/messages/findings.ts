import type { Template } from './template.ts';

const COUNT = '{op|eq:exactly|gte:at least|lte:at most} {value}';
const FRESH = '{fresh|true:after a fresh load, |other:}';

/** Expectations of assertions. A text completes "Expected: …". */
const EXPECTED = {
  valid_contract: 'a valid contract',
  every_child_passes: 'every child passes',
  one_child_passes: 'at least one child passes',
  child_fails: 'the child fails',
  kind_holds: '{kind} holds',
  url_matches: 'the URL matches {pattern}',
  text_contains: `${FRESH}the text of {selector} contains "{text}"`,
  text_equals: `${FRESH}the text of {selector} equals "{text}"`,
  text_matches: `${FRESH}the text of {selector} matches {pattern}`,
  field_contains: `${FRESH}the value of {selector} contains "{text}"`,
  field_equals: `${FRESH}the value of {selector} is "{text}"`,
  field_matches: `${FRESH}the value of {selector} matches {pattern}`,
  element_count: `${FRESH}${COUNT} × {selector}`,
  exchange_count: `${COUNT} × {method=any method} {url}{has_body|true: with a body that matches {body}|other:} → {statuses} since {since}`,
  download_count: `${COUNT} × {name=any file} from {url=anywhere}{has_bytes|true:, bytes {bytes_op} {bytes}|other:}{has_sha256|true:, SHA-256 {sha256}|other:}{by|contains:, text contains "{text}"|equals:, text equals "{text}"|matches:, text matches {text}|other:}`,
  screenshot_in_class: 'a screenshot within {limit} of 64 bits of class {class_id}',
  no_open_dialog: 'no dialog is open',
  answer_one_of: 'the answer is {several|true:one of |other:}{texts}',
  answer_number: 'the answer is {number}',
  answer_date: 'the answer is the date {date}',
  answer_typed:
    'the answer is {wanted}{form|list:, in this order|any_order:, in any order|set:, each at least once, in any order|rows:, row by row|any_rows:, its rows in any order|other:}',
  answer_not_possible: 'the answer is "not possible"',
  state_equals: '{place=the app state} equals {json}',
  state_matches: '{place=the app state} matches {pattern}',
  state_absent: '{place=the app state} is absent',
  state_unchanged: 'the app state is unchanged{has_except|true:, except {except}|other:}',
} as const satisfies Record<string, Template>;

/** Why an assertion has its verdict. */
const WHY = {
  contract_not_valid: 'could not be judged, the contract is not valid: {problem}{more|0:|other:; and {more} more}',
  judging_failed: 'could not be judged: {error}',
  not_captured: '{why}',
  children_passing: '{passed} of {total} children pass',
  child_verdict: 'the child is {verdict}',
  no_open_page: 'no page is open',
  no_page_in_scope: 'no open page is in scope',
  last_active_unknown: 'it is unknown which page was active last',
  not_loaded_fresh: 'the page was not loaded again: {why}',
  no_sibling_url: 'no "url" assertion under the same "and" selects the pages',
  page_url_unknown: 'the URL of {page} is unknown: {why}',
  url_compared: 'the URL {matches|true:matches|other:does not match}',
  text_compared: 'the first match of {selector} {holds|true:has|other:does not have} the text',
  field_compared: '{selector} {holds|true:has|other:does not have} the value',
  field_absent: 'the first match of {selector} has no value',
  field_redacted: 'the evidence leaves out the value of {selector}: it is a password or from a payment card',
  nothing_matches: 'nothing matches {selector}',
  first_match_unknown: 'the first match of {selector} is unknown: {why}',
  matches_counted: '{count} {count|1:match|other:matches}',
  matches_incomplete: '{count} {count|1:match|other:matches}, but {why}',
  exchanges_counted: '{matched} of {scanned} exchanges match',
  exchanges_cut: '{matched} of {scanned} exchanges match, but {unread} more {unread|1:body was|other:bodies were} cut',
  downloads_counted: '{matched} of {begun} downloads match',
  downloads_open: '{matched} of {begun} downloads match, but {open} more {open|1:is|other:are} not known whole',
  no_exemplars: 'class {class_id} has no exemplars',
  distance_measured: 'distance {distance}, limit {limit}',
  no_page_has_dialog: 'no page has a dialog open',
  page_has_dialog: '{page} has a dialog open',
  no_answer: 'the agent gave no answer',
  answer_malformed: 'the recorded answer is neither text nor a number nor "not possible"',
  answer_compared: 'the answer {holds|true:is|other:is not} as expected',
  state_compared: '{place=the app state} {holds|true:is|other:is not} as expected',
  state_ambiguous: '{place=the app state} is ambiguous: several entries of a list have the key',
  state_is_absent: '{place=the app state} is absent',
  state_is_present: '{place=the app state} is present',
  state_too_deep: '{place=the app state} is nested more than {levels} levels deep',
  nothing_else_changed: 'nothing else changed',
  places_changed: '{count} {count|1:place|other:places} changed',
} as const satisfies Record<string, Template>;

/** Why a task did not begin: at the start, `success` must fail and `guards` must pass. */
const STARTS = {
  already_true: 'success is already true at the start',
  success_not_judged: 'success cannot be judged at the start',
  guards_not_true: 'guards are not true at the start',
  guards_not_judged: 'guards cannot be judged at the start',
} as const satisfies Record<string, Template>;

/** Why an episode failed, as one sentence. `seen` is what the judge saw, `wanted` what it expected. */
const FAILURES = {
  failed_text: 'The page should show {wanted}, but shows “{seen}”.',
  failed_text_nowhere: 'The page has no such element: {wanted}.',
  failed_count: 'The page should have {wanted}, but has {seen}.',
  failed_url: 'It should have ended at {wanted}, but ended at {seen}.',
  failed_answer:
    '{given|true:The answer was “{seen}”|other:No answer was given}; it should be {several|true:one of |other:}{wanted}.',
  failed_dialog: 'A dialog is still open{shown|true:: “{seen}”|other:}.',
  failed_state_equals: '{place=The app state} should be {wanted}, but is {seen=missing}.',
  failed_state_matches: '{place=The app state} should match {wanted}, but is {seen=missing}.',
  failed_state_absent: '{place=The app state} is still there.',
  failed_unchanged:
    '{has_except|true:Only {except} may change|other:Nothing may change}, but {seen=something else} changed.',
  failed_network: 'Expected: {wanted}; the last exchange: {seen=none}.',
  failed_other: 'Expected: {wanted}; found: {seen=nothing}.',
  failed_solution:
    'Check the task: at the end of its own solution, the selector of {place} matches nothing ({wanted}).',
  failed_unknown: 'It is unknown whether it passed. This could not be judged: {wanted}.',
} as const satisfies Record<string, Template>;

export const FINDINGS = { ...EXPECTED, ...WHY, ...STARTS, ...FAILURES } as const;
