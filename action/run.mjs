// Run what settings.mjs has checked, compare it with the base, and write the summary.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { inCommand, resultIn, summaryOf } from './summary.mjs';

const { env } = process;
const place = path.join(env.RUNNER_TEMP ?? env.GITHUB_WORKSPACE, 'touchstone');
const settings = JSON.parse(readFileSync(path.join(place, 'settings.json'), 'utf8'));
const bundle = path.join(place, 'bundle');

// As built in the package that this file came with, else as installed where it is run.
const program = [path.resolve(import.meta.dirname, '..'), path.join(settings.folder, 'node_modules/touchstone')]
  .map((root) => path.join(root, 'dist/cli/main.js'))
  .find(existsSync);
if (program === undefined) {
  console.log(
    '::error title=Touchstone::touchstone is not installed in working-directory; run "npm install" there before this action',
  );
  process.exit(2);
}

/**
 * Run the program without a shell; its output is printed as it comes, and returned. What pages and agents say must be
 * no command to the runner ("::…" and "##[…]"): it reads none until it is told a word that nobody can have known.
 */
async function touchstone(...args) {
  const word = randomUUID();
  console.log(`::stop-commands::${word}`);
  const child = spawn(process.execPath, [program, ...args], {
    cwd: settings.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [out, notes] = await Promise.all([child.stdout, child.stderr].map(printed));
  const [status] = await ended;
  console.log(`\n::${word}::`);
  return { code: status ?? 3, out, notes };
}

async function printed(stream) {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    process.stdout.write(chunk);
    text += chunk;
  }
  return text;
}

const given = ['agent', 'surface', 'iterations', 'workers'].flatMap((name) =>
  settings[name] === '' ? [] : [`--${name}`, settings[name]],
);
const suites = settings.suites.split(/\s+/).filter((name) => name !== '');
if (settings.install_browser === 'true') await touchstone('doctor', '--install', '--quiet');

let base = settings.base_bundle === '' ? null : path.resolve(settings.folder, settings.base_bundle);
if (base === null && existsSync(settings.archive)) {
  base = path.join(place, 'base.zip');
  renameSync(settings.archive, base);
}
const ran = await touchstone('run', ...suites, ...given, '--out', bundle);
const isBundle = existsSync(path.join(bundle, 'rows.jsonl'));
if (isBundle) {
  appendFileSync(env.GITHUB_OUTPUT, `bundle=${bundle}\n`);
  if (ran.code <= 1) await touchstone('pack', bundle, settings.archive);
}
const compared = base === null || !isBundle ? null : await touchstone('compare', base, bundle, '--gate');

const unmet = [
  ...(ran.code === 0 || (ran.code === 1 && settings.fail_on !== 'gates') ? [] : [ran.code]),
  ...(compared === null || compared.code === 0 || (compared.code === 1 && settings.fail_on === 'nothing')
    ? []
    : [compared.code]),
];
if (ran.code <= 1) {
  const level = unmet.length === 0 ? 'notice' : 'error';
  console.log(`::${level} title=Touchstone::${inCommand(resultIn(ran.out))}`);
}
appendFileSync(env.GITHUB_OUTPUT, `result=${unmet.length === 0 ? 'met' : 'not met'}\n`);
appendFileSync(env.GITHUB_STEP_SUMMARY, summaryOf({ ran, compared, isMet: unmet.length === 0, settings }));
process.exitCode = Math.max(0, ...unmet);
