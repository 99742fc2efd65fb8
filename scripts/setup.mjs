// Installs what a clean clone lacks: the dependencies, and a browser. Needs nothing but Node itself.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

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
  console.error('installing dependencies …');
  // A registry that lacks a binary for some other platform makes `npm ci` refuse a lockfile that `npm install` takes.
  if (npm('ci') !== 0 && npm('install') !== 0)
    fail('the dependencies could not be installed', 'see what npm printed above');
  writeFileSync(stamp, lock);
}
const cli = ['--import', 'tsx', path.join(root, 'src', 'cli', 'main.ts')];
const { status } = spawnSync(process.execPath, [...cli, 'doctor', '--install', '--quiet'], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 3);

function npm(command) {
  const args = [command, '--no-fund', '--no-audit', '--loglevel=error'];
  return spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' }).status;
}

function fail(message, remedy) {
  console.error(`error: ${message}\n  remedy: ${remedy}`);
  process.exit(3);
}
