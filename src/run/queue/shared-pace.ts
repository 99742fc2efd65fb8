import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { PaceOf } from '../../agent/model/setup.ts';
import { messageOf } from '../../contract/message-of.ts';
import { PREFIX } from './connection.ts';
import { orStopped } from './or-stopped.ts';

/** Time between two looks for room, in ms; and after Redis would not answer. */
const LOOK_MS = 200;
const REFUSED_MS = 1_000;
/** Time after which a Redis that has not answered is why a call waits, in ms. */
const SILENT_MS = 5_000;
const SILENT = 'the Redis of the queue does not answer';
/** Time beyond the longest that a call may take after which its worker is lost, in ms; and seconds that a pace is kept. */
const LATE_MS = 10_000;
const KEPT_S = 3_600;

/**
 * The paces of the providers of a campaign in Redis: of each until when nobody calls, the most calls at once (none is known until the
 * provider complains) and the count of complaints; and the calls that are under way, with the time at which their workers must be lost.
 */
export function paceKeys(campaign: string): [state: string, calls: string] {
  return [`${PREFIX}:pace:${campaign}`, `${PREFIX}:pace:${campaign}:calls`];
}

const COMMON = `
local state, calls, provider, call = KEYS[1], KEYS[2], ARGV[1], ARGV[1] .. '/' .. ARGV[2]
local function get(name) return tonumber(redis.call('HGET', state, provider .. ':' .. name)) end
local function set(name, number) redis.call('HSET', state, provider .. ':' .. name, string.format('%.17g', number)) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function keep() for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ${KEPT_S}) end end
local function text(number) return string.format('%.17g', number) end
`;

/** ARGV: provider, call, until when it has waited, the longest that it may be under way in ms. */
const ENTER = `${COMMON}
local closed = get('closed') or 0
if closed > tonumber(ARGV[3]) and closed > now then return {'closed', text(closed), text(closed - now)} end
local most = get('most')
if most then
  local under, all = 0, redis.call('HGETALL', calls)
  for index = 1, #all, 2 do
    if string.sub(all[index], 1, #provider + 1) == provider .. '/' then
      if (tonumber(all[index + 1]) or 0) < now then redis.call('HDEL', calls, all[index]) else under = under + 1 end
    end
  end
  if under >= math.floor(most) then return {'full'} end
end
redis.call('HSET', calls, call, text(now + tonumber(ARGV[4])))
keep()
return {'go', text(get('complaints') or 0)}
`;

/**
 * ARGV: provider, call, complaints when it was sent, `answered`, `failed`, `complained` or `given up`, the time that the provider wants
 * to be left alone in ms or nothing, and the answers after which one more may be asked at once. Those that were under way together are
 * turned away together: that is one complaint.
 */
const LEAVE = `${COMMON}
redis.call('HDEL', calls, call)
local sent, complaints, most = tonumber(ARGV[3]), get('complaints') or 0, get('most')
if ARGV[4] == 'answered' and sent == complaints and most then set('most', most + 1 / (tonumber(ARGV[6]) * most)) end
local wait = tonumber(ARGV[5])
if wait then set('closed', math.max(get('closed') or 0, now + wait)) end
if ARGV[4] == 'complained' and sent >= complaints then
  set('complaints', complaints + 1)
  set('most', 1)
end
keep()
return {'left', text(wait and now + wait or 0)}
`;

const Reply = z.tuple([z.string()], z.coerce.number());

/** As whoever asks a model knows it. */
type Pace = ReturnType<PaceOf>;
type PaceTicket = ReturnType<Pace['ticket']>;
type Waiting = Parameters<PaceTicket['enter']>[0];
type Came = Parameters<PaceTicket['leave']>[0];

export interface SharedPaceOptions {
  client: Redis;
  /** The hash that stands for the campaign in messages. */
  campaign: string;
  provider: string;
  rules: Parameters<PaceOf>[1];
  note: (line: string) => void;
  silentMs?: number;
}

/** The pace of a provider that the workers of a campaign on all machines share. */
export class SharedPace implements Pace {
  readonly #options: SharedPaceOptions;

  constructor(options: SharedPaceOptions) {
    this.#options = options;
  }

  ticket(): PaceTicket {
    return new Ticket(this.#options);
  }
}

class Ticket implements PaceTicket {
  readonly #options: SharedPaceOptions;
  readonly #call = randomUUID();
  #complaints = 0;
  /** The time until which it has waited, or will wait by itself, as Redis has it. */
  #waitedUntil = 0;
  #left: Promise<void> = Promise.resolve();

  constructor(options: SharedPaceOptions) {
    this.#options = options;
  }

  async enter(waiting: Waiting): Promise<void> {
    try {
      while (!(await this.#hasEntered(waiting)));
    } catch (error) {
      // Redis may have let it in already.
      this.leave(null);
      throw error;
    }
  }

  leave(came: Came): void {
    const { answersForMore } = this.#options.rules;
    const waitMs = came !== null && 'status' in came ? came.waitMs : null;
    this.#left = this.#leave(this.#ask(LEAVE, this.#complaints, this.#wordFor(came), waitMs ?? '', answersForMore));
  }

  /** Where it cannot be said that it has left, its place is free once it must be over. */
  async #leave(leaving: Promise<z.output<typeof Reply>>): Promise<void> {
    const [, until = 0] = await leaving.catch(() => ['', 0] as const);
    this.#waitedUntil = Math.max(this.#waitedUntil, until);
  }

  #wordFor(came: Came): string {
    if (came === null) return 'given up';
    if ('reply' in came) return 'answered';
    return came.status === this.#options.rules.tooMany ? 'complained' : 'failed';
  }

  async #hasEntered({ pause, signal, onHeld }: Waiting): Promise<boolean> {
    const { rules, note, provider, silentMs = SILENT_MS } = this.#options;
    const silent = setTimeout(() => onHeld(SILENT), silentMs);
    let answer: z.output<typeof Reply>;
    try {
      await orStopped(this.#left, signal);
      answer = await orStopped(this.#ask(ENTER, this.#waitedUntil, rules.callMs + LATE_MS), signal);
    } catch (error) {
      signal.throwIfAborted();
      note(`the pace of ${provider}: ${messageOf(error)}`);
      onHeld(SILENT);
      await pause(REFUSED_MS, signal);
      return false;
    } finally {
      clearTimeout(silent);
    }
    const [word, first = 0, second = 0] = answer;
    if (word === 'go') this.#complaints = first;
    if (word === 'go') return true;
    onHeld(rules.held);
    if (word === 'closed') this.#waitedUntil = first;
    await pause(word === 'closed' ? second : LOOK_MS, signal);
    return false;
  }

  async #ask(script: string, ...args: (string | number)[]): Promise<z.output<typeof Reply>> {
    const { client, campaign, provider } = this.#options;
    const keys = paceKeys(campaign);
    return Reply.parse(await client.eval(script, keys.length, ...keys, provider, this.#call, ...args));
  }
}
