import { statSync } from 'node:fs';
import { requireBrowser } from '../src/browser/find.ts';

// Tells setup.mjs, as JSON, which browser would be started, when its file was last changed (ms since 1970), and what the user has named.
const { path: file } = requireBrowser(process.argv[2] === 'shell' ? 'shell' : 'full');
const named = process.env['TOUCHSTONE_BROWSER'] ?? '';
process.stdout.write(JSON.stringify({ file, changed: statSync(file).mtimeMs, named }));
