import { fact, messageFor } from '../../messages/messages.ts';
import { type CampaignFile, readCampaignFile } from '../../plan/campaign-file.ts';
import { judgeVersion } from '../../plan/pins.ts';
import { eachLedgerRecord } from '../../bundle/ledger.ts';
import { PlannedEpisodes } from '../../plan/part-of-plan.ts';
import { readAttempts } from '../../verify/read-attempts.ts';
import type { ContractsNow } from '../../verify/contracts-now.ts';
import { rejudgeBundle, type Rejudgement } from '../../verify/rejudge.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { openBundle } from '../bundles.ts';
import type { DrawSecret } from '../../task/draw.ts';
import { bundleNamed } from '../latest.ts';
import { readSecret, refuseOtherSecret } from '../secret-file.ts';
import { tableOf } from '../terminal-sections.ts';
import type { Terminal } from '../terminal.ts';
import type { Request } from '../command.ts';
import type { RejudgeOptions } from '../commands/judge.ts';
import type { Column } from '../../report/document.ts';
import { counted } from '../../report/numbers.ts';

export async function rejudge(
  { args: [first, ...suiteNames], options: { secretFile, json } }: Request<RejudgeOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  const bundle = bundleNamed(first);
  using opened = await openBundle(bundle);
  const { layout } = opened;
  const campaign = await readCampaignFile(layout);
  const secret = await readSecret(secretFile);
  if (secret !== null) refuseOtherSecret(bundle, campaign.plan, secret);
  const contracts = suiteNames.length === 0 ? null : await contractsIn(suiteNames, campaign, terminal, secret);
  const judgedBy = contracts === null ? {} : { judgedBy: contracts.judgedBy.bind(contracts) };
  const judges = { recorded: campaign.pins.judge_version, now: judgeVersion() };
  const differing: Rejudgement[] = [];
  let [judged, missing, notJudged] = [0, 0, 0];
  const episodes = new PlannedEpisodes(campaign);
  const attempts = readAttempts(layout, campaign, { records: eachLedgerRecord(layout.ledger), episodes });
  for await (const each of rejudgeBundle(layout, campaign, attempts, { episodes, ...judgedBy })) {
    if (each.attempt === null) missing += 1;
    else if (each.rejudged === null) notJudged += 1;
    else judged += 1;
    if (!each.agrees) differing.push(each);
  }
  const agree = judged - (differing.length - missing - notJudged);
  if (judges.now !== judges.recorded) {
    terminal.note(`judged by ${judges.now}; the judge of the campaign was ${judges.recorded}`);
  }
  if (json) {
    const { changed = [], gone = [] } = contracts ?? {};
    const judge = { judge_recorded: judges.recorded, judge_now: judges.now };
    const other = { contracts_changed: changed, tasks_gone: gone };
    const found = { judged, agree, not_judged: notJudged, missing, ...judge, ...other };
    terminal.out(JSON.stringify({ ...found, differing: differing.map(inWords) }));
  } else {
    if (differing.length > 0) {
      for (const line of tableOf(COLUMNS, differing, terminal)) terminal.out(line);
    }
    for (const name of contracts?.changed ?? []) terminal.out(`${name} now has a different contract from the plan`);
    for (const name of contracts?.gone ?? [])
      terminal.out(`${name} is no longer in its suite; judged by the plan's contract`);
    const unjudged = notJudged === 0 ? '' : `, ${notJudged} could not be judged`;
    const lacking = missing === 0 ? '' : `, ${missing} of the plan missing`;
    terminal.out(`${counted(judged, 'episode')} judged again, ${agree} agree${unjudged}${lacking}`);
  }
  return differing.length === 0 ? EXIT.done : EXIT.gateNotMet;
}

/**
 * Loads only suites that are named, since that runs their code.
 * @throws UsageError for a suite that the campaign did not run
 */
async function contractsIn(
  names: readonly string[],
  { plan }: CampaignFile,
  terminal: Terminal,
  secret: DrawSecret | null,
): Promise<ContractsNow> {
  // The plan's own contracts need no suite, nor the code that loads one.
  const [{ loadSuites }, { ContractsNow: Now }] = await Promise.all([
    import('../suites.ts'),
    import('../../verify/contracts-now.ts'),
  ]);
  const suites = await loadSuites(names, terminal, secret);
  const strange = suites.find(({ id }) => !plan.tasks.some(({ suite }) => suite === id));
  if (strange !== undefined) throw new UsageError(fact('suite_not_in_campaign', { suites: `"${strange.id}"` }));
  return await Now.of(plan, suites);
}

function inWords({ problems, why, ...rest }: Rejudgement): object {
  const text = why.map(messageFor).join('; ');
  return { ...rest, problems: problems.map(messageFor), why: text === '' ? null : text };
}

const COLUMNS: readonly Column<Rejudgement>[] = [
  { head: 'episode', words: true, text: ({ episodeId }) => episodeId },
  { head: 'task', words: true, text: ({ task }) => task },
  { head: 'agent', words: true, text: ({ agent }) => agent },
  {
    head: 'recorded',
    words: true,
    text: ({ attempt, recorded }) => verdictsOf(recorded) ?? (attempt === null ? 'no row' : 'unreadable'),
  },
  { head: 'now', words: true, text: ({ rejudged }) => verdictsOf(rejudged) ?? 'not judged' },
  { head: 'why', words: true, text: ({ why }) => (why.length === 0 ? null : why.map(messageFor).join('; ')) },
];

function verdictsOf(judged: Rejudgement['recorded']): string | null {
  return judged === null ? null : `${judged.goal}/${judged.guard}`;
}
