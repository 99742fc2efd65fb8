import { code, bullets, quote, strong, type Content } from './document.ts';
import { markdownBlocks, markdownSections } from './markdown-blocks.ts';
import { episodesReported, isolationText, notOursText, partsText, type Report, workersText } from './report.ts';
import { reportSections } from './report-sections.ts';
import { dayText, leadText, passedText, titleText } from './title.ts';

/** `report.md`: for a pull request or a terminal. */
export function markdownReport(report: Report): string {
  const head = markdownBlocks([
    { kind: 'text', text: leadText(report), quiet: false },
    { kind: 'text', text: [`${dayText(report.created_at)}: `, strong(passedText(report)), '.'], quiet: false },
    ...[bullets(factsOf(report))].filter((block) => block !== null),
  ]);
  return `# ${titleText(report)}\n\n${head.join('\n')}\n${markdownSections(reportSections(report))}`;
}

function factsOf(report: Report): Content[] {
  const { browser, complete, bench_version: version, bench_commit: commit, bench_dirty: dirty } = report;
  const at = commit === null ? '' : ` at ${commit.slice(0, 10)}${dirty === true ? ' with local changes' : ''}`;
  const notOurs = notOursText(report);
  const more = [partsText(report), workersText(report)].flatMap((each) => (each === null ? [] : `; ${each}`));
  return [
    [
      `Touchstone ${version}${at}; `,
      browser === null ? 'no browser' : [quote(`${browser.name} ${browser.version}`), ` (${browser.kind})`],
      notOurs === null ? '' : `, ${notOurs}`,
    ],
    [
      `Episodes: ${episodesReported(report)} of ${report.planned}`,
      complete ? '' : [' — ', strong('not complete')],
      ...more,
    ],
    `World: ${report.world_kinds.join(', ')}. Mode: ${report.modes.join(', ')}`,
    ...report.process_isolations.map((each) => `Processes of entrants kept apart: ${isolationText(each)}`),
    ['Outcome hash: ', code(report.outcome_hash), '; in the records this campaign is ', code(report.campaign_id)],
  ];
}
