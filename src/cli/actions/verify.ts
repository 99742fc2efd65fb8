import { isMissing } from '../../bundle/errors.ts';
import type { BundleLayout } from '../../bundle/layout.ts';
import type { Row } from '../../bundle/row.ts';
import { readSigner } from '../../bundle/signature.ts';
import type { CampaignFile } from '../../plan/campaign-file.ts';
import { factIn, fileProblem, type BundleProblem } from '../../verify/finding.ts';
import { secretFindings } from '../../verify/against-secret.ts';
import type { DrawSecret } from '../../task/draw.ts';
import type { Rerun } from '../../rerun/rerun.ts';
import { fact, messageFor } from '../../messages/messages.ts';
import { shellWord } from '../../report/shell-word.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { findingLine, openBundle, verifiedFiles } from '../bundles.ts';
import { bundleNamed } from '../latest.ts';
import { readSecret } from '../secret-file.ts';
import { rerunLines } from '../rerun-part.ts';
import { asTyped, type Terminal } from '../terminal.ts';
import type { Request } from '../command.ts';
import type { VerifyOptions } from '../commands/judge.ts';
import { counted } from '../../report/numbers.ts';

/** Levels of verification; all others need the first. */
type Level = 'consistent' | 'signed' | 'anchored' | 'drawn' | 'reproduced';

interface Result {
  holds: boolean;
  levels: Level[];
  /** SHA-256 of the public key that signed it. */
  signer: string | null;
  plan_hash: string | null;
  episodes: number;
  findings: BundleProblem[];
  /** Pages that another version drew, or that were altered to look like it. */
  not_compared: string[];
  /** Null if it was not requested, or the bundle does not verify. */
  rerun: Rerun | null;
}

export async function verify(
  {
    args: [name, ...suiteNames],
    options: { anchor, signer, secretFile, rerun: share, seed, json },
  }: Request<VerifyOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  if (share === undefined && (seed !== undefined || suiteNames.length > 0)) throw new UsageError(fact('rerun_only'));
  const secret = await readSecret(secretFile);
  const bundle = bundleNamed(name);
  // Only a rerun needs whole rows.
  const rows: Row[] = [];
  using opened = await openBundle(bundle);
  const { result, campaign } = await verified(opened.layout, { anchor, signer, secret }, (row) => {
    if (share !== undefined) rows.push(row);
  });
  if (share !== undefined && result.holds && campaign !== null) {
    // Reading does not load the code that runs episodes.
    const { rerunPart } = await import('../rerun-part.ts');
    result.rerun = await rerunPart({ campaign, rows }, { share, seed, suiteNames }, terminal);
    if (result.rerun.reproduced) result.levels.push('reproduced');
  }
  if (json) terminal.out(JSON.stringify(inWords(result)));
  else print(result, bundle, terminal);
  return result.holds && result.rerun?.reproduced !== false ? EXIT.done : EXIT.gateNotMet;
}

function inWords(result: Result): object {
  const rerun = result.rerun && {
    ...result.rerun,
    differences: result.rerun.differences.map(worded),
    cannot: result.rerun.cannot.map(({ why, episodes }) => ({ why: messageFor(why), episodes })),
    why_not: result.rerun.reproduced ? null : result.rerun.why_not.map(messageFor).join('; '),
  };
  return { ...result, findings: result.findings.map(worded), rerun };
}

function worded({ problem, ...rest }: BundleProblem) {
  return { ...rest, problem: messageFor(problem), code: problem.code };
}

interface Expected {
  anchor: string | undefined;
  signer: string | undefined;
  secret: DrawSecret | null;
}

async function verified(
  layout: BundleLayout,
  expected: Expected,
  take: (row: Row) => void,
): Promise<{ result: Result; campaign: CampaignFile | null }> {
  let episodes = 0;
  const { campaign, findings, notCompared } = await verifiedFiles(layout, (row) => {
    episodes += 1;
    take(row);
  });
  const planHash = campaign?.plan_hash ?? null;
  const signer = await signerOr(layout, findings);
  if (expected.signer !== undefined && expected.signer !== signer) {
    findings.push(fileProblem('signature.json', fact('signer_differs', { signer: expected.signer })));
  }
  if (expected.anchor !== undefined && expected.anchor !== planHash) {
    findings.push(fileProblem('campaign.json', fact('anchor_differs', { anchor: expected.anchor })));
  }
  if (expected.secret !== null && campaign !== null) findings.push(...secretFindings(campaign, expected.secret));
  const holds = findings.length === 0;
  const levels: Level[] = holds
    ? [
        'consistent',
        ...(signer === null ? [] : (['signed'] as const)),
        ...(expected.anchor === undefined ? [] : (['anchored'] as const)),
        ...(expected.secret === null ? [] : (['drawn'] as const)),
      ]
    : [];
  const found = { findings, not_compared: notCompared };
  return { result: { holds, levels, signer, plan_hash: planHash, episodes, ...found, rerun: null }, campaign };
}

async function signerOr(layout: BundleLayout, findings: BundleProblem[]): Promise<string | null> {
  try {
    return await readSigner(layout);
  } catch (error) {
    if (!isMissing(error)) findings.push(fileProblem('signature.json', factIn(error)));
    return null;
  }
}

/** Describes what each level shows, and what it does not. */
const MEANING: Record<Level, string> = {
  consistent: 'all files fit together; this does not show who made them, or whether all were forged',
  signed: 'the owner of the key vouches for these files',
  anchored: 'the plan is the one whose hash you gave',
  drawn: 'your secret draws the instances of tasks with "draw"; this does not show when it was chosen',
  reproduced: 'a part drawn here was run again here, with the same result; this shows nothing about the rest',
};

/** Whether only episodes are missing: the run ended early, or they were removed. */
function isUnfinished(findings: readonly BundleProblem[]): boolean {
  return findings.every(({ kind }) => kind === 'incomplete') && findings.some(lacksEpisode);
}

function lacksEpisode({ file, kind }: BundleProblem): boolean {
  return kind === 'incomplete' && file === 'ledger.jsonl';
}

function unfinishedLines({ episodes, findings }: Result, bundle: string): string[] {
  const lacking = findings.filter(lacksEpisode).length;
  return [
    ...findings.filter((each) => !lacksEpisode(each)).map(findingLine),
    `ledger.jsonl: no row counts for ${lacking} of ${episodes + lacking} episodes; what is there holds`,
    `not finished: ended early, or cut; "touchstone run --resume ${shellWord(bundle)}" runs what is missing`,
  ];
}

function brokenLines(findings: readonly BundleProblem[]): string[] {
  const records = new Set(findings.map(({ file }) => file)).size;
  return [...findings.map(findingLine), `does not hold: ${counted(records, 'record is', 'records are')} wrong`];
}

function print(result: Result, bundle: string, terminal: Terminal): void {
  const { holds, levels, signer, plan_hash: planHash, episodes, findings, not_compared: notCompared, rerun } = result;
  if (!holds) {
    for (const line of isUnfinished(findings) ? unfinishedLines(result, bundle) : brokenLines(findings)) {
      terminal.out(asTyped(line, terminal));
    }
    return;
  }
  terminal.out(`holds: ${counted(episodes, 'episode')}`);
  for (const level of levels) terminal.out(`${level.padEnd(11)} ${MEANING[level]}`);
  if (signer !== null) terminal.out(`signer      ${signer}`);
  terminal.out(`plan hash   ${planHash ?? ''}`);
  if (notCompared.length > 0) {
    const again = asTyped(`"touchstone report ${shellWord(bundle)}" draws them again`, terminal);
    terminal.out(`not compared ${notCompared.join(', ')}: not drawn by this version; ${again}`);
  }
  for (const line of rerun === null ? [] : rerunLines(rerun)) terminal.out(line);
}
