import { canonicalJson, hashJson } from '../contract/canonical.ts';
import { fact } from '../messages/messages.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { plannedName } from '../plan/plan.ts';
import { drawnIndex, drawnInstance, type DrawSecret } from '../task/draw.ts';
import { hasDrawnName } from '../task/instance.ts';
import { type BundleProblem, fileProblem } from './finding.ts';

/** Finds drawn instances whose values do not follow from "draw" and their seeds. The secret is not needed. */
export function drawnFindings(campaign: CampaignFile): BundleProblem[] {
  return drawnIn(campaign).flatMap(({ name, draw, instance }) => {
    if (draw === undefined) return [differs(name, 'values')];
    const drawn = drawnInstance(draw, drawnIndex(instance.name), instance.seed ?? 0);
    return canonicalJson(drawn) === canonicalJson(instance) ? [] : [differs(name, 'values')];
  });
}

/** Finds seeds that the secret does not draw. */
export function secretFindings(campaign: CampaignFile, secret: DrawSecret): BundleProblem[] {
  const { secret_hash: hash } = campaign.plan;
  const drawn = drawnIn(campaign);
  if (hash !== secret.hash || drawn.length === 0) {
    const isDrawn = hash !== undefined && drawn.length > 0;
    return [fileProblem('campaign.json', fact('secret_differs', { drawn: isDrawn }))];
  }
  return drawn.flatMap(({ name, suite, task, instance }) =>
    instance.seed === secret.seedOf(suite, task, drawnIndex(instance.name)) ? [] : [differs(name, 'seed')],
  );
}

function drawnIn({ plan }: CampaignFile) {
  const tasks = new Map(plan.tasks.map(({ suite, task }) => [hashJson([suite, task]), { suite, task }]));
  return [...tasks.values()].flatMap(({ suite, task }) => {
    const { id, draw, instance } = task;
    const isDrawn = draw !== undefined || (plan.secret_hash !== undefined && hasDrawnName(instance?.name ?? ''));
    return instance === undefined || !isDrawn
      ? []
      : [{ name: plannedName({ suite, task }), suite, task: id, draw, instance }];
  });
}

function differs(task: string, what: 'seed' | 'values'): BundleProblem {
  return fileProblem('campaign.json', fact('draw_differs', { task, what }));
}
