import { bundleLayout } from '../../bundle/layout.ts';
import { readCampaignFile } from '../../campaign/campaign-file.ts';
import { eachSealedRow } from '../../bundle/sealed-rows.ts';
import { rejudge as judgeAgain, type Rejudgement } from '../../check/rejudge.ts';
import { printable } from '../../report/printable.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { Options } from '../options.ts';
import { table } from '../terminal.ts';

export const rejudge = defineCommand({
  usage: 'rejudge <bundle>',
  about:
    'Judge every episode of a bundle again from its files alone, and compare; tell those that are missing. Writes nothing.',
  options: Options.pick({ json: true }),
  async run(args, { json }, terminal) {
    const layout = bundleLayout(args[0] ?? '');
    const campaign = await readCampaignFile(layout);
    const differing: Rejudgement[] = [];
    let [judged, missing] = [0, 0];
    for await (const each of judgeAgain(layout, campaign, eachSealedRow(layout))) {
      if (each.missing) missing += 1;
      else judged += 1;
      if (!each.agrees) differing.push(each);
    }
    const agree = judged - (differing.length - missing);
    if (json) {
      terminal.out(printable(JSON.stringify({ judged, agree, missing, differing })));
    } else {
      if (differing.length > 0) {
        const head = ['episode', 'task', 'agent', 'recorded', 'now', 'why'];
        for (const line of table([head, ...differing.map(cellsOf)])) terminal.out(line);
      }
      const noun = judged === 1 ? 'episode' : 'episodes';
      const lacks = missing === 0 ? '' : `, ${missing} of the plan missing`;
      terminal.out(`${judged} ${noun} judged again, ${agree} agree${lacks}`);
    }
    return differing.length === 0 ? EXIT.done : EXIT.gateNotMet;
  },
});

function cellsOf({ episodeId, task, agent, missing, recorded, rejudged, why }: Rejudgement): (string | null)[] {
  const none = missing ? 'no row' : 'unreadable';
  const before = recorded === null ? none : `${recorded.goal}/${recorded.guard}`;
  const now = rejudged === null ? 'not judged' : `${rejudged.goal}/${rejudged.guard}`;
  return [episodeId, task, agent, before, now, why];
}
