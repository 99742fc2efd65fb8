import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Agent, SelfDrivingAgent } from '../agent/agent.ts';
import type { BrowserIdentity } from '../browser/judged-browser.ts';
import type { BrowserLease } from '../browser/pool.ts';
import { hashJson } from '../contract/canonical.ts';
import { messageOf } from '../contract/message-of.ts';
import { runEpisode } from '../episode/run-episode.ts';
import { checkSession, type Session, signIn, type SignInFailure } from '../episode/sign-in.ts';
import type { ArmedFault } from '../fault/schema.ts';
import { cellCaps } from '../plan/cell-caps.ts';
import { isolationFor } from '../plan/entrants.ts';
import { CampaignError } from '../plan/error.ts';
import { givenFiles } from '../plan/plan-campaign.ts';
import { impossibleIn, injectableOf, faultOf } from '../plan/possible-pair.ts';
import { type Pins, againstPinned } from '../plan/pins.ts';
import type { PlannedEpisode, PlannedTask } from '../plan/plan.ts';
import type { Recorded } from '../row/recorded.ts';
import type { Surface } from '../surface/surface.ts';
import { traitsOf } from '../surface/traits.ts';
import { type SignIn, signInWith, withCredentials } from '../task/auth.ts';
import type { GivenFile } from '../task/given-files.ts';
import type { Task } from '../task/schema.ts';
import { readSource } from '../task/source/read-source.ts';
import { formatPath } from '../task/source/source.ts';
import { WorldError } from '../world/error.ts';
import type { World } from '../world/world-proxy.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import type { OpenBundle } from './campaign.ts';
import type { AttemptRunner, Begin } from './episode-runner.ts';
import type { Slot } from './stage.ts';
import type { SignedIn } from './stored-states.ts';
import { raiseWorld } from './suite-world.ts';

interface Login {
  suite: string;
  role: string;
  /** With its credentials filled in. */
  signIn: SignIn;
}

interface Entrant {
  agent: Agent | SelfDrivingAgent;
  surface: Surface;
  fault: ArmedFault | null;
}

/** Records that an episode could not begin, because its world, role or browser is missing. */
function notBegun(sink: AttemptRecorder, detail: string): void {
  sink.event({ type: 'stop', stop: 'infra_error', detail, answer: null });
}

function recordSignIn(sink: AttemptRecorder, { auth }: Task, role: SignedIn | null): void {
  if (auth !== undefined) sink.event({ type: 'signed_in', setup_ms: role?.setupMs ?? null });
}

/** Records a browser that is not the pinned one. Returns whether the episode may run in it. */
function isRightBrowser(sink: AttemptRecorder, browser: BrowserIdentity, pinned: Pins['browser']): boolean {
  const standing = againstPinned(browser, pinned);
  if (standing === 'stand_in') sink.event({ type: 'browser_not_ours' });
  if (standing !== 'other') return true;
  notBegun(sink, `the browser has changed since the campaign began: it is ${browser.name} ${browser.version} now`);
  return false;
}

/** Runs attempts in the browser and the world of one slot, one at a time. */
export class LocalAttempts implements AttemptRunner {
  readonly #slot: Slot;
  readonly #bundle: OpenBundle;

  constructor(slot: Slot, bundle: OpenBundle) {
    this.#slot = slot;
    this.#bundle = bundle;
  }

  async run(episode: PlannedEpisode, attempt: number, begin: Begin): Promise<Recorded> {
    const { layout, blobs, listener } = this.#bundle;
    const begun = performance.now();
    const { startedAt } = await begin();
    const recorder = await AttemptRecorder.open({
      layout: layout.attempt(episode.episodeId, attempt),
      blobs,
      redactor: this.#slot.stage.secrets.redactor,
      agent: episode.agent,
      startedAt,
      begun,
      onEvent: (event) => listener.event?.(episode, event),
    });
    await this.#record(episode, recorder);
    await recorder.close();
    return recorder.recorded;
  }

  /** Runs and records an attempt, or records why its cell cannot run. */
  async #record(episode: PlannedEpisode, sink: AttemptRecorder): Promise<void> {
    const { plan, pins } = this.#bundle.campaign;
    const { agents, campaign } = this.#slot.stage;
    const chosen = agents.of(episode);
    const surface = campaign.entrants.surface(episode.surface);
    const notApplicable = (why: string) => sink.event({ type: 'impossible', status: 'not_applicable', why });
    if (!('agent' in chosen)) return notApplicable(chosen.notApplicable);
    const impossible = impossibleIn(pins.browser, surface);
    if (impossible !== null) return sink.event({ type: 'impossible', ...impossible });
    const fault = faultOf(episode, plan, injectableOf(traitsOf(surface)));
    if ('impossible' in fault) return notApplicable(fault.impossible);
    if (chosen.model?.endpoint_kind === 'cassette') {
      const { model_id, model_endpoint } = chosen.model;
      sink.event({ type: 'replayed', model_id, model_endpoint });
    }
    await this.#runEpisode(episode, { agent: chosen.agent, surface, fault: fault.armed }, sink);
  }

  async #runEpisode(episode: PlannedEpisode, { agent, surface, fault }: Entrant, sink: AttemptRecorder): Promise<void> {
    const { pool, stage } = this.#slot;
    const { campaign, budget } = this.#bundle;
    const { plan } = campaign;
    const { planned } = episode;
    const login = this.#loginOf(planned);
    const files = await this.#filesOf(planned);
    if ('failure' in files) return notBegun(sink, files.failure);
    const beforehand =
      login === null || login.signIn.per_episode === true
        ? null
        : await this.#signedIn(login, () => this.#signInApart(episode, login.signIn));
    if (beforehand !== null && 'failure' in beforehand) return notBegun(sink, beforehand.failure);
    const task = this.#taskOf(planned);
    await using lease = leased(await pool.acquire(isolationFor(surface, plan.isolation)));
    if (!isRightBrowser(sink, lease.browser.identity, campaign.pins.browser)) return;
    await using world = await this.#raise(episode, task, surface.manifest);
    if ('failure' in world) {
      lease.isFit = true;
      return notBegun(sink, world.failure);
    }
    const signedInHere = async (own: Login): Promise<SignedIn | { failure: string }> => {
      const setup = { signIn: own.signIn, task, browser: lease.browser, world, clean: stage.secrets.redactor.text };
      const noting = async <T extends { browserFit: boolean }>(making: Promise<T>): Promise<T> => {
        const made = await making;
        lease.isFit = made.browserFit;
        return made;
      };
      if (beforehand === null) return await this.#signedIn(own, () => noting(signIn(setup)));
      const checked = await noting(checkSession(setup, beforehand.session));
      return 'failure' in checked ? this.#withoutRole(own, checked.failure) : beforehand;
    };
    const role = login === null ? null : await signedInHere(login);
    if (role !== null && 'failure' in role) return notBegun(sink, role.failure);
    recordSignIn(sink, task, role);
    const { browserFit } = await runEpisode({
      task,
      files,
      agent,
      surface,
      browser: lease.browser,
      untouched: () => pool.untouched(),
      world,
      sink,
      countTokens: stage.countTokens,
      screenshotClasses: planned.screenshot_classes,
      budget,
      seed: hashJson([plan.seed, planned.suite, task.id, episode.iteration]),
      caps: cellCaps(campaign, episode),
      settleMs: plan.settle_ms,
      trace: plan.trace ?? 'off',
      film: plan.film ?? false,
      slowMs: plan.slow_ms,
      fault,
      ...(role === null ? {} : { storedState: role.session.cookies }),
    });
    lease.isFit = browserFit;
  }

  #taskOf({ task, suite }: PlannedTask): Task {
    return withCredentials(task, this.#slot.stage.secrets.credentials.get(suite) ?? {});
  }

  /** Reads the files that the task gives to its agent. */
  async #filesOf({ suite, task, files }: PlannedTask): Promise<readonly GivenFile[] | { failure: string }> {
    const whole = this.#slot.stage.campaign.suites.find(({ id }) => id === suite);
    if (task.files === undefined || whole === undefined) return [];
    try {
      return await givenFiles(whole, task, files);
    } catch (error) {
      if (!(error instanceof CampaignError)) throw error;
      return { failure: error.message };
    }
  }

  /** Raises the world of an episode, whose verdict stands even if the world does not close. */
  async #raise(
    episode: PlannedEpisode,
    task: Task,
    manifest?: Uint8Array,
  ): Promise<(World | { failure: string }) & AsyncDisposable> {
    const { stage, thread } = this.#slot;
    const suiteWorld = stage.worlds.get(episode.planned.suite);
    if (suiteWorld === undefined) throw new Error(`suite ${episode.planned.suite} is in the plan and has no world`);
    try {
      const { identity, campaign } = stage;
      const world = await raiseWorld(suiteWorld, task, { identity, live: campaign.plan.live, thread, manifest });
      const close = async (): Promise<void> => {
        await world.close().catch((error: unknown) => {
          this.#bundle.listener.worldNotClosed?.(episode, stage.secrets.redactor.text(messageOf(error)));
        });
      };
      return Object.assign(world, { [Symbol.asyncDispose]: close });
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      return { failure: error.message, [Symbol.asyncDispose]: async () => {} };
    }
  }

  /** The role that an episode begins as; null if it begins signed out. */
  #loginOf({ task, suite, sign_in: own }: PlannedTask): Login | null {
    if (task.auth?.by !== 'stored_state' || own === undefined) return null;
    const credentials = this.#slot.stage.secrets.credentials.get(suite) ?? {};
    return { suite, role: task.auth.role, signIn: signInWith(own, credentials) };
  }

  async #signedIn(login: Login, make: () => Promise<Session | SignInFailure>): Promise<SignedIn | { failure: string }> {
    const own = login.signIn.per_episode === true ? ` ${randomUUID()}` : '';
    const signedIn = await this.#slot.stage.secrets.storedStates.of(`${login.suite} ${login.role}${own}`, async () => {
      const made = await make();
      if (!('failure' in made) || made.step === undefined) return made;
      return { failure: `${made.failure}; see ${await this.#placeOf(login, made.step)}` };
    });
    return 'failure' in signedIn ? this.#withoutRole(login, signedIn.failure) : signedIn;
  }

  /** The place of a step of a role: `suite.yaml:12 roles.tom.steps[3]`. */
  async #placeOf({ suite, role }: Login, step: number): Promise<string> {
    const { file = '' } = this.#slot.stage.campaign.suites.find(({ id }) => id === suite) ?? {};
    const own = ['roles', role, 'steps', step];
    const read = await readSource(file);
    const line = read.ok ? read.value.placeOf(own).line : null;
    return `${path.basename(file)}${line === null ? '' : `:${line}`} ${formatPath(own)}`;
  }

  #withoutRole({ role }: Login, why: string): { failure: string } {
    return { failure: this.#slot.stage.secrets.redactor.text(`the role ${role} cannot be signed in: ${why}`) };
  }

  /** Signs a role in, in an app of its own, whose cookies those of all episodes must accept. */
  async #signInApart(episode: PlannedEpisode, filled: SignIn): Promise<Session | SignInFailure> {
    const { pool, stage } = this.#slot;
    const task = this.#taskOf(episode.planned);
    await using lease = leased(await pool.acquire('context'));
    await using world = await this.#raise(episode, task);
    if ('failure' in world) {
      lease.isFit = true;
      return { failure: world.failure };
    }
    const made = await signIn({
      signIn: filled,
      task,
      browser: lease.browser,
      world,
      clean: stage.secrets.redactor.text,
    });
    lease.isFit = made.browserFit;
    return made;
  }
}

/** Returns the browser to the pool when disposed of; one that is not marked as fit is ended. */
function leased(from: BrowserLease) {
  const lease = { browser: from.browser, isFit: false, [Symbol.asyncDispose]: async () => from.release(lease.isFit) };
  return lease;
}
