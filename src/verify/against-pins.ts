import { deriveMode } from '../bundle/mode.ts';
import type { Row } from '../bundle/row.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { qualificationHashOf } from '../plan/qualification.ts';
import { canonicalJson } from '../contract/canonical.ts';
import { interactionOf } from '../plan/surface-ids.ts';
import { nameOf } from '../task/instance.ts';

/** No field says so. */
const NOT_PINNED = 'not pinned';

/**
 * Which fields of a row are not what was written down before the first episode, and so constant for the campaign, in words.
 * That holds for rows of cells that never ran, too.
 */
export function againstPins(row: Row, { pins, plan, campaign_id: id }: CampaignFile): string[] {
  const model = Object.hasOwn(pins.models, row.agent) ? pins.models[row.agent] : undefined;
  const pinned: Partial<Record<keyof Row, unknown>> = {
    campaign_id: id,
    // What was only planned leaves no bundle.
    mode: deriveMode({ ...row, dry_run: false }),
    bench_version: pins.bench_version,
    bench_commit: pins.bench_commit,
    bench_dirty: pins.bench_dirty,
    judge_version: pins.judge_version,
    node_version: pins.node,
    browser: pins.browser,
    isolation: pins.isolations[row.surface] ?? NOT_PINNED,
    interaction: interactionOf(row.surface),
    world_kind: pins.world_kinds[`${row.suite}/${nameOf(row.task, row.instance)}`] ?? NOT_PINNED,
    app_hash: pins.app_hashes[row.suite] ?? null,
    qualification_hash: qualificationHashOf(pins, row.suite, nameOf(row.task, row.instance)),
    archive_hash: pins.archive_hashes[row.suite] ?? null,
    retry_policy: { max_attempts: plan.max_attempts, max_model_retries: model?.max_retries ?? 0 },
    retries: row.status === 'not_applicable' || row.status === 'unavailable' ? null : row.attempt - 1,
    timeouts: {
      call_ms: pins.call_timeout_ms,
      settle_ms: plan.settle_ms,
      ...(model === undefined ? {} : { model_call_ms: model.call_timeout_ms }),
    },
    ...(model === undefined
      ? { model_id: null, model_endpoint: null, temperature: null, prompt_hash: null, price_table: null }
      : {
          // A cassette answers in the name of the model that was recorded.
          ...(model.endpoint_kind === 'cassette'
            ? {}
            : { model_id: model.model_id, model_endpoint: model.model_endpoint }),
          temperature: model.temperature,
          prompt_hash: model.prompt_hash,
          price_table: row.turns === null ? null : model.price_table,
        }),
  };
  const said = new Map<string, unknown>(Object.entries(row));
  return Object.entries(pinned).flatMap(([field, value]) =>
    canonicalJson(said.get(field)) === canonicalJson(value) ? [] : [`${field} is not what campaign.json has pinned`],
  );
}
