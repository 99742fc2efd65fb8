import { statSync } from 'node:fs';
import { requireBrowser } from '../src/browser/find.ts';

// Tells setup.mjs, as JSON, which browser would be started, and when its file was last changed (ms since 1970).
const { path: file } = requireBrowser(process.argv[2] === 'shell' ? 'shell' : 'full');
process.stdout.write(JSON.stringify({ file, changed: statSync(file).mtimeMs }));
