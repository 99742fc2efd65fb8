import type { Row } from '../bundle/row.ts';

/** What rows of one cell that ended alike have in common. */
type Common = Pick<
  Row,
  | ('suite' | 'task' | 'instance' | 'agent' | 'surface' | 'mode')
  | ('world_kind' | 'decider' | 'endpoint_kind' | 'browser' | 'process_isolation' | 'caps')
  | ('temperature' | 'status' | 'stop' | 'goal_verdict' | 'guard_verdict' | 'declared_done' | 'hallucination')
  | ('faults' | 'task_hash' | 'contract_hash' | 'app_hash' | 'prompt_hash' | 'qualification_hash')
  | ('manifest_checksum' | 'runtime_version' | 'runtime_hash' | 'surface_version' | 'tool_list_hash')
  | ('model_id' | 'model_id_returned' | 'null_reasons')
> & { auth?: Row['auth'] | undefined };

/** What is measured of each. */
type Measured = Pick<
  Row,
  | ('iteration' | 'attempt' | 'script_calls' | 'steps' | 'tool_errors' | 'shortcut_calls' | 'turns')
  | ('tokens_in' | 'tokens_out' | 'tokens_cached' | 'model_ms' | 'wall_ms' | 'cost_usd')
>;

/** What figures and eligibility follow from: all that is kept of a row where there may be a million of them. Every row is one. */
export type FiguredRow = Common & Measured;

/** Makes figured rows, which share what they have in common: of a large campaign nearly everything. */
export class FiguredRows {
  readonly #common = new Map<string, Common>();

  /** @param surface under which the row is figured, where that is another than its own. */
  of(row: FiguredRow, surface: string = row.surface): FiguredRow {
    const common = { ...commonOf(row), surface };
    const key = JSON.stringify(common);
    const first = this.#common.get(key) ?? common;
    this.#common.set(key, first);
    return new Figured(first, row);
  }
}

function commonOf(row: FiguredRow): Common {
  return {
    suite: row.suite,
    task: row.task,
    instance: row.instance,
    agent: row.agent,
    surface: row.surface,
    mode: row.mode,
    world_kind: row.world_kind,
    decider: row.decider,
    endpoint_kind: row.endpoint_kind,
    browser: row.browser,
    process_isolation: row.process_isolation,
    caps: row.caps,
    temperature: row.temperature,
    status: row.status,
    stop: row.stop,
    goal_verdict: row.goal_verdict,
    guard_verdict: row.guard_verdict,
    declared_done: row.declared_done,
    hallucination: row.hallucination,
    faults: row.faults,
    task_hash: row.task_hash,
    contract_hash: row.contract_hash,
    app_hash: row.app_hash,
    prompt_hash: row.prompt_hash,
    qualification_hash: row.qualification_hash,
    manifest_checksum: row.manifest_checksum,
    runtime_version: row.runtime_version,
    runtime_hash: row.runtime_hash,
    surface_version: row.surface_version,
    tool_list_hash: row.tool_list_hash,
    model_id: row.model_id,
    model_id_returned: row.model_id_returned,
    null_reasons: row.null_reasons,
    auth: row.auth,
  };
}

class Figured implements FiguredRow {
  readonly #common: Common;
  readonly iteration: Row['iteration'];
  readonly attempt: Row['attempt'];
  readonly script_calls: Row['script_calls'];
  readonly steps: Row['steps'];
  readonly tool_errors: Row['tool_errors'];
  readonly shortcut_calls: Row['shortcut_calls'];
  readonly turns: Row['turns'];
  readonly tokens_in: Row['tokens_in'];
  readonly tokens_out: Row['tokens_out'];
  readonly tokens_cached: Row['tokens_cached'];
  readonly model_ms: Row['model_ms'];
  readonly wall_ms: Row['wall_ms'];
  readonly cost_usd: Row['cost_usd'];

  constructor(common: Common, row: Measured) {
    this.#common = common;
    this.iteration = row.iteration;
    this.attempt = row.attempt;
    this.script_calls = row.script_calls;
    this.steps = row.steps;
    this.tool_errors = row.tool_errors;
    this.shortcut_calls = row.shortcut_calls;
    this.turns = row.turns;
    this.tokens_in = row.tokens_in;
    this.tokens_out = row.tokens_out;
    this.tokens_cached = row.tokens_cached;
    this.model_ms = row.model_ms;
    this.wall_ms = row.wall_ms;
    this.cost_usd = row.cost_usd;
  }

  get suite(): Row['suite'] {
    return this.#common.suite;
  }

  get task(): Row['task'] {
    return this.#common.task;
  }

  get instance(): Row['instance'] {
    return this.#common.instance;
  }

  get agent(): Row['agent'] {
    return this.#common.agent;
  }

  get surface(): Row['surface'] {
    return this.#common.surface;
  }

  get mode(): Row['mode'] {
    return this.#common.mode;
  }

  get world_kind(): Row['world_kind'] {
    return this.#common.world_kind;
  }

  get decider(): Row['decider'] {
    return this.#common.decider;
  }

  get endpoint_kind(): Row['endpoint_kind'] {
    return this.#common.endpoint_kind;
  }

  get browser(): Row['browser'] {
    return this.#common.browser;
  }

  get process_isolation(): Row['process_isolation'] {
    return this.#common.process_isolation;
  }

  get caps(): Row['caps'] {
    return this.#common.caps;
  }

  get temperature(): Row['temperature'] {
    return this.#common.temperature;
  }

  get status(): Row['status'] {
    return this.#common.status;
  }

  get stop(): Row['stop'] {
    return this.#common.stop;
  }

  get goal_verdict(): Row['goal_verdict'] {
    return this.#common.goal_verdict;
  }

  get guard_verdict(): Row['guard_verdict'] {
    return this.#common.guard_verdict;
  }

  get declared_done(): Row['declared_done'] {
    return this.#common.declared_done;
  }

  get hallucination(): Row['hallucination'] {
    return this.#common.hallucination;
  }

  get faults(): Row['faults'] {
    return this.#common.faults;
  }

  get task_hash(): Row['task_hash'] {
    return this.#common.task_hash;
  }

  get contract_hash(): Row['contract_hash'] {
    return this.#common.contract_hash;
  }

  get app_hash(): Row['app_hash'] {
    return this.#common.app_hash;
  }

  get prompt_hash(): Row['prompt_hash'] {
    return this.#common.prompt_hash;
  }

  get qualification_hash(): Row['qualification_hash'] {
    return this.#common.qualification_hash;
  }

  get manifest_checksum(): Row['manifest_checksum'] {
    return this.#common.manifest_checksum;
  }

  get runtime_version(): Row['runtime_version'] {
    return this.#common.runtime_version;
  }

  get runtime_hash(): Row['runtime_hash'] {
    return this.#common.runtime_hash;
  }

  get surface_version(): Row['surface_version'] {
    return this.#common.surface_version;
  }

  get tool_list_hash(): Row['tool_list_hash'] {
    return this.#common.tool_list_hash;
  }

  get model_id(): Row['model_id'] {
    return this.#common.model_id;
  }

  get model_id_returned(): Row['model_id_returned'] {
    return this.#common.model_id_returned;
  }

  get null_reasons(): Row['null_reasons'] {
    return this.#common.null_reasons;
  }

  get auth(): Row['auth'] | undefined {
    return this.#common.auth;
  }
}
