import { z } from 'zod';
import { defineCommand, type CommandSpec } from '../command.ts';
import { Options } from '../options.ts';
import { numeric, PathValue } from '../planning-options.ts';

const VerifyOptions = Options.pick({ anchor: true, signer: true, secretFile: true, rerun: true, json: true }).extend({
  seed: numeric(z.int()).optional().meta({
    flags: '--seed <number>',
    help: 'with --rerun: draw this part again (default: drawn at random, and printed)',
  }),
});
export type VerifyOptions = z.output<typeof VerifyOptions>;

const verify = defineCommand({
  name: 'verify',
  args: '[bundle] [suites...]',
  summary: 'Check everything in a bundle, without trust or network',
  about:
    'Verify a bundle, by default the latest, without trust or network: every byte, row, verdict, figure and decision on eligibility. Each record that is wrong is named. With --rerun, run part of it again and compare.',
  options: VerifyOptions,
  examples: [
    'touchstone verify',
    'touchstone verify bundles/20260101T120000-basics',
    'touchstone verify bundles/mine --anchor a09f5a3e3f8d1c0d5f3504f9bceb35d93df9b4b0f6454b8629b481e4490eca47',
    'touchstone verify bundles/20260101T120000-basics --rerun 5%',
    'touchstone verify bundles/mine ./my-suite --rerun 10% --seed 7',
  ],
  run: async (request, terminal) => (await import('../actions/verify.ts')).verify(request, terminal),
});

const CompareOptions = Options.pick({ gate: true, verbose: true, json: true });
export type CompareOptions = z.output<typeof CompareOptions>;

const compare = defineCommand({
  name: 'compare',
  args: '[bundle] [after]',
  summary: 'Compare the entrants of a bundle, or two bundles',
  about:
    'With one bundle, by default the latest, compare its entrants: which tasks each passed, every pair on the tasks that both ran, what may be claimed, and the calls, tokens and time that each used. With two bundles, show what changed from the first to the second: the tasks that pass less often and why they fail now, those that pass more often, new and removed tasks, and whether the file of an agent changed. Success rates per task with intervals, and recovery from faults, follow (on a terminal only with --verbose). The output is Markdown if it goes to a file or a pipe.',
  options: CompareOptions,
  examples: [
    'touchstone compare bundles/20260101T120000-basics',
    'touchstone compare -2 latest',
    'touchstone compare bundles/monday bundles/tuesday --gate',
  ],
  run: async (request, terminal) => (await import('../actions/compare.ts')).compare(request, terminal),
});

const ReportOptions = Options.pick({ since: true, to: true, junit: true, json: true });
export type ReportOptions = z.output<typeof ReportOptions>;

const report = defineCommand({
  name: 'report',
  args: '[bundle...]',
  summary: 'Write reports again, or tables over several bundles',
  about:
    'Write the reports of a bundle, by default the latest, again from its rows, if its records verify. With several bundles, --since or --to, print tables over all of them.',
  options: ReportOptions,
  examples: [
    'touchstone report bundles/20260101T120000-basics',
    'touchstone report bundles/20260101T120000-basics --junit junit.xml',
    'touchstone report bundles/monday bundles/tuesday --since 2026-05-19T23',
    'touchstone report bundles/monday bundles/tuesday --to reports',
  ],
  run: async (request, terminal) => (await import('../actions/report.ts')).report(request, terminal),
});

const RejudgeOptions = Options.pick({ secretFile: true, json: true });
export type RejudgeOptions = z.output<typeof RejudgeOptions>;

const rejudge = defineCommand({
  name: 'rejudge',
  args: '[bundle] [suites...]',
  summary: 'Judge every episode again from its files alone',
  about:
    'Judge every episode of a bundle, by default the latest, again from its files alone, compare the verdicts, and list missing episodes. If you name suites, their current contracts are used: the differences show the effect of a changed contract. Writes nothing.',
  options: RejudgeOptions,
  examples: ['touchstone rejudge bundles/20260101T120000-basics', 'touchstone rejudge bundles/mine ./my-suite'],
  run: async (request, terminal) => (await import('../actions/rejudge.ts')).rejudge(request, terminal),
});

const JudgeRunsOptions = Options.pick({ json: true }).extend({
  dataset: PathValue.meta({ flags: '--dataset <checkout>', help: 'a checkout of the data set, or its file of rows' }),
  sites: PathValue.optional().meta({
    flags: '--sites <file>',
    help: 'the addresses that the sites had in these runs, as a configuration of WebArena-Verified',
  }),
});
export type JudgeRunsOptions = z.output<typeof JudgeRunsOptions>;

const judge = defineCommand({
  name: 'judge',
  args: '<format> <runs>',
  summary: 'Judge stored runs of another data set by its rules',
  about:
    'Judge runs from their files alone. webarena-verified: a folder for each task, named by its id, with agent_response.json and network.har, or a bundle whose tasks have tags such as webarena-verified:108. Exits with 1 unless every task passes; what cannot be judged is inconclusive.',
  words: ['webarena-verified'],
  options: JudgeRunsOptions,
  examples: [
    'touchstone judge webarena-verified runs --dataset ../webarena-verified --sites config.json',
    'touchstone judge webarena-verified bundles/mine --dataset ../webarena-verified --sites config.json',
  ],
  run: async (request, terminal) => (await import('../actions/judge.ts')).judge(request, terminal),
});

export const JUDGE_COMMANDS: readonly CommandSpec[] = [verify, compare, report, rejudge, judge];
