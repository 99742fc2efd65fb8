// Check the inputs of the action, and hand them on: to the steps of others as outputs, to run.mjs in a file.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const { env } = process;
/** A name or a relative path that no program takes for an option. */
const NAME = String.raw`(?!-)[\w.:/@+-]+`;
const RULES = {
  working_directory: [/^(?!-)[^\n\r\0]+$/, 'a folder of the repository'],
  suites: [new RegExp(`^(?:${NAME}(?:\\s+${NAME})*)?$`), 'names or folders of suites, separated by spaces'],
  agent: [new RegExp(`^(?:${NAME}(?:,${NAME})*)?$`), 'agents, separated by commas'],
  surface: [new RegExp(`^(?:${NAME}(?:,${NAME})*)?$`), 'surfaces, separated by commas'],
  iterations: [/^(?:[1-9]\d{0,4})?$/, 'a whole number'],
  workers: [/^(?:auto|[1-9]\d{0,2})?$/, 'a whole number, or auto'],
  base_bundle: [/^(?!-)[^\n\r\0]*$/, 'a folder or a zip'],
  fail_on: [/^(?:gates|regression|nothing)$/, 'gates, regression or nothing'],
  install_browser: [/^(?:true|false)$/, 'true or false'],
  artifact: [/^[^\n\r\0"'`<>|*?:/\\]*$/, 'a name without any of "\'`<>|*?:/\\'],
};

const settings = Object.fromEntries(
  Object.keys(RULES).map((name) => [name, (env[`INPUT_${name.toUpperCase()}`] ?? '').trim()]),
);
const problems = Object.entries(RULES).flatMap(([name, [pattern, what]]) =>
  pattern.test(settings[name]) ? [] : [`${name.replaceAll('_', '-')} must be ${what}`],
);
const workspace = realpathSync(env.GITHUB_WORKSPACE ?? '.');
const folder = path.resolve(workspace, settings.working_directory);
if (!existsSync(folder)) problems.push('working-directory is not in the repository');
else if (path.relative(workspace, realpathSync(folder)).split(path.sep)[0] === '..')
  problems.push('working-directory must lie in the repository');
if (settings.suites === '' && ['agent', 'surface', 'iterations'].some((name) => settings[name] !== ''))
  problems.push('agent, surface and iterations go with suites; touchstone.yaml says them itself');
if (settings.base_bundle !== '' && !existsSync(path.resolve(folder, settings.base_bundle)))
  problems.push('base-bundle does not exist, seen from working-directory');
if (problems.length > 0) {
  for (const problem of problems) console.log(`::error title=Touchstone::input ${problem}`);
  process.exit(2);
}

const place = path.join(env.RUNNER_TEMP ?? workspace, 'touchstone');
mkdirSync(place, { recursive: true });
const archive = path.join(place, 'bundle.zip');
writeFileSync(path.join(place, 'settings.json'), JSON.stringify({ ...settings, folder, archive }));

// Bundles of other suites, agents or repetitions are not compared: what is run is a part of the key.
const asked = ['working_directory', 'suites', 'agent', 'surface', 'iterations'].map((name) => settings[name]);
const kind = createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 12);
const keyOf = (branch, commit) =>
  ['touchstone', kind, env.RUNNER_OS, branch, commit].map((part) => (part ?? '').replaceAll(/[^\w.]+/g, '_')).join('-');
const isPull = (env.GITHUB_BASE_REF ?? '') !== '';
const outputs = {
  archive,
  artifact: settings.artifact,
  restore: isPull && settings.base_bundle === '',
  save: !isPull,
  'base-key': keyOf(env.GITHUB_BASE_REF, env.BASE_SHA),
  'base-prefix': keyOf(env.GITHUB_BASE_REF, ''),
  'own-key': keyOf(env.GITHUB_REF_NAME, env.GITHUB_SHA),
};
for (const [name, value] of Object.entries(outputs)) appendFileSync(env.GITHUB_OUTPUT, `${name}=${value}\n`);
