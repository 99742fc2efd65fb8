import type { Rerun } from '../rerun/rerun.ts';

/** Lists in lines what was run again, and what was not. */
export function rerunLines(again: Rerun): string[] {
  const { differences, drawn, can, share, seed, same, why_not: whyNot, outcome_hash: hashes } = again;
  return [
    ...differences.map(({ file, problem }) => `${file}: ${problem}`),
    `run again   ${same} of ${drawn} had the same result; ${Number((share * 100).toFixed(4))} % of the ${can} that can be run again were drawn, with --seed ${seed}`,
    ...again.cannot.map(({ why, episodes }) => `not again   ${episodes}: ${why}`),
    ...again.elsewhere.map((each) => `elsewhere   ${each}`),
    ...(hashes === null ? [] : [`outcome     ${hashes.recorded} of this part, and ${hashes.again} when run again`]),
    ...(whyNot === null ? [] : [`not reproduced: ${whyNot}`]),
  ];
}
