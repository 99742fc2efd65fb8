// npx tsx scripts/near-misses.ts <suite> [task...]: runs the near-misses of a suite; none of them may pass.
import { referenceAgent } from '../src/agent/reference.ts';
import { requireBrowser } from '../src/browser/find.ts';
import { launchBrowser } from '../src/browser/launch.ts';
import { closeSuiteWorld, loadSuiteWorld, raiseWorld } from '../src/campaign/suite-world.ts';
import { loadSuites } from '../src/cli/suites.ts';
import { terminal } from '../src/cli/terminal.ts';
import { runEpisode } from '../src/episode/run-episode.ts';
import { aria } from '../src/surface/aria/aria.ts';
import { createTlsIdentity } from '../src/world/tls-identity.ts';

const [name = 'realapps', ...only] = process.argv.slice(2);
const identity = await createTlsIdentity();
const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: identity.spki });
let wrong = 0;
for (const suite of await loadSuites([name], terminal)) {
  const suiteWorld = await loadSuiteWorld(suite);
  for (const { task } of suite.tasks.filter((each) => only.length === 0 || only.includes(each.task.id))) {
    for (const { why, steps } of task.nearMisses ?? []) {
      const world = await raiseWorld(suiteWorld, task, { identity, live: false });
      const { status, detail } = await runEpisode({
        task,
        agent: referenceAgent(why, steps),
        surface: aria,
        browser,
        world,
        sink: { event: () => {}, evidence: () => Promise.resolve('') },
      });
      await world.close();
      // Steps that cannot be carried out prove nothing about the contract.
      if (status !== 'failed') wrong += 1;
      console.log(`${status.padEnd(12)} ${task.id}: ${why}${detail === null ? '' : ` (${detail})`}`);
    }
  }
  closeSuiteWorld(suiteWorld);
}
await browser.close();
console.log(wrong === 0 ? 'every near-miss failed, as it must' : `${wrong} near-misses did not fail`);
process.exit(wrong === 0 ? 0 : 1);
