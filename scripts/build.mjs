// Compiles src to dist, with what else the compiler is told. Types are not checked here: `npm run check:types` does that, in the gate and before a release, and takes most of the time.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { told } from './told.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { resolve } = createRequire(import.meta.url);
const compiler = path.join(path.dirname(resolve('typescript/package.json')), 'bin/tsc');
const args = [compiler, '-p', 'tsconfig.build.json', '--noCheck', ...process.argv.slice(2)];

const dist = path.join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
const status = await told('compiling src to dist', process.execPath, args, { cwd: root });
if (status !== 0) process.exit(status);

// TypeScript 6 overlooked an import inside a function that has something in `using`, and in a clone nobody sees that.
const sourcesNamed = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js'))
  .filter((name) => /await import\('\.[^']*\.ts'\)/.test(readFileSync(path.join(dist, name), 'utf8')));
if (sourcesNamed.length > 0) {
  console.error(
    `error: these files import TypeScript, which is not there where they are installed: ${sourcesNamed.join()}`,
  );
  process.exit(1);
}
