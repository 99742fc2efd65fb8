import { findBrowser } from '../src/browser/find.ts';
import { installFromSystem } from '../src/browser/install.ts';

// Runs while npm installs our packages, and so may need none of them. Whatever it cannot do, `touchstone doctor --install` does later.
const isNamed = (process.env['TOUCHSTONE_BROWSER'] ?? '') !== '';
if (!isNamed && findBrowser('full') === null) {
  await installFromSystem('full', (line) => {
    console.error(line);
  });
}
