// Compiles src to dist. Types are not checked here: `npm run check:types` does that, in the gate and before a release, and takes most of the time.
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { told } from './told.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const args = [compiler, '-p', 'tsconfig.build.json', '--noCheck'];

rmSync(path.join(root, 'dist'), { recursive: true, force: true });
process.exit(await told('compiling src to dist', process.execPath, args, { cwd: root }));
