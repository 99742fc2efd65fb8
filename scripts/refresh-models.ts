import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { listPrice, parsePrices, type Price, type PriceTable, PRICES_FILE } from '../src/model/prices.ts';
import { PROVIDERS } from '../src/model/providers.ts';
import { versionIn } from '../src/plan/package-root.ts';

const PACKAGES = { calculator: 'ai-sdk-cost-calculator', zoo: 'llm-zoo' } as const;

const Quote = z.object({
  inputPer1MTokens: z.number(),
  outputPer1MTokens: z.number(),
  cacheReadPer1MTokens: z.number().optional(),
  cacheWritePer1MTokens: z.number().optional(),
  longContextThreshold: z.number().optional(),
  longContextInputPer1MTokens: z.number().optional(),
  longContextOutputPer1MTokens: z.number().optional(),
  longContextCacheReadPer1MTokens: z.number().optional(),
  longContextCacheWritePer1MTokens: z.number().optional(),
});
type Quote = z.infer<typeof Quote>;

/** The part of `ai-sdk-cost-calculator` that we read: prices by provider and model. */
export const Calculator = z.object({ allPricing: z.record(z.string(), z.record(z.string(), Quote)) });

/** The part of `llm-zoo` that we read. It has only models that chat, and knows which ones are no longer served. */
export const Zoo = z.object({
  MODEL_CONFIGS: z.record(
    z.string(),
    z.object({
      fullName: z.string(),
      shortName: z.string(),
      provider: z.string(),
      inputPrice: z.number(),
      outputPrice: z.number(),
      retired: z.boolean().optional(),
      serviceTier: z.string().optional(),
    }),
  ),
});

interface Packages {
  calculator: z.infer<typeof Calculator>;
  zoo: z.infer<typeof Zoo>;
  /** The later of the days on which they were published. */
  date: string;
  sources: string[];
}

/** Returns a table for each provider with the prices on which both packages agree and that no newer table has, and the ids on which they differ. */
export function newPrices(
  { calculator, zoo, date, sources }: Packages,
  tables: readonly PriceTable[],
): { added: PriceTable[]; differ: string[] } {
  const served = Object.values(zoo.MODEL_CONFIGS).filter((each) => each.retired !== true && !each.serviceTier);
  const differ: string[] = [];
  const added = Object.keys(PROVIDERS).flatMap((provider): PriceTable[] => {
    const ofProvider = served.filter((each) => each.provider === provider);
    const models = Object.entries(calculator.allPricing[provider] ?? {}).flatMap(([id, quote]): [string, Price][] => {
      const same = ofProvider.filter(({ fullName, shortName }) => fullName === id || shortName === id);
      const agrees = ({ inputPrice, outputPrice }: (typeof same)[number]): boolean =>
        inputPrice === quote.inputPer1MTokens && outputPrice === quote.outputPer1MTokens;
      if (!same.every(agrees)) differ.push(`${provider}:${id}`);
      return same.length > 0 && same.every(agrees) ? [[id, priceOf(quote)]] : [];
    });
    const news = models.filter(([id, price]) => isNews(price, listPrice(tables, { provider, id }), date));
    return news.length === 0 ? [] : [{ provider, date, sources, models: Object.fromEntries(news) }];
  });
  for (const { provider } of added) {
    const isTaken = tables.some((each) => each.provider === provider && each.date === date);
    if (isTaken) throw new Error(`${provider}-list-${date} exists, and a table may not change`);
  }
  return { added, differ };
}

/** An unchanged price stays in its table, so that rows before and after a refresh can be pooled. */
function isNews(price: Price, known: ReturnType<typeof listPrice>, date: string): boolean {
  if (known === null) return true;
  return known.table.slice(-date.length) < date && !isDeepStrictEqual(price, known.of);
}

/** Prompts that are not cached cost as much to read or write as any other. */
function priceOf(quote: Quote): Price {
  const { inputPer1MTokens: input, outputPer1MTokens: output, longContextThreshold: above } = quote;
  const rates = { input, cacheRead: quote.cacheReadPer1MTokens ?? input };
  const price = { ...rates, cacheWrite: quote.cacheWritePer1MTokens ?? input, output };
  if (above === undefined) return price;
  const longInput = quote.longContextInputPer1MTokens ?? input;
  const long = {
    above,
    input: longInput,
    cacheRead: quote.longContextCacheReadPer1MTokens ?? longInput,
    cacheWrite: quote.longContextCacheWritePer1MTokens ?? longInput,
    output: quote.longContextOutputPer1MTokens ?? output,
  };
  return { ...price, long };
}

/** Installs the newest versions of both packages in a temporary folder. */
async function installed(): Promise<Packages> {
  const folder = mkdtempSync(path.join(tmpdir(), 'models-'));
  try {
    const quiet = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', '--prefix', folder, ...quiet, ...Object.values(PACKAGES)], { stdio: 'inherit' });
    const at = (name: string): string => path.join(folder, 'node_modules', name);
    const load = async (name: string, file: string): Promise<unknown> =>
      await import(pathToFileURL(path.join(at(name), 'dist', file)).href);
    const versions = Object.values(PACKAGES).map((name) => ({ name, version: versionIn(at(name)) }));
    return {
      calculator: Calculator.parse(await load(PACKAGES.calculator, 'index.mjs')),
      zoo: Zoo.parse(await load(PACKAGES.zoo, 'index.js')),
      date: versions.map(publishedOn).toSorted().at(-1) ?? '',
      sources: versions.map(({ name, version }) => `npm ${name} ${version}`),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function publishedOn({ name, version }: { name: string; version: string }): string {
  const times = execFileSync('npm', ['view', name, 'time', '--json'], { encoding: 'utf8' });
  return (z.record(z.string(), z.string()).parse(JSON.parse(times))[version] ?? '').slice(0, 10);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(PRICES_FILE);
  const tables = parsePrices(readFileSync(file, 'utf8'));
  const { added, differ } = newPrices(await installed(), tables);
  const text = JSON.stringify({ tables: [...tables, ...added] });
  parsePrices(text);
  writeFileSync(file, text);
  execFileSync('npx', ['oxfmt', file]);
  for (const { provider, date, models } of added)
    console.log(`${provider}-list-${date}: ${Object.keys(models).join(', ')}`);
  if (added.length === 0) console.log('no new price');
  if (differ.length > 0) console.log(`left as they were, since the packages differ: ${differ.join(', ')}`);
}
