/** GitHub refuses a summary of more than 1 MiB; it has four parts at most, and a character three bytes. */
const MOST = 80_000;
const LONGEST_SENTENCE = 1_000;

/** The summary of a run as Markdown. What the program printed stands in fences that nothing in it can end. */
export function summaryOf({ ran, compared, isMet, settings }) {
  return [
    `## Touchstone: ${isMet ? 'met' : 'not met'}`,
    '',
    ...(ran.code <= 1 ? [codeSpan(resultIn(ran.out)), ''] : []),
    fenced(ran.out === '' ? ran.notes : ran.out),
    '',
    ...(ran.out === ''
      ? []
      : ['<details><summary>Each episode</summary>', '', fenced(ran.notes), '', '</details>', '']),
    ...comparison(compared, settings),
    '',
  ].join('\n');
}

/** The sentence with which a run's output begins, for the job's annotation as well. */
export function resultIn(out) {
  const [first] = out.trim().split(/\n\s*\n/);
  return first === '' ? 'Nothing was printed.' : first.replaceAll(/\s+/g, ' ').slice(0, LONGEST_SENTENCE);
}

/** Escapes a sentence, parts of which agents and pages wrote, as the message of a workflow command. */
export function inCommand(text) {
  // The older form of a command may begin anywhere in a line.
  return text.replaceAll('%', '%25').replaceAll('##[', '## [');
}

function codeSpan(text) {
  const fence = '`'.repeat(longestRun(text) + 1);
  return `${fence} ${text} ${fence}`;
}

function longestRun(text) {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
}

function comparison(compared, { base_bundle: base }) {
  if (compared === null)
    return [
      base === ''
        ? 'Nothing to compare with: no bundle of the base branch was found. A run of this action on a push to it leaves one.'
        : 'Nothing was compared, as there is no bundle of this run.',
    ];
  if (compared.code > 1) return ['The bundles could not be compared.', '', fenced(compared.notes)];
  // Drawn by the program, with all that comes from elsewhere escaped.
  return [shortened(compared.out.replaceAll(/^#/gm, '##')), ...(compared.notes === '' ? [] : [fenced(compared.notes)])];
}

function fenced(text) {
  const fence = '`'.repeat(Math.max(2, longestRun(text)) + 1);
  return `${fence}text\n${shortened(text.trimEnd())}\n${fence}`;
}

function shortened(text) {
  return text.length <= MOST ? text : `${text.slice(0, MOST)}\n(cut; the whole is in the bundle)`;
}
