// Installs what a clean clone lacks: the dependencies, a browser, and with --tests what the tests need beside; with --packages the dependencies alone. Needs nothing but Node itself.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { told, toldTogether } from './told.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const stamp = path.join(root, 'node_modules', '.touchstone-setup');
const lock = createHash('sha256')
  .update(readFileSync(path.join(root, 'package-lock.json')))
  .digest('hex');

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Touchstone needs Node 20.19 or later, and this is ${process.version}`, 'install a newer Node');
}
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  if (!isInstalled()) {
    // A registry that lacks a binary for some other platform makes `npm ci` refuse a lockfile that `npm install` takes.
    if ((await installAll()) !== 0 && (await npm('install', '--no-save')) !== 0)
      fail('the dependencies could not be installed', 'see what npm printed above');
  }
  writeFileSync(stamp, lock);
}
if (process.argv.includes('--packages')) process.exit(0);
const exit = startBrowser('full');
if (exit !== 0) process.exit(exit);
// Without Bubblewrap there is no sandbox for browsers, and rows are diagnostic.
const SANDBOX = { bwrap: 'bubblewrap' };
if (process.argv.includes('--tests')) {
  // Without it the tests run in full Chromium, and take longer.
  startBrowser('shell');
  await install({ ...SANDBOX, 'redis-server': 'redis-server', zsh: 'zsh', fish: 'fish', jq: 'jq' });
} else if (process.platform === 'linux') {
  await install(SANDBOX);
}

/** Installs a browser where there is none, and starts it, unless it is the very file that has started before. Returns an exit code. */
function startBrowser(kind) {
  const remembered = path.join(root, 'node_modules', `.touchstone-${kind}`);
  if (isSameFile(remembered)) return 0;
  const ours = ['--import', 'tsx'];
  const cli = [...ours, path.join(root, 'src', 'cli', 'main.ts')];
  const doctor = [...cli, 'doctor', '--install', '--browser', kind, '--quiet'];
  const { status } = spawnSync(process.execPath, doctor, { cwd: root, stdio: 'inherit' });
  if (status !== 0) return status ?? 3;
  const script = [...ours, path.join(root, 'scripts', 'browser-file.ts'), kind];
  writeFileSync(remembered, spawnSync(process.execPath, script, { cwd: root }).stdout);
  return 0;
}

/** Whether the browser of which this file tells is still there, as it was, and the user names the same, or none. */
function isSameFile(remembered) {
  try {
    const { file, changed, named } = JSON.parse(readFileSync(remembered, 'utf8'));
    return named === (process.env.TOUCHSTONE_BROWSER ?? '') && statSync(file).mtimeMs === changed;
  } catch {
    return false;
  }
}

/** Installs programs by the names of their packages. If one is missing, the tests of queues and of a document's command fail, and those of the sandbox and of a shell are not run. */
async function install(programs) {
  const missing = Object.keys(programs).filter((program) => !isThere(program));
  if (missing.length === 0) return;
  const packages = missing.map((program) => programs[program]);
  const isDebian = existsSync('/etc/debian_version') && process.getuid?.() === 0;
  if (!isDebian) {
    console.error(`install ${packages.join(', ')} with your package manager`);
    return;
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const title = `installing ${packages.join(', ')}`;
  await told('reading the list of Debian packages', 'apt-get', ['update', '-q'], { env });
  await told(title, 'apt-get', ['install', '-q', '-y', '--no-install-recommends', ...packages], { env });
}

function isThere(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Whether the packages that npm has installed are those of the lockfile, so that `npm ci` has already run. */
function isInstalled() {
  const found = packagesOf('node_modules/.package-lock.json');
  return Object.entries(packagesOf('package-lock.json')).every(
    ([place, { version, integrity, optional = false }]) =>
      optional || (found[place]?.version === version && found[place].integrity === integrity),
  );
}

/** The packages in a lockfile, without the one whose file it is. */
function packagesOf(lockfile) {
  try {
    const { '': _, ...packages } = JSON.parse(readFileSync(path.join(root, lockfile), 'utf8')).packages;
    return packages;
  } catch {
    return {};
  }
}

/** Installs the packages, and beside them the browser, as far as that needs none of them: both wait for the network and the disk. */
async function installAll() {
  const packages = npmCommand('ci');
  // Nobody else may install what the system has.
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || process.argv.includes('--packages')) return await npm('ci');
  // What compiles the script is among the packages; so it runs away from them, by a copy that npm keeps.
  const tsx = `tsx@${packagesOf('package-lock.json')['node_modules/tsx'].version}`;
  const script = path.join(root, 'scripts', 'install-browser.ts');
  const args = ['exec', '--yes', '--loglevel=error', `--package=${tsx}`, '--', 'tsx', script];
  const browser = { title: 'installing the browser, if there is none', command: 'npm', args, cwd: tmpdir() };
  const [code] = await toldTogether([packages, browser]);
  return code;
}

async function npm(...command) {
  const { title, command: program, args, ...options } = npmCommand(...command);
  return await told(title, program, args, options);
}

function npmCommand(...command) {
  // A registry may fall silent: npm itself waits for five minutes.
  const args = [...command, '--no-fund', '--no-audit', '--loglevel=error', '--fetch-timeout=60000'];
  const count = Object.values(packagesOf('package-lock.json')).filter(isForHere).length;
  const title = `installing ${count} packages with npm ${command[0]}`;
  return { title, command: 'npm', args, cwd: root, shell: process.platform === 'win32', quiet: true };
}

/** Whether a package of a lockfile is for this system and processor. */
function isForHere({ os = [process.platform], cpu = [process.arch] }) {
  return os.includes(process.platform) && cpu.includes(process.arch);
}

function fail(message, remedy) {
  console.error(`error: ${message}\n  remedy: ${remedy}`);
  process.exit(3);
}
