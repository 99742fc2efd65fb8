// Lists the newest report of each suite that is named, as the last lines of a script that runs several. Needs nothing but Node itself.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const FOLDER = 'bundles';
const suites = process.argv.slice(2);
const bundles = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
const found = suites.flatMap((suite) => {
  const newest = bundles
    .filter((name) => /^\d{8}T\d{6}-/.test(name) && name.slice('20260101T000000-'.length) === suite)
    .filter((name) => existsSync(path.join(FOLDER, name, 'report.html')))
    .toSorted()
    .at(-1);
  return newest === undefined ? [] : [{ suite, bundle: path.join(FOLDER, newest) }];
});
const width = Math.max(0, ...found.map(({ suite }) => suite.length));
if (found.length > 0) console.log('\nreports of all runs, to open in a browser:');
for (const { suite, bundle } of found) console.log(`  ${suite.padEnd(width)}  ${path.join(bundle, 'report.html')}`);
