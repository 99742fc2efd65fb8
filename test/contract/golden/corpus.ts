import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { z } from 'zod';
import { hashJson } from '../../../src/contract/canonical.ts';
import { evaluate } from '../../../src/contract/evaluate.ts';
import { Evidence } from '../../../src/contract/evidence.ts';
import { Json } from '../../../src/contract/json.ts';
import type { Judgement } from '../../../src/contract/judgement.ts';
import { Contract } from '../../../src/contract/schema.ts';

const FILE = new URL('corpus.json.br', import.meta.url);

const Case = z.strictObject({
  name: z.string(),
  contract: Contract,
  /** The place of the evidence in its list. */
  evidence: z.int(),
  screenshot_classes: z.record(z.string(), z.array(z.string())).optional(),
  /** Replaces the answer of the evidence, with one that no valid evidence has. */
  malformed_answer: Json.optional(),
});

/** The cases that the judge must decide as pinned: those in `cases.ts`, and cases of committed bundles. */
const Corpus = z.strictObject({ evidence: z.array(Evidence), cases: z.array(Case) });
export type Corpus = z.infer<typeof Corpus>;
export type Case = Corpus['cases'][number];

export function readCorpus(): Corpus {
  return Corpus.parse(JSON.parse(brotliDecompressSync(readFileSync(FILE)).toString()));
}

export function writeCorpus(corpus: Corpus): void {
  const text = JSON.stringify(Corpus.parse(corpus));
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  writeFileSync(FILE, brotliCompressSync(text, { params }));
}

/** The name of the bundle that a case comes from; null: it was written down. */
export function bundleOf({ name }: Case): string | null {
  return /^bundle (\S+)/.exec(name)?.[1] ?? null;
}

export function replay({ cases, evidence }: Corpus, judge: typeof evaluate = evaluate): Map<string, Judgement> {
  return new Map(
    cases.map((each) => {
      const found = evidence[each.evidence];
      if (found === undefined) throw new Error(`the evidence of "${each.name}" is not in the corpus`);
      const on = { ...found };
      if (each.malformed_answer !== undefined) Reflect.set(on, 'answer', each.malformed_answer);
      return [each.name, judge(each.contract, on, { screenshotClasses: each.screenshot_classes ?? {} })];
    }),
  );
}

export function corpusHash(corpus: Corpus): string {
  return hashJson(corpus);
}
