import { bundleLayout } from '../../bundle/layout.ts';
import { readCampaignFile } from '../../campaign/campaign-file.ts';
import { readSealedRows } from '../../bundle/sealed-rows.ts';
import { rejudge as judgeAgain, type Rejudgement } from '../../check/rejudge.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { Options } from '../options.ts';
import { table } from '../terminal.ts';

export const rejudge = defineCommand({
  usage: 'rejudge <bundle>',
  about: 'Judge every episode of a bundle again from its files alone, and compare. Writes nothing.',
  options: Options.pick({ json: true }),
  async run(args, { json }, terminal) {
    const layout = bundleLayout(args[0] ?? '');
    const campaign = await readCampaignFile(layout);
    const judged: Rejudgement[] = [];
    for await (const each of judgeAgain(layout, campaign, await readSealedRows(layout))) judged.push(each);
    const differing = judged.filter(({ agrees }) => !agrees);
    if (json) {
      terminal.out(JSON.stringify({ judged: judged.length, agree: judged.length - differing.length, differing }));
      return differing.length === 0 ? EXIT.done : EXIT.gateNotMet;
    }
    if (differing.length > 0) {
      const rows = differing.map(({ episodeId, task, agent, recorded, rejudged, why }) => [
        episodeId,
        task,
        agent,
        `${recorded.goal}/${recorded.guard}`,
        rejudged === null ? 'not judged' : `${rejudged.goal}/${rejudged.guard}`,
        why,
      ]);
      for (const line of table([['episode', 'task', 'agent', 'recorded', 'now', 'why'], ...rows])) terminal.out(line);
    }
    const noun = judged.length === 1 ? 'episode' : 'episodes';
    terminal.out(`${judged.length} ${noun} judged again, ${judged.length - differing.length} agree`);
    return differing.length === 0 ? EXIT.done : EXIT.gateNotMet;
  },
});
