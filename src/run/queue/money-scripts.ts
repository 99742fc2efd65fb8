import type { Redis } from 'ioredis';
import { z } from 'zod';
import { PREFIX } from './connection.ts';

/**
 * The money of a campaign in Redis, in three hashes: `base`, spent by all that has ended, and `cap`; what each run of an attempt that
 * is under way has spent and holds; and at how much each was counted that is void. A run is `<attempt>/<id>`, and always says all
 * that it has spent and holds, never a difference: said twice, it is the same, and a Redis that has forgotten it knows it again.
 */
export function moneyKeys(campaign: string): [money: string, runs: string, ended: string] {
  const money = `${PREFIX}:money:${campaign}`;
  return [money, `${money}:runs`, `${money}:ended`];
}

/** Seconds that the money of a campaign is kept after the last word of it: one that was ended early may be resumed. */
const KEPT_S = 30 * 24 * 3_600;

/** No word of a worker counts for less than nothing. */
const COMMON = `
local money, runs, ended = KEYS[1], KEYS[2], KEYS[3]
local function amount(text)
  local number = tonumber(text)
  if number and number >= 0 then return number end
  return 0
end
local function text(number) return string.format('%.17g', number) end
local function read(value)
  local spent, held = string.match(value, '^(%S+) (%S+)$')
  return amount(spent), amount(held)
end
local function base() return amount(redis.call('HGET', money, 'base')) end
local function setBase(number) redis.call('HSET', money, 'base', text(number)) end
-- One that was started again may have forgotten all, or the last words, and so may one that has taken another's place.
local server = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or ''
local function isToldAll() return redis.call('HGET', money, 'server') == server end
local function keep() for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ${KEPT_S}) end end
local function each(visit)
  local all = redis.call('HGETALL', runs)
  for index = 1, #all, 2 do
    local spent, held = read(all[index + 1])
    visit(all[index], spent, held)
  end
end
`;

/** A run of an attempt asks for the money of a call. ARGV: run, attempt, what it has spent so far, the most that the call can cost. */
const RESERVE = `${COMMON}
if redis.call('HEXISTS', ended, ARGV[1]) == 1 or redis.call('HEXISTS', ended, ARGV[2]) == 1 then return {'void'} end
redis.call('HSET', runs, ARGV[1], ARGV[3] .. ' 0')
keep()
local cap = redis.call('HGET', money, 'cap')
if not cap or not isToldAll() then return {'wait'} end
if cap ~= 'none' then
  local spent, holding, calls = base(), 0, 0
  each(function(_, of, held)
    spent = spent + of
    holding = holding + held
    if held > 0 then calls = calls + 1 end
  end)
  local most = amount(ARGV[4])
  if spent >= amount(cap) then return {'spent', text(spent), cap} end
  if most > 0 and calls > 0 and spent + holding + most > amount(cap) then return {'wait'} end
end
redis.call('HSET', runs, ARGV[1], ARGV[3] .. ' ' .. ARGV[4])
return {'go'}
`;

/** A run says what it has spent and holds. ARGV: run, attempt, both. What is said of one that is void adds what was not counted. */
const SAY = `${COMMON}
local counted = redis.call('HGET', ended, ARGV[1])
if not counted and redis.call('HEXISTS', ended, ARGV[2]) == 0 then
  redis.call('HSET', runs, ARGV[1], ARGV[3] .. ' ' .. ARGV[4])
else
  local all = amount(ARGV[3]) + amount(ARGV[4])
  if all > amount(counted) then
    setBase(base() + all - amount(counted))
    redis.call('HSET', ended, ARGV[1], text(all))
  end
end
keep()
return {'said'}
`;

/**
 * An attempt has ended. ARGV: attempt, what its record says that it has cost, and `sealed`, `void`, or `stray` of one that this
 * coordinator has not begun; then attempts that are sealed, and whose end the coordinator has had an answer for. What its runs still hold counts as spent. Of those that are void the end is kept, as their workers may
 * not know yet: of the whole attempt only if its number will not come again. Said again, as a client does that has had no answer, it
 * adds nothing: `=` marks an attempt whose record is counted, until the coordinator names it as one that it has had the answer for.
 */
const END = `${COMMON}
for index = 4, #ARGV do redis.call('HDEL', ended, '=' .. ARGV[index]) end
if not isToldAll() then return {'gone'} end
local total = 0
each(function(run, spent, held)
  if string.sub(run, 1, #ARGV[1] + 1) == ARGV[1] .. '/' then
    total = total + spent + held
    redis.call('HDEL', runs, run)
    if ARGV[3] ~= 'sealed' then redis.call('HSET', ended, run, text(spent + held)) end
  end
end)
if ARGV[3] == 'sealed' and redis.call('HSETNX', ended, '=' .. ARGV[1], '') == 1 then
  total = math.max(total, amount(ARGV[2]))
end
setBase(base() + total)
if ARGV[3] == 'void' then redis.call('HSET', ended, ARGV[1], '0') end
keep()
return {'ended', text(base())}
`;

/**
 * A campaign begins or goes on: nothing is under way. ARGV: what is known to be spent, the cap. What was under way counts as spent, and
 * makes no further call. An attempt that the ledger has not begun will be run again under its number.
 */
const OPEN = `${COMMON}
local total = base()
each(function(run, spent, held)
  total = total + spent + held
  redis.call('HDEL', runs, run)
  redis.call('HSET', ended, run, text(spent + held))
end)
setBase(math.max(total, amount(ARGV[1])))
redis.call('HSET', money, 'cap', ARGV[2], 'server', server)
keep()
return {'open', text(base())}
`;

/**
 * The coordinator says again what it knows. ARGV: what is spent at least, the cap, and runs with their last words. A Redis that has
 * forgotten all is given the cap with the next such word: by then those who make calls have said what they hold.
 */
const KEEP = `${COMMON}
local isThere = isToldAll()
setBase(math.max(base(), amount(ARGV[1])))
if isThere then
  redis.call('HSET', money, 'cap', ARGV[2])
else
  redis.call('HDEL', money, 'cap')
  redis.call('HSET', money, 'server', server)
  for index = 3, #ARGV, 2 do
    local known = redis.call('HGET', runs, ARGV[index])
    local spent, held = read(ARGV[index + 1])
    local ofSpent, ofHeld = read(known or '')
    local isLater = spent > ofSpent or (spent == ofSpent and held > ofHeld)
    if not known or isLater then redis.call('HSET', runs, ARGV[index], ARGV[index + 1]) end
  end
end
keep()
return {isThere and 'there' or 'again', text(base()), redis.call('HGETALL', runs)}
`;

/**
 * The question before the first episode is paid. ARGV: USD, and its own name: said again, it adds nothing. A Redis that has forgotten
 * all is told of it with the rest.
 */
const TAKE = `${COMMON}
if isToldAll() and redis.call('HSETNX', ended, '=' .. ARGV[2], '') == 1 then setBase(base() + amount(ARGV[1])) end
return {'taken'}
`;

const SCRIPTS = { reserve: RESERVE, say: SAY, end: END, open: OPEN, keep: KEEP, take: TAKE };

const Reply = z.array(z.union([z.string(), z.array(z.string())])).min(1);

/** Does one thing to the money of a campaign, as a whole or not at all. */
export async function doToMoney(
  client: Redis,
  campaign: string,
  what: keyof typeof SCRIPTS,
  ...args: (string | number)[]
): Promise<{ word: string; numbers: number[]; runs: [run: string, said: string][] }> {
  const keys = moneyKeys(campaign);
  const reply = Reply.parse(await client.eval(SCRIPTS[what], keys.length, ...keys, ...args));
  const [word = '', ...texts] = reply.filter((each) => typeof each === 'string');
  const flat = reply.find((each) => typeof each !== 'string') ?? [];
  const runs = flat.flatMap((run, index): [string, string][] =>
    index % 2 === 0 ? [[run, flat[index + 1] ?? '']] : [],
  );
  return { word, numbers: texts.map(Number), runs };
}
